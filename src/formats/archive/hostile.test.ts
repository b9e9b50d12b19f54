import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { splitFileName } from '../../core/artifact-names.ts'
import { buildCatalog, type Capability } from '../../core/catalog.ts'
import type { JobFailure } from '../../core/errors.ts'
import textFormat from '../text/format.ts'
import { makeIso, makeRar, makeTar, makeZip, tarHeader } from './archive-fixture.ts'
import archive from './format.ts'

const folder = await mkdtemp(join(tmpdir(), 'hostile-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const catalog = buildCatalog([archive, textFormat])

type Outcome = { paths: string[]; warnings: string[]; failure?: Pick<JobFailure, 'code' | 'params'> }

/** Runs one capability on these bytes. */
const run = async (what: string, name: string, bytes: Buffer, options: object = {}): Promise<Outcome> => {
  // A folder for each: programs look for further volumes beside a file.
  const place = await mkdtemp(join(folder, 'case-'))
  const scratch = await mkdtemp(join(place, 'scratch-'))
  const path = join(place, `source.${splitFileName(name).extension}`)
  await writeFile(path, bytes)
  const capability = archive.capabilities.find(({ id }) => id === `archive.${what}`) as Capability
  const defaults = Object.entries(capability.options).map(([id, { defaultValue }]) => [id, defaultValue])
  const outcome: Outcome = { paths: [], warnings: [] }
  const source = { path, name, extension: splitFileName(name).extension, bytes: bytes.length }
  const context = {
    signal: new AbortController().signal,
    selected: new Set([capability.id]),
    catalog,
    scratch,
    progress: () => {},
    warn: (code: string) => outcome.warnings.push(code),
  }
  try {
    const values = { ...Object.fromEntries(defaults), ...options }
    for await (const artifact of capability.extract(source, values as never, context)) outcome.paths.push(artifact.path)
  } catch (error) {
    const { code, params } = error as JobFailure
    if (!code) throw error
    outcome.failure = { code, params }
  }
  // Everything that was unpacked on the way is gone.
  expect(await readdir(scratch)).toEqual([])
  return outcome
}
const exceeded = (limit: string) => ({ code: 'extract.limit_exceeded', params: { limit } })
const unreadable = (reason: string) => ({ code: 'extract.source_unreadable', params: { reason } })

const ZEROS = Buffer.alloc(96 * 1_048_576)

describe('bombs', () => {
  it.each([
    ['gzip', 'bomb.gz', () => repeat(gzipSync(ZEROS, { level: 1 }), 3)],
    [
      'a tar in gzip',
      'bomb.tgz',
      () => {
        const header = tarHeader({ name: 'a', rawSize: Buffer.from('100000000000') })
        return Buffer.concat([gzipSync(header), repeat(gzipSync(ZEROS, { level: 1 }), 3)])
      },
    ],
    ['zstd', 'bomb.zst', () => repeat(zstdCompressSync(ZEROS), 3)],
  ])('stops %s as soon as the ratio shows', async (_, name, make) => {
    expect((await run('listing', name, make())).failure).toMatchObject(exceeded('archiveRatio'))
  })

  it('believes a directory that says too much', async () => {
    const bytes = makeZip([{ name: 'a.bin', content: 'x', bytes: 4_000_000_000 }])
    expect((await run('files', 'big.zip', bytes)).failure).toMatchObject(exceeded('archiveRatio'))
    expect((await run('listing', 'big.zip', bytes)).failure).toBeUndefined()
  })

  it('counts what archives inside say', async () => {
    const inner = makeZip([{ name: 'a.bin', content: 'x', bytes: 4_000_000_000 }])
    const bytes = makeZip([{ name: '0.zip', content: inner }])
    expect((await run('files', 'nested.zip', bytes, { depth: 1 })).failure).toMatchObject(exceeded('archiveRatio'))
  })

  it('opens archives only so deep, and each level once', async () => {
    let bytes = makeZip([{ name: 'end.txt', content: 'end' }])
    for (let i = 0; i < 6; i++)
      bytes = makeZip([
        { name: '0.zip', content: bytes },
        { name: '1.zip', content: bytes },
      ])
    const { paths, warnings } = await run('text', 'deep.zip', bytes, { depth: 3 })
    expect(paths).toEqual([])
    expect(warnings).toEqual(['archive.nested_too_deep'])
  })

  it('opens only so many archives', async () => {
    const inner = makeZip([{ name: 'a.txt', content: 'a' }])
    const bytes = makeZip(Array.from({ length: 1_100 }, (_, i) => ({ name: `${i}.zip`, content: inner })))
    const { paths, warnings } = await run('files', 'many.zip', bytes, { depth: 1, exclude: '*.txt' })
    expect(paths).toHaveLength(100)
    expect(warnings).toEqual(['archive.nested_too_deep'])
  })

  it('refuses more members than a listing may have', async () => {
    const block = Buffer.concat(Array.from({ length: 1_000 }, (_, i) => tarHeader({ name: `f${i}` })))
    const bytes = gzipSync(Buffer.concat(Array.from({ length: 101 }, () => block)), { level: 1 })
    expect((await run('listing', 'million.tgz', bytes)).failure).toMatchObject(exceeded('archiveEntries'))
  })

  it('does not fill the holes of a file without end', async () => {
    const patch = {
      398: octal(0),
      482: Buffer.alloc(1),
      483: Buffer.from('80000000000010000000000000', 'hex').subarray(0, 12),
    }
    const bytes = makeTar([{ name: 'sparse', type: 'S', content: '', patch }])
    expect((await run('files', 'sparse.tar', bytes)).failure).toMatchObject(exceeded('archiveBytes'))
  })

  it.each([
    [
      '7z',
      'a.7z',
      '377abcaf271c0004e6154d330d0000000000000044000000000000002cf26f04003a1a4a20c2cc9e9d911d00000104060001090d00070b01000123030101055dffffffff0c1400080a01aae96d10000005011906000000000000111300740069006e0079002e0074007800740000000000',
      exceeded('memory'),
    ],
    [
      'xz',
      'a.xz',
      'fd377a585a0000016922de360200210128000000e6a011b3e003e7000b5d0030effbbffea3b0b9a65600000003da389a000123e807000000e2171ec73e300d8b020000000001595a',
      unreadable('compression'),
    ],
    ['zstd', 'a.zst', '28b52ffd00a8010000', exceeded('memory')],
  ])('gives no dictionary of gigabytes to %s', async (_, name, hex, failure) => {
    expect((await run('files', name, Buffer.from(hex, 'hex'))).failure).toMatchObject(failure)
  })
})

describe('names and links', () => {
  it('writes nothing through a link, and nothing outside', async () => {
    const outcome = await run(
      'files',
      'links.tar',
      makeTar([
        { name: 'out', type: '2', link: folder },
        { name: 'out/pwned.txt', content: 'pwned' },
        { name: 'hard', type: '1', link: '../../etc/passwd' },
        { name: 'device', type: '3' },
        { name: `${folder}/absolute.txt`, content: 'x' },
        { name: '../up.txt', content: 'x' },
      ]),
    )
    expect(outcome.paths).toEqual(['files/out/pwned.txt'])
    expect(outcome.warnings.sort()).toEqual(['archive.not_a_file', 'archive.unsafe_name'])
    expect((await readdir(folder)).filter((name) => /pwned|absolute|up/.test(name))).toEqual([])
  })

  it('takes the separators of Windows only from Windows', async () => {
    const { paths } = await run(
      'files',
      'windows.zip',
      makeZip([
        { name: 'folder\\a.txt', content: 'a', system: 0 },
        { name: '..\\up.txt', content: 'b', system: 0 },
      ]),
    )
    expect(paths).toEqual(['files/folder/a.txt'])
  })

  it('shortens names and folders without end, and keeps them apart', async () => {
    const { paths } = await run(
      'files',
      'long.zip',
      makeZip([
        { name: `${'n'.repeat(60_000)}.txt`, content: '1' },
        { name: `${'n'.repeat(60_000)}.TXT`, content: '2' },
        { name: `${'d/'.repeat(5_000)}x.txt`, content: '3' },
      ]),
    )
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(3)
    expect(Math.max(...paths.map((path) => path.length))).toBeLessThan(250)
  })
})

describe('damage', () => {
  it('leaves out an entry that is larger than it says', async () => {
    const bytes = makeZip([
      { name: 'a.txt', content: '0'.repeat(100_000), bytes: 10 },
      { name: 'b.txt', content: 'b' },
    ])
    expect(await run('files', 'lying.zip', bytes)).toMatchObject({
      paths: ['files/b.txt'],
      warnings: ['archive.member_damaged'],
    })
  })

  it('refuses entries that overlap', async () => {
    const bytes = makeZip([
      { name: 'a', content: '1' },
      { name: 'b', content: '2' },
    ])
    bytes.writeUInt32LE(0, bytes.lastIndexOf('PK\x01\x02', undefined, 'latin1') + 42)
    expect((await run('listing', 'overlap.zip', bytes)).failure).toMatchObject(unreadable('overlap'))
  })

  it('gives an entry that fails its checksum, and says so', async () => {
    const bytes = makeZip([{ name: 'a.txt', content: 'content', method: 0 }])
    bytes.write('C', bytes.indexOf('content'))
    expect(await run('files', 'flipped.zip', bytes)).toMatchObject({
      paths: ['files/a.txt'],
      warnings: ['archive.member_cut'],
    })
  })

  it('finds the entries of a ZIP archive that has lost its directory', async () => {
    const bytes = makeZip([
      { name: 'a.txt', content: 'alpha' },
      { name: 'b.txt', content: 'beta' },
    ])
    const cut = bytes.subarray(0, bytes.indexOf('PK\x01\x02', undefined, 'latin1'))
    expect(await run('files', 'cut.zip', cut)).toMatchObject({
      paths: ['files/a.txt', 'files/b.txt'],
      warnings: ['archive.damaged'],
    })
  })

  it('takes the good members of a RAR archive that is cut off, and tells of other volumes', async () => {
    const parts = [
      { name: 'a.txt', content: 'alpha' },
      { name: 'b.txt', content: 'beta'.repeat(100) },
    ]
    const bytes = makeRar(parts, { isVolume: true })
    const { paths, warnings } = await run('files', 'cut.rar', bytes.subarray(0, -300))
    expect(paths).toContain('files/a.txt')
    expect(warnings).toContain('archive.one_of_several')
  })

  it('reads a disc image', async () => {
    expect((await run('files', 'disc.iso', makeIso('README.TXT;1', 'hello'))).paths).toEqual(['files/README.TXT'])
  })

  it.each([
    ['a.7z', Buffer.from('377abcaf271c0004', 'hex')],
    ['a.rar', Buffer.from('526172211a0701000000', 'hex')],
    ['a.cab', Buffer.from('4d53434600000000ffffffff', 'hex')],
    ['a.gz', Buffer.from('1f8b0800', 'hex')],
    ['a.bz2', Buffer.from('425a6839314159265359ffff', 'hex')],
    ['a.tar', Buffer.alloc(10_000)],
    ['a.iso', Buffer.alloc(40_000)],
  ])('says that the stump %s cannot be read', async (name, bytes) => {
    expect((await run('listing', name, bytes)).failure).toMatchObject({ code: 'extract.source_unreadable' })
  })
})

describe('encryption', () => {
  const encrypted = { name: 'secret.txt', content: 'x'.repeat(20), flags: 1 }
  it('warns of members that are encrypted among others', async () => {
    const bytes = makeZip([encrypted, { name: 'open.txt', content: 'open' }])
    expect(await run('files', 'some.zip', bytes)).toMatchObject({
      paths: ['files/open.txt'],
      warnings: ['archive.member_encrypted'],
    })
  })

  it('fails where all are, but lists them', async () => {
    const bytes = makeZip([encrypted])
    expect((await run('files', 'all.zip', bytes)).failure).toMatchObject({ code: 'extract.source_encrypted' })
    expect((await run('files', 'all.zip', bytes, { password: 'no' })).failure).toMatchObject({
      code: 'extract.source_encrypted',
    })
    expect((await run('listing', 'all.zip', bytes)).failure).toBeUndefined()
  })
})

it('names the program that is not installed', async () => {
  const path = process.env.PATH
  process.env.PATH = '/nowhere'
  try {
    const { failure } = await run('listing', 'a.rar', makeRar([{ name: 'a.txt', content: 'a' }]))
    expect(failure).toMatchObject({ code: 'extract.engine_failed', params: { tool: 'unar' } })
  } finally {
    process.env.PATH = path
  }
})

function repeat(bytes: Buffer, times: number): Buffer {
  return Buffer.concat(Array.from({ length: times }, () => bytes))
}
function octal(value: number): Buffer {
  return Buffer.from(`${value.toString(8).padStart(11, '0')}\0`)
}
