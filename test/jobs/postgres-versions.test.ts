import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { createAccount } from '../../src/accounts/accounts.ts'
import { checkLedger } from '../../src/accounts/check-ledger.ts'
import { createKey } from '../../src/accounts/keys.ts'
import { type Database, migrate, openDatabase } from '../../src/storage/database.ts'
import { chooseAccount } from '../../src/storage/postgres-account.ts'
import { createClient } from '../support/client.ts'
import { TEST_FORMATS } from '../support/paths.ts'
import { startProcess } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'
import { slow } from './deeds.ts'

const run = promisify(execFile)
const SYSTEM_SERVERS = '/usr/lib/postgresql'

type Server = { url: string; stop(): Promise<void> }

const connect = (url: string): Database =>
  openDatabase({ connection: { connectionString: url }, maxConnections: 4, patienceMs: 5000, log: () => undefined })

/** A server of the machine's own, from Debian's packages, on a socket in a folder of its own. */
const startSystemServer = async (bin: string): Promise<Server> => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-postgres-'))
  const { uid, gid } = await chooseAccount(undefined)
  await chmod(folder, 0o700)
  await chown(folder, uid, gid)
  const as = { uid, gid, cwd: '/' }
  const data = join(folder, 'data')
  await run(join(bin, 'initdb'), ['-D', data, '-U', 'quarry', '--auth=trust', '--encoding=UTF8', '--locale=C'], as)
  const settings = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`, '-c', 'fsync=off']
  const server: ChildProcess = spawn(join(bin, 'postgres'), ['-D', data, ...settings], { ...as, stdio: 'ignore' })
  const url = `postgresql://quarry@/postgres?host=${encodeURIComponent(folder)}`
  await waitFor('the server', async () => {
    const probe = connect(url)
    return probe.query('select 1').then(
      () => probe.close().then(() => true),
      () => false,
    )
  })
  return {
    url,
    stop: async () => {
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** An empty database on the embedded server that all tests share. */
const startOnEmbedded = async (): Promise<Server> => {
  const at = (name: string) => `postgresql://quarry@/${name}?host=${encodeURIComponent(inject('postgresSocket'))}`
  const name = `versions_${process.pid}`
  const admin = connect(at('quarry'))
  await admin.script(`create database ${name}`)
  return {
    url: at(name),
    stop: async () => {
      await admin.script(`drop database ${name} with (force)`)
      await admin.close()
    },
  }
}

const found = existsSync(SYSTEM_SERVERS)
  ? readdirSync(SYSTEM_SERVERS).filter((version) => existsSync(join(SYSTEM_SERVERS, version, 'bin/initdb')))
  : []
const SERVERS: [string, () => Promise<Server>][] = [
  [`the embedded server${found.length === 0 ? ' (no other is installed here)' : ''}`, startOnEmbedded],
  ...found
    .filter((version) => Number(version) >= 15)
    .map((version): [string, () => Promise<Server>] => [
      `PostgreSQL ${version}`,
      () => startSystemServer(join(SYSTEM_SERVERS, version, 'bin')),
    ]),
]

test.each(SERVERS)('from an empty database to a paid job on %s', async (_name, start) => {
  const server = await start()
  const folder = await mkdtemp(join(tmpdir(), 'quarry-data-'))
  const env = { DATABASE_URL: server.url, QUARRY_DATA: folder, QUARRY_FORMATS: TEST_FORMATS }
  const service = await startProcess('serve', env)
  const database = connect(server.url)
  try {
    // A second time changes nothing.
    await migrate(database)
    const { id, userId } = await createAccount(database, { name: 'test', plan: 'pro', credits: 10 })
    const { key } = await createKey(database, { accountId: id, userId, name: 'test' })
    const client = createClient(service.base, key)
    const done = await client.extract('notes.txt', 'any server will do\n')
    expect(done).toMatchObject({ status: 'succeeded', billing: 'charged' })
    expect((await client.download(done.id)).status).toBe(200)
    const slowly = await client.submit('deed.mischief', slow(20, 20), {}, { headers: { 'idempotency-key': 'once' } })
    expect((await client.call('POST', `/extract/job/${slowly.body.id}/cancel`)).status).toBe(202)
    expect(await client.extract('empty.deck', '\n')).toMatchObject({ status: 'failed', billing: 'released' })
    expect(await checkLedger(database)).toEqual([])
  } finally {
    await database.close()
    await service.kill('SIGTERM')
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
