import { createReadStream, readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { Context, Source } from '../../core/catalog.ts'

export const CHUNK_BYTES = 262_144
const REPORT_EVERY_MS = 100

/** The part of a capability's progress that one pass over the file fills. */
export type Span = readonly [from: number, to: number]

/** The bytes of a source as they come; reports progress and stops when the job is canceled. */
export async function* readChunks(source: Source, context: Context, [from, to]: Span): AsyncGenerator<Buffer> {
  // A stream costs more than a small file is worth.
  if (source.bytes <= CHUNK_BYTES) {
    context.signal.throwIfAborted()
    const bytes = readFileSync(source.path)
    if (bytes.length > 0) yield bytes
    context.progress(to)
    return
  }
  let readBytes = 0
  let reportedAtMs = 0
  const stream = createReadStream(source.path, { highWaterMark: CHUNK_BYTES })
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    context.signal.throwIfAborted()
    yield chunk
    readBytes += chunk.length
    const nowMs = Date.now()
    if (nowMs - reportedAtMs < REPORT_EVERY_MS) continue
    reportedAtMs = nowMs
    context.progress(from + (to - from) * Math.min(1, readBytes / Math.max(1, source.bytes)))
  }
  context.progress(to)
}

/** Lets timers and messages through when a computation has kept the thread for a while. */
export const makePause = (context: Context, sliceMs = 40): (() => Promise<void> | undefined) => {
  let sinceMs = Date.now()
  return () => {
    if (Date.now() - sinceMs < sliceMs) return undefined
    return setImmediate().then(() => {
      context.signal.throwIfAborted()
      sinceMs = Date.now()
    })
  }
}
