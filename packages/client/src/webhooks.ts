import { createHmac, timingSafeEqual } from 'node:crypto'
import { WebhookVerificationError } from './errors.ts'
import { normalizeStatus, readJobRecord, type WebhookEvent } from './records.ts'

/** Headers as `fetch` or Node's server have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const TOLERANCE_SECONDS = 300
const MIN_SECRET_BYTES = 24

/**
 * Checks a webhook by the Standard Webhooks scheme and gives what it says. The payload must be the body as it came, not
 * parsed and written again. Throws `WebhookVerificationError` where it must not be believed.
 */
export const verifyWebhook = (
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { nowMs = Date.now(), toleranceSeconds = TOLERANCE_SECONDS }: { nowMs?: number; toleranceSeconds?: number } = {},
): WebhookEvent => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  // An empty secret would make a signature that anybody can make.
  if (key.length < MIN_SECRET_BYTES) throw new TypeError('The webhook secret is not "whsec_" and base64.')
  const id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const signatures = readHeader(headers, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('The timestamp is not a number of seconds.')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(payload).digest()
  // All are compared: how long it takes does not tell which one was near.
  const isSigned = signatures
    .split(' ')
    .map((one) => {
      const given = Buffer.from(one.startsWith('v1,') ? one.slice(3) : '', 'base64')
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
    .includes(true)
  if (!isSigned) throw new WebhookVerificationError('No signature is of this secret and this payload.')
  // After the signature: only the holder of the secret learns what is wrong with the time.
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError('The webhook is too old, or from the future.')
  }
  return readEvent(payload)
}

const readHeader = (headers: WebhookHeaders, name: string): string => {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const text = typeof value === 'object' && value !== null ? value.join(' ') : value
  if (!text) throw new WebhookVerificationError(`The header ${name} is missing.`)
  return text
}

const readEvent = (payload: string | Uint8Array): WebhookEvent => {
  try {
    const text = typeof payload === 'string' ? payload : new TextDecoder().decode(payload)
    const event = JSON.parse(text) as WebhookEvent
    return { ...event, type: normalizeStatus(event.type), data: readJobRecord(event.data) }
  } catch (cause) {
    throw new WebhookVerificationError('The payload is not that of a job.', cause)
  }
}
