import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { loadCatalog } from '../src/formats/index.ts'
import { openQueue } from '../src/jobs/queue.ts'
import { migrate, openDatabase } from '../src/storage/database.ts'
import { ensureEmbeddedPostgres, stopEmbeddedPostgres } from '../src/storage/embedded-postgres.ts'
import { TEST_FORMATS } from './support/paths.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresSocket: string
  }
}

/** One PostgreSQL for all tests, with a template that every test file clones its own database from. */
export default async function setUpPostgres(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-test-'))
  const server = await ensureEmbeddedPostgres({ dataFolder: folder })
  const connect = (name: string) =>
    openDatabase({
      connection: { ...server.connection, database: name },
      maxConnections: 4,
      patienceMs: 5000,
      log: () => undefined,
    })
  const admin = connect(server.connection.database)
  await admin.script('create database template_quarry')
  await admin.close()
  const template = connect('template_quarry')
  await migrate(template)
  const { formats } = await loadCatalog([TEST_FORMATS])
  const pools = [...new Set(formats.map((format) => format.pool))]
  const queue = await openQueue({
    database: template,
    pools,
    heartbeatSeconds: 10,
    jobSeconds: 3600,
    supervise: false,
    log: () => undefined,
  })
  await queue.close()
  await template.close()
  project.provide('postgresSocket', server.connection.host)
  return async () => {
    await server.release()
    await stopEmbeddedPostgres(folder)
    await rm(folder, { recursive: true, force: true })
  }
}
