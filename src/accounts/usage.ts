import type { Sql } from '../storage/database.ts'

export type Use = { jobs: number; succeeded: number; credits: number }
export type Usage = { days: ({ date: string } & Use)[]; formats: ({ format: string } & Use)[] }

const DAY_MS = 86_400_000
/** Holds of before the format was written on them. */
const UNKNOWN_FORMAT = 'unknown'

/**
 * What an account did in the last days, today among them, by day (UTC) and by format. Told by the ledger alone, so
 * that deleting a job changes nothing. Each job counts on the day it was submitted, with what it cost in the end.
 */
export const readUsage = async (sql: Sql, accountId: string, days: number, now = new Date()): Promise<Usage> => {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const dates = Array.from({ length: days }, (_, i) => toDate(today - (days - 1 - i) * DAY_MS))
  const rows = await sql.query<{ date: string | null; format: string | null } & Use>(
    `with submitted as (
       select job_id, to_char(min(created_at) at time zone 'UTC', 'YYYY-MM-DD') as date,
         coalesce(nullif(min(note), ''), '${UNKNOWN_FORMAT}') as format
       from ledger_entries where account_id = $1 and kind = 'hold' and created_at >= $2 group by job_id
     ), ended as (
       select s.date, s.format, coalesce(sum(e.credits) filter (where e.kind = 'capture'), 0) as captured,
         coalesce(sum(e.credits) filter (where e.kind = 'refund'), 0) as refunded
       from submitted s left join ledger_entries e on e.job_id = s.job_id and e.kind in ('capture', 'refund')
       group by s.job_id, s.date, s.format
     )
     select date, format, count(*) as jobs, count(*) filter (where captured > 0) as succeeded,
       sum(captured - refunded)::bigint as credits
     from ended group by grouping sets ((date), (format))`,
    [accountId, new Date(today - (days - 1) * DAY_MS)],
  )
  const byDate = new Map(rows.map(({ date, jobs, succeeded, credits }) => [date, { jobs, succeeded, credits }]))
  return {
    days: dates.map((date) => ({ date, ...(byDate.get(date) ?? { jobs: 0, succeeded: 0, credits: 0 }) })),
    formats: rows
      .flatMap(({ format, jobs, succeeded, credits }) =>
        format === null ? [] : [{ format, jobs, succeeded, credits }],
      )
      .sort((a, b) => b.credits - a.credits || b.jobs - a.jobs || a.format.localeCompare(b.format)),
  }
}

const toDate = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10)
