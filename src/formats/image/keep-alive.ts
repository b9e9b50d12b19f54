import type { Context } from '../../core/catalog.ts'

const BEAT_MS = 2_000
/** A little more than the decoders' own limits; one that does not keep them is left to the watchdog. */
const MAX_WORK_MS = 130_000

/** Tells the watchdog that a decoder is at work, for as long as one may take. */
export const keepAlive = async <T>(context: Context, work: Promise<T>): Promise<T> => {
  const untilMs = Date.now() + MAX_WORK_MS
  const timer = setInterval(() => {
    if (Date.now() < untilMs) context.progress(0)
  }, BEAT_MS)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
