import { randomBytes } from 'node:crypto'
import type { Sql } from '../storage/database.ts'

const SECRET_BYTES = 32

/** A key that all processes on this database share and that never leaves it; made when first asked for. */
export const readServiceSecret = async (sql: Sql, name: string): Promise<Buffer> => {
  await sql.query('insert into service_secrets (name, value) values ($1, $2) on conflict do nothing', [
    name,
    randomBytes(SECRET_BYTES),
  ])
  const [row] = await sql.query<{ value: Buffer }>('select value from service_secrets where name = $1', [name])
  if (!row) throw new Error(`the secret ${name} is gone`)
  return row.value
}
