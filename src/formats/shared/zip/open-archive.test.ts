import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { zipParts } from '../ooxml/office-fixture.ts'
import { ARCHIVE_LIMITS, type Archive, type ArchiveLimits, openArchive } from './open-archive.ts'

const folder = await mkdtemp(join(tmpdir(), 'archive-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

let count = 0
const open = async (bytes: Buffer, limits?: Partial<ArchiveLimits>): Promise<Archive> => {
  const path = join(folder, `${count++}.zip`)
  await writeFile(path, bytes)
  return await openArchive(path, { ...ARCHIVE_LIMITS, ...limits })
}
const readAll = async (archive: Archive, name: string): Promise<{ whole: string; streamed: string }> => {
  const entry = archive.find(name)
  if (!entry) throw new Error(`no ${name}`)
  const pieces: Buffer[] = []
  for await (const piece of archive.stream(entry)) pieces.push(piece)
  return { whole: (await archive.read(entry, 1e6)).toString(), streamed: Buffer.concat(pieces).toString() }
}

const CENTRAL = Buffer.from('504b0102', 'hex')
const LOCAL = Buffer.from('504b0304', 'hex')
const END = Buffer.from('504b0506', 'hex')
/** Where the directory describes its nth entry. */
const recordAt = (bytes: Buffer, index: number): number => {
  let at = bytes.indexOf(CENTRAL)
  for (let i = 0; i < index; i++) at = bytes.indexOf(CENTRAL, at + 4)
  return at
}
const failure = (reason: string) => ({ code: 'extract.source_unreadable', params: { reason } })

describe('openArchive', () => {
  it('gives whole and streamed content, finds names whatever their case, and keeps the last of a name', async () => {
    const archive = await open(await zipParts({ 'a/One.txt': 'first', 'two.txt': 'x'.repeat(300_000) }))
    expect(archive.entries.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['a/One.txt', 5],
      ['two.txt', 300_000],
    ])
    expect(await readAll(archive, 'A/one.TXT')).toEqual({ whole: 'first', streamed: 'first' })
    expect((await readAll(archive, 'two.txt')).streamed).toHaveLength(300_000)
    archive.close()
  })

  it('reads an archive that something was appended to', async () => {
    const archive = await open(Buffer.concat([await zipParts({ 'a.txt': 'still here' }), Buffer.from('\r\n\r\n')]))
    expect((await readAll(archive, 'a.txt')).whole).toBe('still here')
    archive.close()
  })

  it.each([
    ['../evil.txt', false],
    ['/etc/passwd', false],
    ['C:/windows', false],
    ['a/../../b', false],
    ['a/..b/c..', true],
  ])('tells whether %s stays inside', async (name, isSafe) => {
    const bytes = await zipParts({ ['x'.repeat(name.length)]: 'content' })
    const patched = Buffer.from(bytes)
    for (let at = patched.indexOf('x'.repeat(name.length)); at >= 0; at = patched.indexOf('x'.repeat(name.length))) {
      patched.write(name, at)
    }
    const archive = await open(patched)
    expect(archive.entries.map((entry) => [entry.name, entry.isSafe])).toEqual([[name, isSafe]])
    archive.close()
  })

  it.each([
    ['fewer', -1],
    ['more', 1],
  ])('refuses an entry that says it has %s bytes than it has', async (_, difference) => {
    const bytes = await zipParts({ 'a.txt': 'abc'.repeat(100) })
    bytes.writeUInt32LE(300 + difference, recordAt(bytes, 0) + 24)
    const archive = await open(bytes)
    const entry = archive.find('a.txt')
    if (!entry) throw new Error('no entry')
    await expect(archive.read(entry, 1e6)).rejects.toMatchObject(failure('entry-size'))
    await expect(readAll(archive, 'a.txt')).rejects.toMatchObject(failure('entry-size'))
    archive.close()
  })

  it('refuses entries that overlap', async () => {
    const bytes = await zipParts({ 'a.txt': 'one', 'b.txt': 'two' })
    bytes.writeUInt32LE(0, recordAt(bytes, 1) + 42)
    await expect(open(bytes)).rejects.toMatchObject(failure('overlap'))
  })

  it('refuses too many entries, too many bytes and too high a ratio before it unpacks anything', async () => {
    const bytes = await zipParts({ 'a.txt': 'one', 'b.txt': 'two' })
    const exceeded = (limit: string) => ({ code: 'extract.limit_exceeded', params: { limit } })
    await expect(open(bytes, { entries: 1 })).rejects.toMatchObject(exceeded('archiveEntries'))
    await expect(open(bytes, { totalBytes: 5 })).rejects.toMatchObject(exceeded('archiveBytes'))
    bytes.writeUInt32LE(100 * 1024 ** 2, recordAt(bytes, 0) + 24)
    await expect(open(bytes)).rejects.toMatchObject(exceeded('archiveRatio'))
  })

  it('refuses an entry over the limit of its reader', async () => {
    const archive = await open(await zipParts({ 'a.txt': 'longer than allowed' }))
    const entry = archive.find('a.txt')
    if (!entry) throw new Error('no entry')
    await expect(archive.read(entry, 5)).rejects.toMatchObject({ params: { limit: 'entryBytes', maximum: 5 } })
    archive.close()
  })

  it('refuses encrypted entries', async () => {
    const bytes = await zipParts({ 'a.txt': 'secret' })
    bytes.writeUInt16LE(bytes.readUInt16LE(recordAt(bytes, 0) + 8) | 1, recordAt(bytes, 0) + 8)
    const archive = await open(bytes)
    await expect(readAll(archive, 'a.txt')).rejects.toMatchObject({ code: 'extract.source_encrypted' })
    archive.close()
  })

  it.each<[string, (bytes: Buffer) => Buffer, string]>([
    ['no archive', () => Buffer.from('just text'), 'not-zip'],
    ['one without its end', (bytes) => bytes.subarray(0, bytes.indexOf(END)), 'not-zip'],
    [
      'one whose directory is garbage',
      (bytes) => bytes.fill(0x2a, recordAt(bytes, 0), recordAt(bytes, 0) + 4),
      'archive',
    ],
  ])('refuses %s', async (_, damage, reason) => {
    const bytes = damage(await zipParts({ 'a.txt': 'content' }))
    await expect(open(bytes)).rejects.toMatchObject(failure(reason))
  })

  it('refuses content that is damaged', async () => {
    const bytes = await zipParts({ 'a.txt': 'some content that is deflated, deflated, deflated' })
    bytes.fill(0xff, bytes.indexOf(LOCAL) + 36, bytes.indexOf(LOCAL) + 44)
    const archive = await open(bytes)
    await expect(readAll(archive, 'a.txt')).rejects.toMatchObject({ code: 'extract.source_unreadable' })
    archive.close()
  })
})
