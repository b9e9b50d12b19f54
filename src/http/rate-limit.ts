export type RateState = { allowed: boolean; limitPerMinute: number; remaining: number; resetSeconds: number }
export type RateLimiter = { count(who: string, nowMs?: number): RateState }

const WINDOW_MS = 60_000

/** Counts requests in windows of a minute, in this process: a fleet of APIs allows the sum of its members. */
export const createRateLimiter = (limitPerMinute: number): RateLimiter => {
  let windowStartMs = 0
  let counts = new Map<string, number>()
  return {
    count: (who, nowMs = Date.now()) => {
      if (nowMs - windowStartMs >= WINDOW_MS) {
        windowStartMs = nowMs - (nowMs % WINDOW_MS)
        counts = new Map()
      }
      const used = (counts.get(who) ?? 0) + 1
      counts.set(who, used)
      return {
        allowed: used <= limitPerMinute,
        limitPerMinute,
        remaining: Math.max(0, limitPerMinute - used),
        resetSeconds: Math.max(1, Math.ceil((windowStartMs + WINDOW_MS - nowMs) / 1000)),
      }
    },
  }
}
