import { describe, expect, test } from 'vitest'
import type { Block } from '../../shared/document/model.ts'
import { writeMarkdown } from '../../shared/document/write-markdown.ts'
import { loadCharsets } from '../mime/charsets.ts'
import { readRtf } from '../msg/rtf.ts'
import { decompressRtf } from '../msg/rtf-compression.ts'
import { readPlainBody } from './plain-body.ts'
import { dropQuoted, markQuoted } from './quotes.ts'

const write = (blocks: readonly Block[]): string =>
  [...writeMarkdown({ pageUnit: 'page', pages: [], blocks, notes: [], images: [] })].join('')

describe('readPlainBody', () => {
  test('joins lines that were only wrapped, and no others', () => {
    const wrapped =
      'This line was broken by a program that counts to about seventy, and\nthis is the rest of it.\n\nJo Doe\n1 Main Street\n'
    expect(write(readPlainBody(wrapped))).toBe(
      'This line was broken by a program that counts to about seventy, and this is the rest of it.\n\nJo Doe  \n1 Main Street\n',
    )
  })
  test('nests quotes by their marks', () => {
    expect(write(readPlainBody('a\n> b\n>> c\n> > d\ne'))).toBe('a\n\n> b\n>\n> > c  \n> > d\n\ne\n')
  })
  test('joins flowed lines, and deletes their blank where asked', () => {
    expect(write(readPlainBody('one \ntwo\n', 'keep-space'))).toBe('one two\n')
    expect(write(readPlainBody('东 \n西\n', 'delete-space'))).toBe('东西\n')
  })
  test('finds lists, and no list in a dash', () => {
    expect(write(readPlainBody('Things:\n- a\n- b\n\nwait\n- what\nno'))).toBe(
      'Things:\n\n- a\n- b\n\nwait  \n\\- what  \nno\n',
    )
  })
})

describe('markQuoted', () => {
  const paragraph = (text: string): Block => ({ kind: 'paragraph', content: [{ kind: 'text', text }] })
  const lines = (...texts: string[]): Block => ({
    kind: 'paragraph',
    content: texts.flatMap((text, i) => [
      ...(i > 0 ? [{ kind: 'break' as const }] : []),
      { kind: 'text' as const, text },
    ]),
  })
  test('begins where the head of an earlier message stands, in any language', () => {
    const blocks = [paragraph('Ja.'), lines('Von: A', 'Gesendet: heute', 'An: B'), paragraph('Kommst du?')]
    expect(markQuoted(blocks).map(({ kind }) => kind)).toEqual(['paragraph', 'quote'])
    expect(dropQuoted(markQuoted(blocks))).toEqual([paragraph('Ja.')])
  })
  test('leaves a text alone that only mentions a sender', () => {
    const blocks = [lines('From: Paris with love', 'it was nice', 'yes'), paragraph('Bye')]
    expect(markQuoted(blocks)).toEqual(blocks)
  })
})

describe('RTF', () => {
  test('gives back the HTML that was put into it', async () => {
    const rtf = Buffer.from(
      "{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 {\\*\\htmltag64 <p>}\\htmlrtf {\\b \\htmlrtf0 Gr\\'fc\\'dfe \\u8364?\\htmlrtf \\par}\\htmlrtf0 {\\*\\htmltag72 </p>}}",
      'latin1',
    )
    expect(readRtf(rtf, await loadCharsets())).toEqual({ kind: 'html', html: '<p>Grüße €</p>' })
  })
  test('gives the text of any other', async () => {
    const rtf = Buffer.from('{\\rtf1{\\fonttbl{\\f0 Arial;}}{\\info{\\title No}}One\\par Two\\tab{\\i 3}}', 'latin1')
    expect(readRtf(rtf, await loadCharsets())).toEqual({ kind: 'text', text: 'One\nTwo\t3' })
  })
  test('is decompressed, and never grows beyond what it can hold', () => {
    const compressed = Buffer.from(
      '2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232 0af32068656c09002062770563622c6400'.replaceAll(
        ' ',
        '',
      ),
      'hex',
    )
    expect(decompressRtf(compressed)?.toString('latin1')).toMatch(/^\{\\rtf1\\ansi\\ansicpg1252/)
    const lying = Buffer.from(compressed)
    lying.writeUInt32LE(0xffffffff, 4)
    expect(decompressRtf(lying)?.length).toBeLessThan(compressed.length * 17)
  })
})
