import { createHmac } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import type { Logger } from 'pino'
import type { Database } from '../storage/database.ts'
import { WEBHOOK_CHANNEL } from './settle.ts'
import { publicLookup, webhookUrlProblem } from './webhook-address.ts'

type Delivery = { id: string; url: string; secret: string; body: string; attempts: number; job_id: string }
type Context = { database: Database; allowPrivate: boolean; version: string; log: Logger }

/** Waits before each further try, in seconds: some ten hours in all. */
export const RETRY_SECONDS = [5, 30, 120, 600, 1800, 7200, 28_800] as const
const LEASE_SECONDS = 60
const TIMEOUT_MS = 15_000
const POLL_MS = 2000
const AT_ONCE = 8

/** The headers of the Standard Webhooks scheme over a body. */
export const signWebhook = (
  id: string,
  secret: string,
  body: string,
  timestampSeconds: number,
): Record<string, string> => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(timestampSeconds), 'webhook-signature': `v1,${signature}` }
}

/** Delivers what `settle` wrote down, at least once, until the receiver answers 2xx or the tries are used up. */
export const startWebhooks = async (context: Context): Promise<{ stop(): Promise<void> }> => {
  let stopping = false
  let busy: Promise<void> | undefined
  const work = () => {
    busy ??= deliverDue(context, () => stopping)
      .catch((error) => context.log.warn({ err: error }, 'webhooks could not be read'))
      .finally(() => (busy = undefined))
    return busy
  }
  const stopListening = await context.database.listen(
    WEBHOOK_CHANNEL,
    () => void work(),
    () => void work(),
  )
  const timer = setInterval(work, POLL_MS)
  void work()
  return {
    stop: async () => {
      stopping = true
      clearInterval(timer)
      await stopListening()
      await busy
    },
  }
}

const deliverDue = async (context: Context, isStopping: () => boolean): Promise<void> => {
  while (!isStopping()) {
    // Taking a delivery moves its next try past the lease: a process that dies with it loses nothing.
    const due = await context.database.query<Delivery>(
      `update webhook_deliveries set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $1)
       where id in (select id from webhook_deliveries where state = 'pending' and next_attempt_at <= now()
         order by next_attempt_at limit $2 for update skip locked)
       returning id, url, secret, body, attempts, job_id`,
      [LEASE_SECONDS, AT_ONCE],
    )
    if (due.length === 0) return
    await Promise.all(due.map((delivery) => deliver(context, delivery)))
  }
}

const deliver = async ({ database, allowPrivate, version, log }: Context, delivery: Delivery): Promise<void> => {
  const result = await post(delivery, allowPrivate, version).catch((error: Error) => ({
    status: null,
    error: error.message,
  }))
  if (result.status !== null && result.status >= 200 && result.status < 300) {
    await database.query(
      `update webhook_deliveries set state = 'delivered', delivered_at = now(), last_status = $2, last_error = null, secret = '' where id = $1`,
      [delivery.id, result.status],
    )
    return
  }
  const wait = RETRY_SECONDS[delivery.attempts - 1]
  const error = result.status === null ? result.error : `answered ${result.status}`
  log.info(
    { jobId: delivery.job_id, attempt: delivery.attempts, reason: error, again: wait !== undefined },
    'webhook not delivered',
  )
  await database.query(
    `update webhook_deliveries set state = $2, secret = case when $2 = 'given_up' then '' else secret end, next_attempt_at = now() + make_interval(secs => $3), last_status = $4, last_error = $5 where id = $1`,
    [
      delivery.id,
      wait === undefined ? 'given_up' : 'pending',
      (wait ?? 0) * (1 + Math.random() * 0.2),
      result.status,
      error,
    ],
  )
}

const post = async (
  delivery: Delivery,
  allowPrivate: boolean,
  version: string,
): Promise<{ status: number | null; error: string }> => {
  const problem = webhookUrlProblem(delivery.url, allowPrivate)
  if (problem) throw new Error(`the URL ${problem}`)
  const id = `msg_${delivery.id.replaceAll('-', '')}`
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(delivery.body)),
    'user-agent': `Quarry/${version}`,
    ...signWebhook(id, delivery.secret, delivery.body, Math.floor(Date.now() / 1000)),
  }
  const { request } = delivery.url.startsWith('https:') ? https : http
  return new Promise((resolve, reject) => {
    // No redirect is followed, no connection kept, and the answer's body is not read.
    const outgoing = request(
      delivery.url,
      {
        method: 'POST',
        headers,
        agent: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(allowPrivate ? {} : { lookup: publicLookup as never }),
      },
      (answer) => {
        resolve({ status: answer.statusCode ?? null, error: '' })
        answer.destroy()
      },
    )
    outgoing.once('error', reject)
    outgoing.end(delivery.body)
  })
}
