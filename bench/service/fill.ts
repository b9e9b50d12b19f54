import { newId } from '../../src/core/ids.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { ensureEmbeddedPostgres } from '../../src/storage/embedded-postgres.ts'

/** Adds finished, charged jobs of the first account, entries in the ledger included, until there are `count`. */
export const fillWithFinishedJobs = async (dataFolder: string, count: number): Promise<number> => {
  const server = await ensureEmbeddedPostgres({ dataFolder })
  const database = openDatabase({
    connection: server.connection,
    maxConnections: 2,
    patienceMs: 5000,
    log: () => undefined,
  })
  try {
    const [row] = await database.query<{ have: number; model: string }>(
      `select count(*) as have, (select id from jobs where state = 'succeeded' limit 1) as model from jobs`,
    )
    const missing = count - (row?.have ?? 0)
    for (let left = missing; left > 0; left -= 5000) {
      const ids = Array.from({ length: Math.min(left, 5000) }, () => newId())
      await database.transaction(async (tx) => {
        await tx.query(
          `insert into jobs (id, account_id, state, billing, workflow, pool, family, category, format, file_name, source_name,
             source_sha256, metrics, plan, quoted_credits, charged_credits, fair_tag, attempt, progress_percent, output, created_at, started_at, finished_at)
           select i, account_id, state, billing, workflow, pool, family, category, format, file_name, source_name, source_sha256,
             metrics, plan, quoted_credits, charged_credits, fair_tag, attempt, progress_percent, output, created_at, started_at, finished_at
           from jobs, unnest($2::uuid[]) i where id = $1`,
          [row?.model, ids],
        )
        const entry = (kind: string, source: string) =>
          tx.query(
            `insert into ledger_entries (account_id, bucket, kind, credits, job_id) select account_id, 'plan', '${kind}', quoted_credits, id from jobs where id = any($1::uuid[]) ${source}`,
            [ids],
          )
        await tx.query(
          `insert into ledger_entries (account_id, bucket, kind, credits, note) select account_id, 'plan', 'grant', $2::int, 'bench' from jobs where id = $1`,
          [row?.model, ids.length],
        )
        await entry('hold', '')
        await entry('capture', '')
      })
    }
    await database.script('vacuum analyze')
    const [after] = await database.query<{ have: number }>('select count(*) as have from jobs')
    return after?.have ?? 0
  } finally {
    await database.close()
    await server.release()
  }
}
