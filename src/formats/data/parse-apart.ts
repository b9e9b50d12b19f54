import { Worker } from 'node:worker_threads'
import type { Context } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import { overLimit } from '../shared/decode.ts'
import { Malformed } from './malformed.ts'
import { convertToJson, type ParsedKind, type ParseResult } from './parse-text.ts'

/** Above this the parser would keep the thread too long, so it gets one of its own. */
const MAX_CHARACTERS_IN_PLACE = 32_768
const MAX_WORKER_MB = 1_024
const HEARTBEAT_MS = 500

/** Parses YAML or TOML into JSON text. The parsers know no pause: long texts are parsed in a thread that can be ended. */
export const parseToJson = async (text: string, kind: ParsedKind, context: Context): Promise<string> => {
  const result =
    text.length <= MAX_CHARACTERS_IN_PLACE ? convertToJson(text, kind) : await parseInWorker(text, kind, context)
  if ('json' in result) return result.json
  if (result.limit) throw overLimit(result.limit.name, result.limit.maximum)
  throw new Malformed(result.message, result.line, result.column)
}

const parseInWorker = (text: string, kind: ParsedKind, context: Context): Promise<ParseResult> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), {
      workerData: { text, kind },
      resourceLimits: { maxOldGenerationSizeMb: MAX_WORKER_MB },
    })
    // The parser itself cannot say how far it is; that it still runs is all that can be told.
    const heartbeat = setInterval(() => context.progress(0.3), HEARTBEAT_MS)
    const abort = () => settle(() => reject(context.signal.reason))
    const settle = (finish: () => void) => {
      clearInterval(heartbeat)
      context.signal.removeEventListener('abort', abort)
      void worker.terminate()
      finish()
    }
    context.signal.addEventListener('abort', abort)
    worker.once('message', (result: ParseResult) => settle(() => resolve(result)))
    worker.once('error', (error: Error & { code?: string }) =>
      settle(() => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? overLimit('memoryMb', MAX_WORKER_MB) : error)),
    )
    worker.once('exit', () => settle(() => reject(new JobFailure('extract.engine_failed'))))
  })
