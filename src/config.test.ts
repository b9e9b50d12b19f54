import { expect, test } from 'vitest'
import { ConfigError, describeConfig, readConfig } from './config.ts'

test('an empty environment is a working configuration', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    retentionMinutes: 60,
    databaseUrl: '',
    isolation: 'auto',
    s3ForcePathStyle: true,
  })
  expect(readConfig({ PORT: '' }).port).toBe(3000)
})

test('plans and prices are changed in part', () => {
  const { plans, prices } = readConfig({
    QUARRY_PLANS: '{"pro":{"maxFileSizeMb":4096}}',
    QUARRY_PRICES: '{"families":{"text":[{"metric":"megabytes","per":10}]}}',
  })
  expect(plans.pro).toMatchObject({ maxFileSizeMb: 4096, maxParallelJobs: 6 })
  expect(plans.free.maxFileSizeMb).toBe(50)
  expect(prices.families?.text).toEqual([{ metric: 'megabytes', per: 10 }])
})

test('every wrong setting is named at once', () => {
  const wrong = { PORT: 'http', QUARRY_PLANS: '{"gold":{}}', QUARRY_SANDBOX: 'jail', QUARRY_PRICES: '{' }
  const message = (() => {
    try {
      return String(readConfig(wrong))
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError)
      return (error as Error).message
    }
  })()
  for (const variable of Object.keys(wrong)) expect(message).toContain(variable)
})

test('secrets are not shown', () => {
  const shown = JSON.stringify(describeConfig({ DATABASE_URL: 'postgresql://user:secret@host/db', PORT: '80' }))
  expect(shown).not.toContain('secret@')
  expect(shown).toContain('"80"')
})
