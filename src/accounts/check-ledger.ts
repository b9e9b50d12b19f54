import type { Sql } from '../storage/database.ts'

/** Each query finds what must never be there. */
const INVARIANTS: readonly { name: string; sql: string }[] = [
  {
    name: 'a balance is not the sum of its entries',
    sql: `select coalesce(b.account_id, s.account_id) || '/' || coalesce(b.bucket, s.bucket) as what
      from balances b full join (
        select account_id, bucket,
          sum(case when kind in ('grant', 'release', 'refund') then credits when kind = 'hold' then -credits else 0 end) as available,
          sum(case when kind = 'hold' then credits when kind in ('capture', 'release') then -credits else 0 end) as held
        from ledger_entries group by account_id, bucket
      ) s on s.account_id = b.account_id and s.bucket = b.bucket
      where b.available is distinct from s.available or b.held is distinct from s.held`,
  },
  {
    name: 'a balance is below zero',
    sql: `select account_id || '/' || bucket as what from balances where available < 0 or held < 0`,
  },
  {
    name: 'a settlement differs from its hold',
    sql: `select s.job_id::text as what from ledger_entries s
      left join ledger_entries h on h.job_id = s.job_id and h.bucket = s.bucket and h.kind = 'hold'
      where s.kind in ('capture', 'release') and (h.id is null or h.credits <> s.credits or h.account_id <> s.account_id)`,
  },
  {
    name: 'a job was settled both ways, or only in part',
    sql: `select job_id::text as what from ledger_entries where job_id is not null group by job_id
      having count(distinct kind) filter (where kind in ('capture', 'release')) > 1
        or (count(*) filter (where kind in ('capture', 'release')) not in (0, count(*) filter (where kind = 'hold')))`,
  },
  {
    name: 'a refund has no capture',
    sql: `select r.job_id::text as what from ledger_entries r where r.kind = 'refund' and not exists (
        select 1 from ledger_entries c where c.job_id = r.job_id and c.bucket = r.bucket and c.kind = 'capture' and c.credits = r.credits)`,
  },
  {
    name: 'a job and its entries disagree',
    sql: `select j.id::text as what from jobs j
      left join (
        select job_id, sum(credits) filter (where kind = 'hold') as held, sum(credits) filter (where kind = 'capture') as captured,
          sum(credits) filter (where kind = 'release') as released, sum(credits) filter (where kind = 'refund') as refunded
        from ledger_entries where job_id is not null group by job_id
      ) e on e.job_id = j.id
      where e.held is distinct from j.quoted_credits::bigint
        or coalesce(e.captured, 0) <> j.charged_credits
        or coalesce(e.refunded, 0) <> j.refunded_credits
        or (j.billing = 'released') <> (coalesce(e.released, 0) = j.quoted_credits)
        or (j.billing in ('charged', 'refunded')) <> (coalesce(e.captured, 0) = j.quoted_credits)`,
  },
  {
    name: 'a hold has neither a job nor an end',
    sql: `select h.job_id::text as what from ledger_entries h where h.kind = 'hold'
      and not exists (select 1 from jobs j where j.id = h.job_id)
      and not exists (select 1 from ledger_entries s where s.job_id = h.job_id and s.kind in ('capture', 'release'))`,
  },
]

export type LedgerProblem = { problem: string; found: string[] }

/** Proves the books: every invariant of the ledger, or what breaks it. */
export const checkLedger = async (sql: Sql): Promise<LedgerProblem[]> => {
  const problems: LedgerProblem[] = []
  for (const { name, sql: text } of INVARIANTS) {
    const rows = await sql.query<{ what: string }>(`select what from (${text}) t limit 20`)
    if (rows.length > 0) problems.push({ problem: name, found: rows.map((row) => row.what) })
  }
  return problems
}
