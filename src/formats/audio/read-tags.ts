import { Worker } from 'node:worker_threads'
import type { Context, Source } from '../../core/catalog.ts'
import { perSource } from '../shared/per-source.ts'
import { type FoundTags, NO_TAGS } from './tags.ts'

/** A file whose tags take longer leads the reader in circles. */
const TIMEOUT_MS = 20_000
const SIGN_OF_LIFE_MS = 1_000
const MAX_WORKER_MB = 512

/**
 * Reads all tags and pictures of a source. The reader runs in a thread that can be ended; where it fails, `problem` says
 * why and the rest is what it had found by then.
 */
export const readTags = perSource(
  (source: Source, context: Context): Promise<FoundTags> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./tag-worker.ts', import.meta.url), {
        workerData: { path: source.path },
        resourceLimits: { maxOldGenerationSizeMb: MAX_WORKER_MB },
      })
      const heartbeat = setInterval(() => context.progress(0), SIGN_OF_LIFE_MS)
      const timer = setTimeout(() => settle(() => resolve({ ...NO_TAGS, problem: 'timed out' })), TIMEOUT_MS)
      const abort = () => settle(() => reject(context.signal.reason))
      const settle = (finish: () => void) => {
        clearInterval(heartbeat)
        clearTimeout(timer)
        context.signal.removeEventListener('abort', abort)
        void worker.terminate()
        finish()
      }
      context.signal.addEventListener('abort', abort)
      worker.once('message', (found: FoundTags) => settle(() => resolve(found)))
      worker.once('error', (error) => settle(() => resolve({ ...NO_TAGS, problem: error.message })))
      worker.once('exit', () => settle(() => resolve({ ...NO_TAGS, problem: 'ended early' })))
    }),
)
