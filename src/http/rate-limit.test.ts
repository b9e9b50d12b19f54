import { expect, test } from 'vitest'
import { createRateLimiter } from './rate-limit.ts'

test('each caller has its own count, and a new one each minute', () => {
  const limiter = createRateLimiter(2)
  const at = 1_700_000_000_000
  expect(limiter.count('a', at)).toMatchObject({ allowed: true, remaining: 1 })
  expect(limiter.count('a', at)).toMatchObject({ allowed: true, remaining: 0 })
  const refused = limiter.count('a', at)
  expect(refused.allowed).toBe(false)
  expect(refused.resetSeconds).toBeGreaterThan(0)
  expect(limiter.count('b', at).allowed).toBe(true)
  expect(limiter.count('a', at + refused.resetSeconds * 1000).allowed).toBe(true)
})
