import { describe, expect, it } from 'vitest'
import { makeTar, paxPart, type TarPart, tarHeader } from '../archive-fixture.ts'
import { fromStream } from '../byte-source.ts'
import { readTar } from './read-tar.ts'

/** What comes out of these bytes, handed over in small pieces. */
const read = async (bytes: Buffer) => {
  let damages = 0
  const entries: { name: string; kind: string; bytes: number; link: string; content: string }[] = []
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 700) yield bytes.subarray(at, at + 700)
  }
  const source = fromStream(pieces())
  for await (const entry of readTar(source, () => damages++)) {
    const content: Buffer[] = []
    if (entry.kind === 'file') for await (const piece of entry.content()) content.push(Buffer.from(piece))
    const { kind, bytes: size } = entry
    const text = Buffer.concat(content).toString()
    entries.push({ name: entry.name.toString(), kind, bytes: size, link: entry.linkName.toString(), content: text })
  }
  return { damages, entries }
}
const names = async (parts: readonly TarPart[]) => (await read(makeTar(parts))).entries.map(({ name }) => name)
const octal = (value: number) => Buffer.from(`${value.toString(8).padStart(11, '0')}\0`)

describe('readTar', () => {
  it('reads the extended headers of both dialects', async () => {
    const long = `folder/${'x'.repeat(300)}.txt`
    expect(
      await names([
        paxPart({ path: `ü/${'y'.repeat(200)}`, size: '3' }),
        { name: 'short', content: 'abc', rawSize: octal(0) },
        { name: '././@LongLink', type: 'L', content: `${long}\0` },
        { name: 'cut', content: 'hello' },
        { name: 'plain' },
      ]),
    ).toEqual([`ü/${'y'.repeat(200)}`, long, 'plain'])
  })

  it('tells files from links, folders and devices', async () => {
    const { entries } = await read(
      makeTar([
        { name: 'd/', type: '5' },
        { name: 'old-folder/' },
        { name: 'l', type: '2', link: '/etc' },
        { name: 'h', type: '1', link: '../x' },
        { name: 'p', type: '6' },
        { name: 'b', type: '4' },
        { name: 'f', type: '7', content: '1' },
      ]),
    )
    expect(entries.map(({ kind }) => kind).join(' ')).toBe('folder folder link hard-link special special file')
    expect(entries[2]?.link).toBe('/etc')
  })

  it.each([
    ['negative', Buffer.alloc(12, 0xff)],
    ['beyond all numbers', Buffer.from('800000000fffffffffffffff', 'hex')],
    ['no number', Buffer.from('what is this')],
  ])('passes over a header whose size is %s', async (_, rawSize) => {
    const { damages, entries } = await read(
      makeTar([
        { name: 'a', content: '1' },
        { name: 'bad', rawSize },
        { name: 'b', content: '2' },
      ]),
    )
    expect(damages).toBe(1)
    expect(entries.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('holds no extended header of any length in memory', async () => {
    const header = tarHeader({ name: 'x', type: 'x', rawSize: octal(2_000_000) })
    const { damages, entries } = await read(
      Buffer.concat([header, Buffer.alloc(2_000_384), makeTar([{ name: 'after' }])]),
    )
    expect(damages).toBe(1)
    expect(entries.map(({ name }) => name)).toEqual(['after'])
  })

  it.each([
    ['no tar', Buffer.from('x'.repeat(600)), 'not-tar'],
    ['one that ends in a file', makeTar([{ name: 'a', content: 'y'.repeat(900) }]).subarray(0, 800), 'truncated'],
  ])('refuses %s', async (_, bytes, reason) => {
    await expect(read(bytes)).rejects.toMatchObject({ params: { reason } })
  })

  describe('fills the holes of a sparse file', () => {
    const expected = `${'\0'.repeat(1_000)}middle${'\0'.repeat(494)}`
    const both = { name: 'sparse', content: 'middle' }
    it('with the old map', async () => {
      const patch = { 386: octal(1_000), 398: octal(6), 410: octal(1_500), 422: octal(0), 483: octal(1_500) }
      const { entries } = await read(makeTar([{ ...both, type: 'S', patch }]))
      expect(entries).toMatchObject([{ bytes: 1_500, content: expected }])
    })
    it('with the map in the header', async () => {
      const records = { 'GNU.sparse.size': '1500', 'GNU.sparse.map': '1000,6,1500,0', 'GNU.sparse.name': 'real' }
      const { entries } = await read(makeTar([paxPart(records), both]))
      expect(entries).toMatchObject([{ name: 'real', bytes: 1_500, content: expected }])
    })
    it('with the map in the content', async () => {
      const records = { 'GNU.sparse.major': '1', 'GNU.sparse.minor': '0', 'GNU.sparse.realsize': '1500' }
      const map = Buffer.alloc(512)
      map.write('2\n1000\n6\n1500\n0\n')
      const content = Buffer.concat([map, Buffer.from('middle')])
      const { entries } = await read(makeTar([paxPart(records), { name: 's', content }, { name: 'next' }]))
      expect(entries).toMatchObject([{ bytes: 1_500, content: expected }, { name: 'next' }])
    })
  })
})
