import type { Sql } from '../storage/database.ts'

/** A delivery as its account sees it: never the secret that signs it, nor what it says. */
export type WebhookDelivery = {
  id: string
  jobId: string
  event: string
  url: string
  state: 'pending' | 'delivered' | 'given_up'
  attempts: number
  lastStatus: number | null
  lastError: string | null
  createdAt: Date
  deliveredAt: Date | null
  nextAttemptAt: Date | null
}

/** The deliveries of an account, the newest first; with `before`, those older than it. */
export const listDeliveries = async (
  sql: Sql,
  accountId: string,
  limit: number,
  before: string | null,
): Promise<WebhookDelivery[]> =>
  sql.query<WebhookDelivery>(
    `select replace(id::text, '-', '') as id, replace(job_id::text, '-', '') as "jobId", event, url, state, attempts,
       last_status as "lastStatus", last_error as "lastError", created_at as "createdAt", delivered_at as "deliveredAt",
       case when state = 'pending' then next_attempt_at end as "nextAttemptAt"
     from webhook_deliveries where account_id = $1 and ($3::uuid is null or id < $3) order by id desc limit $2`,
    [accountId, limit, before],
  )
