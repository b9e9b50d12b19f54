import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../../src/storage/database.ts'

export type TestDatabase = { database: Database; url: string; drop(): Promise<void> }

const connect = (name: string, maxConnections: number): Database =>
  openDatabase({
    connection: { host: inject('postgresSocket'), user: 'quarry', database: name },
    maxConnections,
    patienceMs: 5000,
    log: () => undefined,
  })

/** A database of its own for one test file, cloned from the migrated template. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = connect('quarry', 1)
  await admin.script(`create database ${name} template template_quarry`)
  const database = connect(name, 8)
  return {
    database,
    url: `postgresql://quarry@/${name}?host=${encodeURIComponent(inject('postgresSocket'))}`,
    drop: async () => {
      await database.close()
      await admin.script(`drop database if exists ${name} with (force)`)
      await admin.close()
    },
  }
}
