import { Worker } from 'node:worker_threads'
import { JobFailure } from '../core/errors.ts'
import type { MagickAnswer, MagickFormat, MagickPicture, MagickRequest } from './magick-worker.ts'
import { MAX_PIXELS } from './sharp.ts'

export type { MagickFormat, MagickPicture } from './magick-worker.ts'

export type MagickFile = { path: string; format: MagickFormat }
export type MagickJob = { signal: AbortSignal }

/** Of the library's own memory; decoders inside it heed no other limit. */
const MAX_MEMORY_BYTES = 700 * 1_048_576
const TIMEOUT_MS = 120_000

/** Sizes, times and colours of the pictures in a file, from its headers. */
export const describePictures = (file: MagickFile, job: MagickJob): Promise<readonly MagickPicture[]> =>
  ask({ type: 'describe', ...file }, job)

/**
 * Decodes pictures `first` to `first + count - 1` of a file, upright and in sRGB, each into an uncompressed TIFF named
 * by its index after `target`.
 */
export const decodePictures = (
  file: MagickFile,
  { first, count, target }: { first: number; count: number; target: string },
  job: MagickJob,
): Promise<readonly MagickPicture[]> => ask({ type: 'decode', ...file, first, count, target }, job)

/** The library knows no pause and keeps its memory, so each call has a thread of its own that can be ended. */
const ask = async (request: MagickRequest, { signal }: MagickJob): Promise<readonly MagickPicture[]> => {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./magick-worker.ts', import.meta.url), {
    workerData: { ...request, maxMemoryBytes: MAX_MEMORY_BYTES, maxPixels: MAX_PIXELS },
  })
  let timer: NodeJS.Timeout | undefined
  let abort = () => {}
  try {
    const answer = await new Promise<MagickAnswer>((resolve, reject) => {
      abort = () => reject(signal.reason)
      signal.addEventListener('abort', abort)
      timer = setTimeout(() => reject(new JobFailure('extract.timed_out', TIMED_OUT)), TIMEOUT_MS)
      worker.once('message', resolve)
      worker.once('error', (cause) => reject(new JobFailure('extract.engine_failed', {}, { cause })))
      worker.once('exit', () => reject(new JobFailure('extract.engine_failed')))
    })
    return readAnswer(answer)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    await worker.terminate()
  }
}
const TIMED_OUT = { limit: 'decode_seconds', allowed: TIMEOUT_MS / 1000 }

const readAnswer = (answer: MagickAnswer): readonly MagickPicture[] => {
  if ('pictures' in answer) return answer.pictures
  const more = { cause: new Error(answer.message) }
  switch (answer.problem) {
    case 'pixels':
      throw new JobFailure('extract.limit_exceeded', { limit: 'pixels', maximum: MAX_PIXELS }, more)
    case 'memory':
      throw new JobFailure('extract.limit_exceeded', { limit: 'memory' }, more)
    case 'unreadable':
      throw new JobFailure('extract.source_unreadable', {}, more)
  }
}
