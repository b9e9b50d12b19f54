import { describe, expect, it } from 'vitest'
import { readXml } from './read-xml.ts'

const PREFIXES = new Map([
  ['urn:word', 'w'],
  ['urn:word-strict', 'w'],
  ['urn:links', 'r'],
])

const read = async (content: string | Uint8Array | AsyncIterable<Uint8Array>, limits = {}): Promise<string> => {
  let out = ''
  await readXml(
    typeof content === 'string' ? Buffer.from(content) : content,
    PREFIXES,
    {
      open(name, attributes) {
        const list = Object.entries(attributes).filter(([key]) => !key.startsWith('xmlns'))
        out += `<${[name, ...list.map(([key, value]) => `${key}=${value}`)].join(' ')}>`
      },
      close: (name) => {
        out += `</${name}>`
      },
      text: (text) => {
        out += text
      },
    },
    { limits: { depth: 20, elements: 100, ...limits } },
  )
  return out
}

describe('readXml', () => {
  it('names elements and attributes by their namespace, not by the prefix of the file', async () => {
    expect(await read('<w:a xmlns:w="urn:word" w:b="1" c="2"/>')).toBe('<w:a w:b=1 c=2></w:a>')
    expect(await read('<x:a xmlns:x="urn:word-strict" x:b="1" c="2"/>')).toBe('<w:a w:b=1 c=2></w:a>')
    expect(await read('<a xmlns="urn:word" b="1"><r:c xmlns:r="urn:links"/></a>')).toBe('<w:a b=1><r:c></r:c></w:a>')
  })

  it('keeps a foreign namespace under one of our prefixes apart, only as long as it is declared', async () => {
    expect(await read('<w:a xmlns:w="urn:word"><w:b xmlns:w="urn:other"><w:c/></w:b><w:d/></w:a>')).toBe(
      '<w:a><?w:b><?w:c></?w:c></?w:b><w:d></w:d></w:a>',
    )
  })

  it('puts text together that is cut anywhere, in any encoding it declares', async () => {
    const pieces = async function* (bytes: Uint8Array) {
      for (const byte of bytes) yield Uint8Array.of(byte)
    }
    expect(await read(pieces(Buffer.from('<a>é&amp;<![CDATA[<ü>]]></a>')))).toBe('<a>é&<ü></a>')
    expect(await read(Buffer.from('\ufeff<a>é</a>', 'utf16le'))).toBe('<a>é</a>')
    expect(await read(Buffer.from('<?xml version="1.0" encoding="windows-1252"?><a>é</a>', 'latin1'))).toBe('<a>é</a>')
  })

  it('reads over stray control characters and unknown entities', async () => {
    expect(await read('<a>x\u000by&nbsp;z</a>')).toContain('z</a>')
  })

  it('refuses a document type and what is not well-formed', async () => {
    const refused = (reason: string) => ({ code: 'extract.source_unreadable', params: { reason } })
    await expect(read('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')).rejects.toMatchObject(refused('doctype'))
    await expect(read('<a><b></a>')).rejects.toMatchObject(refused('xml'))
    await expect(read('<a>')).rejects.toMatchObject(refused('xml'))
  })

  it('limits depth and number of elements', async () => {
    await expect(read('<a>'.repeat(21))).rejects.toMatchObject({ params: { limit: 'xmlDepth', maximum: 20 } })
    await expect(read(`<a>${'<b/>'.repeat(100)}</a>`)).rejects.toMatchObject({ params: { limit: 'xmlElements' } })
  })
})
