import type { Context } from '../../../core/catalog.ts'

const SIGN_OF_LIFE_MS = 10_000

/** Tells the watchdog that work goes on which has no measure of its own. */
export const keepAlive = async <T>(context: Context, work: () => Promise<T>): Promise<T> => {
  // Progress never goes back, so none of it is lost.
  const timer = setInterval(() => context.progress(0), SIGN_OF_LIFE_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
