import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EmbeddedConnection, ensureEmbeddedPostgres, stopEmbeddedPostgres } from './embedded-postgres.ts'

let dataFolder: string
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'quarry-postgres-'))
})
afterEach(async () => {
  await stopEmbeddedPostgres(dataFolder)
  await rm(dataFolder, { recursive: true, force: true })
})

const query = async (connection: EmbeddedConnection, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

const killServer = async (): Promise<void> => {
  const pid = Number.parseInt(await readFile(join(dataFolder, 'postgres/postmaster.pid'), 'utf8'), 10)
  process.kill(pid, 'SIGKILL')
}

const runProcess = async (body: string): Promise<string> => {
  const module = JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)
  const code = `import { ensureEmbeddedPostgres } from ${module}
    const server = await ensureEmbeddedPostgres({ dataFolder: ${JSON.stringify(dataFolder)} })
    ${body}`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output = child.stdout.setEncoding('utf8').toArray()
  await once(child, 'exit')
  return (await output).join('')
}

test('a new server is durable, checked, private and reached by its socket alone', async () => {
  const server = await ensureEmbeddedPostgres({ dataFolder })
  const settings = ['fsync', 'data_checksums', 'listen_addresses', 'server_encoding', 'jit']
  const rows = await query(
    server.connection,
    `select current_user, current_database(), datcollate, ${settings.map((name) => `current_setting('${name}') as ${name}`)}
     from pg_database where datname = current_database()`,
  )
  expect(rows).toEqual([
    {
      current_user: 'quarry',
      current_database: 'quarry',
      datcollate: 'C',
      fsync: 'on',
      data_checksums: 'on',
      listen_addresses: '',
      server_encoding: 'UTF8',
      jit: 'off',
    },
  ])
  expect((await stat(server.connection.host)).mode & 0o777).toBe(0o700)
  expect(await server.stopIfUnused()).toBe(true)
})

test('processes that start at once on a fresh folder share one server, which outlives them', async () => {
  const outputs = await Promise.all([1, 2, 3].map(() => runProcess('console.log(server.connection.host)')))
  expect(new Set(outputs).size).toBe(1)
  const pid = await readFile(join(dataFolder, 'postgres/postmaster.pid'), 'utf8')
  const server = await ensureEmbeddedPostgres({ dataFolder })
  expect(await readFile(join(dataFolder, 'postgres/postmaster.pid'), 'utf8')).toBe(pid)
  expect((await readdir(dataFolder)).filter((name) => name.includes('new'))).toEqual([])
  await server.stopIfUnused()
})

test('a killed server comes back by itself with its data, also past a backend that still computes', async () => {
  const messages: string[] = []
  const server = await ensureEmbeddedPostgres({ dataFolder, log: (message) => messages.push(message) })
  await query(server.connection, 'create table kept as select generate_series(1, 1000) as n')
  void query(server.connection, 'select count(*) from generate_series(1, 2000000000)').catch(() => {})
  await delay(100)
  await killServer()
  const count = async (): Promise<unknown> => {
    try {
      return (await query(server.connection, 'select count(*)::int as n from kept'))[0]?.n
    } catch {
      return undefined
    }
  }
  await expect.poll(count, { timeout: 20_000 }).toBe(1000)
  expect(messages).toContain('The embedded PostgreSQL server went away; bringing it back.')
  await server.stopIfUnused()
})

test('whoever comes after a killed server starts it again', async () => {
  const first = await ensureEmbeddedPostgres({ dataFolder })
  await query(first.connection, 'create table kept as select 1 as n')
  await first.release()
  await killServer()
  const second = await ensureEmbeddedPostgres({ dataFolder })
  expect(await query(second.connection, 'select n from kept')).toEqual([{ n: 1 }])
  await second.stopIfUnused()
})

test('a server that another process uses is not stopped', async () => {
  const first = await ensureEmbeddedPostgres({ dataFolder })
  const second = await ensureEmbeddedPostgres({ dataFolder })
  expect(await first.stopIfUnused()).toBe(false)
  expect(await query(second.connection, 'select 1 as n')).toEqual([{ n: 1 }])
  expect(await second.stopIfUnused()).toBe(true)
})

test('a share ends with its process, and a process that holds one may end', async () => {
  expect(await runProcess('console.log("held")')).toBe('held\n')
  expect(await runProcess('process.kill(process.pid, "SIGKILL")')).toBe('')
  const server = await ensureEmbeddedPostgres({ dataFolder })
  await expect.poll(() => server.stopIfUnused(), { timeout: 5_000 }).toBe(true)
})

test('a lock file with the id of a living stranger does not keep the server from starting', async () => {
  const first = await ensureEmbeddedPostgres({ dataFolder })
  await first.release()
  const path = join(dataFolder, 'postgres/postmaster.pid')
  const lines = await readFile(path, 'utf8')
  await killServer()
  await writeFile(path, lines.replace(/^\d+/, String(process.pid)))
  const second = await ensureEmbeddedPostgres({ dataFolder })
  expect(await query(second.connection, 'select 1 as n')).toEqual([{ n: 1 }])
  await second.stopIfUnused()
})

test('a data folder with a long path gets a short socket', async () => {
  const server = await ensureEmbeddedPostgres({ dataFolder: join(dataFolder, 'long'.repeat(30)) })
  expect(server.connection.host).toMatch(/^\/tmp\/quarry-[0-9a-f]{16}$/)
  expect(await query(server.connection, 'select 1 as n')).toEqual([{ n: 1 }])
  await server.stopIfUnused()
  await rm(server.connection.host, { recursive: true })
})
