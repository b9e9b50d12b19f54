import { describe, expect, it } from 'vitest'
import { parseXmp } from './xmp.ts'

const packet = (body: string, head = '') =>
  `${head}<x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:d="http://purl.org/dc/elements/1.1/">${body}</r:RDF></x:xmpmeta>`

describe('parseXmp', () => {
  it('goes by namespaces, and takes texts, lists and attributes', async () => {
    const body = `<r:Description r:about="" xmlns:m="http://ns.adobe.com/xap/1.0/" m:CreatorTool="Pen">
      <d:title><r:Alt><r:li xml:lang="x-default">One</r:li><r:li xml:lang="de">Eins</r:li></r:Alt></d:title>
      <d:subject><r:Bag><r:li>a</r:li><r:li> b </r:li></r:Bag></d:subject></r:Description>
      <r:Description xmlns:own="urn:own"><own:thing>x &amp; y</own:thing></r:Description>`
    expect(await parseXmp(packet(body))).toEqual({
      'xmp:CreatorTool': 'Pen',
      'dc:title': 'One',
      'dc:subject': ['a', 'b'],
      'own:thing': 'x & y',
    })
  })

  it('leaves structures out', async () => {
    const body = '<r:Description><d:h><r:Seq><r:li><d:a>1</d:a><d:b>2</d:b></r:li></r:Seq></d:h></r:Description>'
    expect(await parseXmp(packet(body))).toEqual({})
  })

  it.each([
    ['a document type', packet('', '<!DOCTYPE x [<!ENTITY a "aaaa">]>')],
    ['nesting without end', packet('<d:a>'.repeat(100) + '</d:a>'.repeat(100))],
    ['no XML', 'name: value'],
  ])('refuses %s', async (_title, text) => {
    expect(await parseXmp(text)).toBeUndefined()
  })
})
