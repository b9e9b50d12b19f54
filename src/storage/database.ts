import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

/** Runs SQL: the pool itself, or one transaction of it. */
export type Sql = {
  /** Statement texts are constants of the code, so each is prepared once per connection. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Any text, several statements too, never prepared. */
  script(text: string): Promise<object[]>
}

export type Database = Sql & {
  /** All or nothing. Throws what `work` throws, after the rollback. */
  transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T>
  /** Calls `onMessage` for each NOTIFY on the channel; `onGap` after a reconnect, when some may have been missed. */
  listen(channel: string, onMessage: (payload: string) => void, onGap: () => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

export type DatabaseSettings = {
  connection: pg.PoolConfig
  maxConnections: number
  /** How long a statement waits for a server that does not answer, a restart for example, before it fails. */
  patienceMs: number
  log: (message: string, error: unknown) => void
}

pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Codes and errors that say the server went away, not that the statement was wrong. */
export const isConnectionError = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: string }).code ?? ''
  return (
    /^(?:ECONN|EPIPE|ENOENT|ENOTFOUND|ETIMEDOUT|EAI_)/.test(code) ||
    /^(?:08|53300|57P0)/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/.test(
      error.message,
    )
  )
}

/** True where a unique constraint or index of this name refused a row. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  (error as { code?: string }).code === '23505' &&
  (constraint === undefined || (error as { constraint?: string }).constraint === constraint)

const isDeadlock = (error: unknown): boolean => ['40P01', '40001'].includes((error as { code?: string }).code ?? '')

const RECONNECT_MS = 200

/** Opens the pool. Nothing connects until the first statement. */
export const openDatabase = (settings: DatabaseSettings): Database => {
  const pool = new pg.Pool({
    ...settings.connection,
    max: settings.maxConnections,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
  })
  // An idle connection that breaks is replaced at the next use.
  pool.on('error', (error) => settings.log('database connection lost', error))
  // One that breaks while it is lent out fails its statement; the event beside it would end the process if unheard.
  pool.on('connect', (client) => client.on('error', () => undefined))

  const insist = async <T>(reach: () => Promise<T>): Promise<T> => {
    const giveUpAt = Date.now() + settings.patienceMs
    for (;;) {
      try {
        return await reach()
      } catch (error) {
        if (!isConnectionError(error) || Date.now() > giveUpAt) throw error
        await delay(RECONNECT_MS)
      }
    }
  }

  const statements = new Map<string, string>()
  const run = async <Row extends object>(client: pg.ClientBase, text: string, values: readonly unknown[] = []) => {
    let name = statements.get(text)
    if (name === undefined) {
      name = `q${statements.size}`
      statements.set(text, name)
    }
    const result = await client.query<Row>({ name, text, values: values as unknown[] })
    return result.rows
  }

  const runScript = async (client: pg.ClientBase, text: string): Promise<object[]> => {
    const result = (await client.query(text)) as pg.QueryResult | pg.QueryResult[]
    return Array.isArray(result) ? result.flatMap((one) => one.rows as object[]) : (result.rows as object[])
  }

  // A script may begin a transaction of its own; where it stops half way the connection must not go back inside it.
  const runLoneScript = async (client: pg.ClientBase, text: string): Promise<object[]> => {
    try {
      return await runScript(client, text)
    } catch (error) {
      if (!isConnectionError(error)) await client.query('rollback')
      throw error
    }
  }

  const withClient = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await insist(() => pool.connect())
    let broken: Error | undefined
    try {
      return await work(client)
    } catch (error) {
      if (isConnectionError(error)) broken = error as Error
      throw error
    } finally {
      client.release(broken)
    }
  }

  const transaction = async <T>(work: (tx: Sql) => Promise<T>, triesLeft = 3): Promise<T> => {
    try {
      return await withClient(async (client) => {
        await client.query('begin')
        try {
          const result = await work({
            query: (text, values) => run(client, text, values),
            script: (text) => runScript(client, text),
          })
          await client.query('commit')
          return result
        } catch (error) {
          if (!isConnectionError(error)) await client.query('rollback')
          throw error
        }
      })
    } catch (error) {
      if (isDeadlock(error) && triesLeft > 1) return transaction(work, triesLeft - 1)
      throw error
    }
  }

  const stops = new Set<() => Promise<void>>()
  const listen: Database['listen'] = async (channel, onMessage, onGap) => {
    let stopped = false
    let client: pg.Client | undefined
    const start = async () => {
      const next = new pg.Client({ ...settings.connection, keepAlive: true })
      const lost = (error?: Error) => {
        if (client !== next || stopped) return
        client = undefined
        settings.log(`listening on ${channel} was interrupted`, error)
        void restart()
      }
      next.on('error', lost)
      next.on('end', () => lost())
      next.on('notification', (message) => onMessage(message.payload ?? ''))
      await next.connect()
      try {
        await next.query(`listen ${channel}`)
        if (stopped) throw new Error('stopped meanwhile')
        // Only now: a connection lost before this line is tried again by the caller, and by nobody else.
        client = next
      } catch (error) {
        await next.end().catch(() => undefined)
        throw error
      }
    }
    const restart = async () => {
      while (!stopped) {
        try {
          await start()
          return onGap()
        } catch {
          await delay(RECONNECT_MS)
        }
      }
    }
    const stop = async () => {
      stopped = true
      stops.delete(stop)
      await client?.end().catch(() => undefined)
    }
    stops.add(stop)
    await insist(start)
    return stop
  }

  const close = async () => {
    await Promise.all([...stops].map((stop) => stop()))
    await pool.end()
  }
  return {
    query: (text, values) => withClient((client) => run(client, text, values)),
    script: (text) => withClient((client) => runLoneScript(client, text)),
    transaction: (work) => transaction(work),
    listen,
    close,
  }
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const MIGRATION_LOCK = 7_201_969

/** Brings the schema up to date; several processes may start at once. */
export const migrate = async (database: Database): Promise<void> => {
  const folder = new URL('./migrations/', import.meta.url)
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  await database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await tx.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const applied = new Set((await tx.query<{ name: string }>('select name from migrations')).map((row) => row.name))
    for (const name of files) {
      if (applied.has(name)) continue
      await tx.script(await readFile(new URL(name, folder), 'utf8'))
      await tx.query('insert into migrations (name) values ($1)', [name])
    }
  })
}
