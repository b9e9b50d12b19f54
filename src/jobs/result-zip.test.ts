import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamZip, type ZipArtifact } from './result-zip.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-zip-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const artifact = async (path: string, data: Buffer, mediaType = 'text/plain'): Promise<ZipArtifact> => {
  const file = join(folder, createHash('sha1').update(path).digest('hex'))
  await writeFile(file, data)
  return { path, file, bytes: data.length, mediaType, capabilityId: 'text.text' }
}

const openFiles = async () => (await readdir('/proc/self/fd')).length

test('equal artifacts give equal bytes, in any order and any time zone, and unzip agrees', async () => {
  const artifacts = [
    await artifact('text/b.txt', Buffer.from('b'.repeat(100))),
    await artifact('text/ä.txt', Buffer.from('umlaut')),
    await artifact('images/large.png', Buffer.alloc(3_000_000, 7), 'image/png'),
    await artifact('text/large.txt', Buffer.alloc(3_000_000, 'abc')),
  ]
  const make = async (list: ZipArtifact[]) =>
    buffer(streamZip(list, (hashed) => JSON.stringify(hashed.map(({ path, sha256 }) => [path, sha256]))).stream)
  const one = await make(artifacts)
  const zone = process.env.TZ
  process.env.TZ = 'Pacific/Auckland'
  const two = await make([...artifacts].reverse())
  process.env.TZ = zone ?? ''
  expect(two.equals(one)).toBe(true)

  const path = join(folder, 'out.zip')
  await writeFile(path, one)
  expect(execFileSync('unzip', ['-t', path]).toString()).toContain('No errors detected')
  const manifest = JSON.parse(execFileSync('unzip', ['-p', path, 'manifest.json']).toString()) as [string, string][]
  expect(manifest.map(([name]) => name)).toEqual(['images/large.png', 'text/b.txt', 'text/large.txt', 'text/ä.txt'])
  for (const [name, sha256] of manifest) {
    const data = execFileSync('unzip', ['-p', path, name], { maxBuffer: 10_000_000 })
    expect(createHash('sha256').update(data).digest('hex')).toBe(sha256)
  }
  // Stored, not squeezed again.
  expect(execFileSync('unzip', ['-v', path]).toString()).toMatch(/Stored.*images\/large\.png/)
})

test('a file that is gone fails the stream', async () => {
  const gone = { ...(await artifact('text/x.txt', Buffer.from('x'))), file: join(folder, 'gone') }
  const { stream, files } = streamZip([gone], null)
  await expect(buffer(stream)).rejects.toThrow(/ENOENT/)
  await expect(files).rejects.toThrow(/ENOENT/)
})

test('a ZIP that is given up leaves no file open', async () => {
  const large = await artifact('text/huge.txt', Buffer.alloc(8_000_000, 'abc'), 'image/png')
  const before = await openFiles()
  const { stream, files } = streamZip([large], null)
  for await (const _chunk of stream) break
  await expect(files).rejects.toThrow()
  await expect.poll(openFiles).toBe(before)
})
