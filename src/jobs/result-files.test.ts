import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { type Blobs, openBlobs } from '../storage/blobs.ts'
import { createResultReader, type ResultFile, type ResultReader } from './result-files.ts'

let folder: string
let blobs: Blobs
let looks = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-result-files-'))
  const store = openBlobs({ kind: 'filesystem', folder })
  blobs = {
    ...store,
    open: (key, range) => {
      looks += 1
      return store.open(key, range)
    },
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Options = { compress?: boolean; forceZip64Format?: boolean }
const putZip = async (key: string, contents: Record<string, string>, options: Options = {}): Promise<number> => {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(contents)) zip.addBuffer(Buffer.from(content), path, options)
  zip.end({ forceZip64Format: options.forceZip64Format ?? false, comment: '' })
  return (await blobs.putStream(key, zip.outputStream as Readable)).bytes
}
const take = async (read: ResultReader, key: string, zipBytes: number, path: string): Promise<ResultFile> => {
  const file = await read(key, zipBytes, path)
  if (!file || file === 'lost') throw new Error(`${path} is ${file ?? 'not there'}`)
  return file
}
const readText = async (file: ResultFile, range?: { start: number; end: number }): Promise<string> =>
  text((await file.open(range)) as Readable)

test('a directory much longer than the window is read with few looks, and once', async () => {
  const names = Array.from({ length: 6_000 }, (_, i) => `frames/a-rather-long-name-of-a-frame-${i}.txt`)
  const contents = Object.fromEntries(names.map((name) => [name, name]))
  const zipBytes = await putZip('results/long', contents, { compress: false })
  const read = createResultReader(blobs)
  looks = 0
  const found = await Promise.all(names.slice(0, 50).map((name) => take(read, 'results/long', zipBytes, name)))
  expect(looks).toBeLessThan(8)
  expect(await readText(found[7] as ResultFile)).toBe(names[7])
  looks = 0
  for (const name of [names[0], names[3_000], names.at(-1)] as string[])
    expect(await readText(await take(read, 'results/long', zipBytes, name))).toBe(name)
  // The header of each, and the file.
  expect(looks).toBe(6)
  expect(await read('results/long', zipBytes, 'frames/none.txt')).toBeUndefined()
})

test.each([true, false])('stored or compressed (%s), with the long records of ZIP64 or without', async (compress) => {
  for (const forceZip64Format of [true, false]) {
    const key = `results/${compress}-${forceZip64Format}`
    const content = 'some text, '.repeat(1000)
    const zipBytes = await putZip(key, { 'a.txt': content, 'empty.txt': '' }, { compress, forceZip64Format })
    const read = createResultReader(blobs)
    const file = await take(read, key, zipBytes, 'a.txt')
    expect([file.bytes, file.isStored]).toEqual([content.length, !compress])
    expect(await readText(file)).toBe(content)
    expect(await readText(await take(read, key, zipBytes, 'empty.txt'))).toBe('')
    const range = { start: 5, end: 14 }
    if (compress) await expect(file.open(range)).rejects.toThrow('no ranges')
    else expect(await readText(file, range)).toBe(content.slice(5, 15))
  }
})

test('only the directories used last are kept', async () => {
  const read = createResultReader(blobs)
  const results: [string, number][] = []
  for (let i = 0; i < 33; i++)
    results.push([`results/small-${i}`, await putZip(`results/small-${i}`, { 'a.txt': String(i) })])
  const countLooks = async (place: number) => {
    looks = 0
    const [key, zipBytes] = results[place] as [string, number]
    await take(read, key, zipBytes, 'a.txt')
    return looks
  }
  for (let i = 0; i < 32; i++) expect(await countLooks(i)).toBe(1)
  expect(await countLooks(0)).toBe(0)
  expect(await countLooks(32)).toBe(1)
  expect([await countLooks(0), await countLooks(32), await countLooks(1)]).toEqual([0, 0, 1])
})

test('a result that is gone is told as such, before and after it was looked into', async () => {
  const read = createResultReader(blobs)
  expect(await read('results/never', 100, 'a.txt')).toBe('lost')
  const zipBytes = await putZip('results/going', { 'a.txt': 'a' })
  const file = await take(read, 'results/going', zipBytes, 'a.txt')
  await blobs.delete('results/going')
  expect(await file.open()).toBeUndefined()
  await putZip('results/never', { 'a.txt': 'a' })
  expect(await readText(await take(read, 'results/never', zipBytes, 'a.txt'))).toBe('a')
})

test('a broken result fails and is read anew', async () => {
  const read = createResultReader(blobs)
  await blobs.putStream(
    'results/broken',
    (async function* () {
      yield Buffer.alloc(1000)
    })(),
  )
  await expect(read('results/broken', 1000, 'a.txt')).rejects.toThrow()
  const zipBytes = await putZip('results/broken', { 'a.txt': 'mended' })
  expect(await readText(await take(read, 'results/broken', zipBytes, 'a.txt'))).toBe('mended')
})
