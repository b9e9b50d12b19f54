import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context, Source } from '../../core/catalog.ts'
import { decodeText, normalizeNewlines, readLines } from './decode.ts'
import { findEncoding } from './encoding.ts'
import { CHUNK_BYTES } from './read-chunks.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decode-'))
})
afterAll(() => rm(folder, { recursive: true }))

const context: Context = {
  signal: new AbortController().signal,
  selected: new Set(),
  scratch: '',
  progress() {},
  warn() {},
}

const makeSource = async (bytes: Buffer): Promise<Source> => {
  const path = join(folder, 'source.txt')
  await writeFile(path, bytes)
  return { path, name: 'source.txt', extension: 'txt', bytes: bytes.length }
}

const decode = async (bytes: Buffer, choice = 'auto') => {
  const source = await makeSource(bytes)
  const encoding = await findEncoding(source, context, choice)
  let text = ''
  for await (const piece of decodeText(source, context, encoding)) text += piece
  return { text, encoding }
}

describe('decodeText', () => {
  it('gives back any text written as Unicode with a mark', async () => {
    const names = fc.constantFrom('utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be')
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), names, async (text, name) => {
        const found = await decode(iconv.encode(`\ufeff${text}`, name))
        // A text of one mark and NULs in UTF-16 is read as UTF-32, by the same bytes.
        fc.pre(!(name === 'utf-16le' && text.startsWith('\0')))
        expect(found.text).toBe(text.replace(/^\ufeff/, text.startsWith('\ufeff') ? '\ufeff' : ''))
        expect(found.encoding.name).toBe(name)
      }),
      { numRuns: 150 },
    )
  })

  it('gives back any printable text written as UTF-8 without a mark', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        expect((await decode(Buffer.from(text))).text).toBe(text)
      }),
      { numRuns: 150 },
    )
  })

  it.each(['utf-8', 'utf-16le', 'utf-16be', 'shift_jis', 'gb18030', 'euc-kr'])(
    'keeps characters of %s whole across chunks',
    async (name) => {
      const unit = name === 'euc-kr' ? '한a' : name.startsWith('utf') ? '日🙂a' : '日本a'
      const text = unit.repeat(Math.ceil((CHUNK_BYTES * 2.5) / 5))
      const { text: found } = await decode(iconv.encode(text, name), name)
      expect(found === text).toBe(true)
    },
  )

  it('finds a wrong byte after a megabyte of ASCII', async () => {
    const bytes = Buffer.concat([
      Buffer.alloc(1_200_000, 'plain text line\n'),
      Buffer.from('caf\xe9 cr\xe8me\n', 'latin1'),
    ])
    const { encoding, text } = await decode(bytes)
    expect(encoding.name).toBe('windows-1252')
    expect(text.endsWith('café crème\n')).toBe(true)
  })

  it('refuses random bytes', async () => {
    await expect(decode(randomBytes(20_000))).rejects.toMatchObject({ code: 'extract.source_unreadable' })
  })
})

async function* pieces(...texts: string[]) {
  yield* texts
}

describe('normalizeNewlines and readLines', () => {
  it('treat a line end cut in two as one', async () => {
    expect((await Array.fromAsync(normalizeNewlines(pieces('a\r', '\nb\r', 'c\r')))).join('')).toBe('a\nb\nc\n')
    expect(await Array.fromAsync(readLines(pieces('a\r', '\nb', 'c\n', '\nd'), 100))).toEqual(['a', 'bc', '', 'd'])
  })

  it('cut a long line where told', async () => {
    const lines = await Array.fromAsync(readLines(pieces('aaa', 'aaa', 'a\nb', '\n'), 5, 'cut'))
    expect(lines).toEqual(['aaaaaa', 'b'])
  })

  it('refuse a line that is too long to hold', async () => {
    await expect(Array.fromAsync(readLines(pieces('a'.repeat(60), 'a'.repeat(60)), 100))).rejects.toMatchObject({
      code: 'extract.limit_exceeded',
    })
  })
})
