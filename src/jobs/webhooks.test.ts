import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { signWebhook } from './webhooks.ts'

test('the signature is that of the Standard Webhooks scheme', () => {
  const key = Buffer.alloc(32, 3)
  const headers = signWebhook('msg_1', `whsec_${key.toString('base64')}`, '{"a":1}', 1_700_000_000)
  const expected = createHmac('sha256', key).update('msg_1.1700000000.{"a":1}').digest('base64')
  expect(headers).toEqual({
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1700000000',
    'webhook-signature': `v1,${expected}`,
  })
})
