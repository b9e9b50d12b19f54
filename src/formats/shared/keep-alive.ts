import type { Context } from '../../core/catalog.ts'

const SIGN_OF_LIFE_MS = 2_000

/**
 * Tells the watchdog that work goes on which has no measure of its own. Where `maxWorkMs` is given it speaks no longer
 * than that, so that work which does not keep its own limit is left to the watchdog.
 */
export const keepAlive = async <T>(
  context: Context,
  work: () => Promise<T>,
  maxWorkMs = Number.POSITIVE_INFINITY,
): Promise<T> => {
  const untilMs = Date.now() + maxWorkMs
  // Progress never goes back, so none of it is lost.
  const timer = setInterval(() => {
    if (Date.now() < untilMs) context.progress(0)
  }, SIGN_OF_LIFE_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
