import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Context } from '../../core/catalog.ts'
import { writeRawPdf } from './golden/raw-pdf.ts'
import { readObjects, toBytes, toIsoDate, toText } from './objects.ts'

const scratch = mkdtempSync(join(tmpdir(), 'objects-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const context: Context = {
  signal: new AbortController().signal,
  scratch,
  selected: new Set(),
  progress() {},
  warn() {},
}
const read = async (bytes: Buffer) => {
  const path = join(scratch, 'source.pdf')
  writeFileSync(path, bytes)
  return await readObjects({ path, password: '' }, context)
}
const PAGES = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>']

describe('readObjects', () => {
  it('resolves references, and tells streams from values', async () => {
    const objects = await read(
      writeRawPdf([
        ...PAGES,
        '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
        { dict: '/A 5 0 R', data: 'x' },
        '[1 6 0 R]',
        '6 0 R',
      ]),
    )
    expect(objects.outcome).toBe('done')
    expect(objects.dict(objects.trailer['/Root'])['/Type']).toBe('/Catalog')
    expect([objects.isStream('4 0 R'), objects.isStream('3 0 R'), objects.isStream('99 0 R')]).toEqual([
      true,
      false,
      false,
    ])
    expect(objects.array(objects.dict('4 0 R')['/A'])[0]).toBe(1)
    expect(objects.resolve('99 0 R')).toBe(null)
  })

  it('reads numbers that are no JSON', async () => {
    const objects = await read(
      writeRawPdf([...PAGES, '<< /Type /Page /Parent 2 0 R /N [-0. +.5 -.25 4. 007] /S (1. a) >>']),
    )
    expect(objects.dict('3 0 R')).toMatchObject({ '/N': [-0, 0.5, -0.25, 4, 7], '/S': 'u:1. a' })
  })

  it('finds objects by what they hold', async () => {
    const objects = await read(writeRawPdf([...PAGES, '<< /Type /Page /Parent 2 0 R /Odd 1 >>']))
    expect([...objects.find('"/Odd": ')].map(([reference]) => reference)).toEqual(['3 0 R'])
  })

  it('says so where the file cannot be read', async () => {
    expect((await read(Buffer.from('%PDF-1.4 and nothing else'))).outcome).toBe('failed')
  })
})

describe('strings', () => {
  it.each([
    ['u:Größe', 'Größe', 'Größe'],
    ['b:ff00', 'ÿ\0', 'ÿ\0'],
    ['u:a•', 'a•', 'a\x80'],
  ])('%s reads as text and as bytes', (value, text, bytes) => {
    expect(toText(value)).toBe(text)
    expect(toBytes(value)).toEqual(Buffer.from(bytes, 'latin1'))
  })
  it('beyond the encoding of PDF were UTF-16', () => {
    expect(toBytes('u:日')).toEqual(Buffer.from([0xfe, 0xff, 0x65, 0xe5]))
  })
})

describe('toIsoDate', () => {
  it.each([
    ["D:20240131120000+02'00'", '2024-01-31T12:00:00+02:00'],
    ['D:20240131120000Z', '2024-01-31T12:00:00Z'],
    ["D:20240131120000Z00'00'", '2024-01-31T12:00:00Z'],
    ['D:20240131', '2024-01-31'],
    ['20240131093015', '2024-01-31T09:30:15'],
    ['D:2024', '2024-01-01'],
    ['D:20241399', undefined],
    ['yesterday', undefined],
  ])('%s', (text, iso) => {
    expect(toIsoDate(text)).toBe(iso)
  })
})
