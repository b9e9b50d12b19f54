import { describe, expect, it } from 'vitest'
import { runCapability, runProbe } from '../shared/run-capability.ts'
import format from './format.ts'
import { type BookParts, container, opf, page, zipBook } from './golden/epub-parts.ts'
import {
  indexRecords,
  indexTexts,
  layOutParts,
  makeHuffRecords,
  mobiHeader,
  NCX_TAGS,
  packPhrases,
  palmDatabase,
} from './mobi/mobi-fixture.ts'

const XHTML = 'application/xhtml+xml'
const book = (chapters: Readonly<Record<string, string>>, more: BookParts = {}): BookParts => {
  const names = Object.keys(chapters)
  return {
    'META-INF/container.xml': container('a.opf'),
    'a.opf': opf(
      '3.0',
      '<dc:title>T</dc:title>',
      names.map((name, index) => `<item id="c${index}" href="${name}" media-type="${XHTML}"/>`).join(''),
      `>${names.map((_, index) => `<itemref idref="c${index}"/>`).join('')}`,
    ),
    ...Object.fromEntries(Object.entries(chapters).map(([name, body]) => [name, page('T', body)])),
    ...more,
  }
}
const readEpub = async (parts: BookParts, id = 'ebook.markdown') =>
  await runCapability(format, id, 'file.epub', await zipBook(parts))
const textOf = async (parts: BookParts): Promise<string> => (await readEpub(parts)).artifacts['markdown/file.md'] ?? ''
const readMobi = (records: readonly Buffer[], id = 'ebook.markdown') =>
  runCapability(format, id, 'file.mobi', palmDatabase(records))

describe('hostile EPUB books', () => {
  it('reads pages nested without end as far as they go, or stops', async () => {
    const text = await textOf(book({ 'a.xhtml': `${'<div>'.repeat(5_000)}<p>deep</p>` }))
    expect(text).toBe('deep\n')
    await expect(textOf(book({ 'a.xhtml': '<div>'.repeat(200_000) }))).rejects.toMatchObject({
      params: { limit: 'htmlDepth' },
    })
  })

  it('expands no entities', async () => {
    const laughs = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]>'
    const parts = book({ 'a.xhtml': '<p>&c; end</p>' })
    const changed = {
      ...parts,
      'a.opf': String(parts['a.opf']).replace('?>', `?>${laughs}`).replace('>T<', '>&c;<'),
      'a.xhtml': String(parts['a.xhtml']).replace('<!DOCTYPE html>', laughs),
    }
    const { artifacts } = await readEpub(changed)
    expect(artifacts['markdown/file.md']).not.toContain('haha')
    expect(artifacts['markdown/file.md']).toContain('end')
    const facts = (await readEpub(changed, 'ebook.metadata')).artifacts['metadata/file.json'] ?? ''
    expect(facts).not.toContain('haha')
  })

  it('reads a file once, however often the reading order names it', async () => {
    const parts = book({ 'a.xhtml': '<p>once</p>' })
    const again = String(parts['a.opf']).replace('<itemref idref="c0"/>', '<itemref idref="c0"/>'.repeat(20_000))
    expect(await textOf({ ...parts, 'a.opf': again })).toBe('once\n')
  })

  it('stops at a reading order without end', async () => {
    const parts = book({ 'a.xhtml': '<p>x</p>' })
    const long = String(parts['a.opf']).replace('<itemref idref="c0"/>', '<itemref idref="c0"/>'.repeat(310_000))
    await expect(textOf({ ...parts, 'a.opf': long })).rejects.toMatchObject({ code: 'extract.limit_exceeded' })
  })

  it('follows no path out of the archive', async () => {
    const parts = book({ 'a.xhtml': '<p>in</p><img src="../../../../etc/passwd"/><img src="file:///etc/passwd"/>' })
    const outside = String(parts['a.opf']).replace(
      '</manifest>',
      `<item id="out" href="../../../etc/passwd" media-type="${XHTML}"/></manifest>`,
    )
    const spine = outside.replace('<itemref', '<itemref idref="out"/><itemref')
    const { artifacts, warnings } = await readEpub({ ...parts, 'a.opf': spine })
    expect(artifacts['markdown/file.md']).toBe('in\n')
    expect(warnings).toEqual(['ebook.chapters_missing', 'ebook.images_missing'])
    const container2 = String(parts['META-INF/container.xml']).replace('a.opf', '../../a.opf')
    expect(await textOf({ ...parts, 'META-INF/container.xml': container2 })).toBe('in\n')
  })

  it('refuses archives with names that lead out of it', async () => {
    const zip = (await zipBook(book({ 'a.xhtml': '<p>x</p>' }, { 'up/evil': 'x' }))).toString('latin1')
    const evil = Buffer.from(zip.replaceAll('up/evil', '../evil'), 'latin1')
    await expect(runCapability(format, 'ebook.text', 'file.epub', evil)).rejects.toMatchObject({
      params: { reason: 'entry-name' },
    })
  })

  it('says that a book is no book, and that one is protected, whatever protects it', async () => {
    await expect(readEpub({ 'a.txt': 'x' })).rejects.toMatchObject({ params: { reason: 'no-document' } })
    const encryption = (algorithm: string) =>
      `<encryption><EncryptedData><EncryptionMethod Algorithm="${algorithm}"/><CipherData><CipherReference URI="a.xhtml"/></CipherData></EncryptedData></encryption>`
    const aes = encryption('http://www.w3.org/2001/04/xmlenc#aes256-cbc')
    const schemes = { 'META-INF/license.lcpl': 'readium-lcp', 'META-INF/sinf.xml': 'apple-fairplay', 'a/b': 'unknown' }
    for (const [name, drm] of Object.entries(schemes)) {
      const parts = book({ 'a.xhtml': '<p>x</p>' }, { 'META-INF/encryption.xml': aes, [name]: '{}' })
      await expect(readEpub(parts)).rejects.toMatchObject({ code: 'extract.source_encrypted', params: { drm } })
    }
    const fonts = encryption('http://www.idpf.org/2008/embedding').replace('a.xhtml', 'font.otf')
    expect(await textOf(book({ 'a.xhtml': '<p>x</p>' }, { 'META-INF/encryption.xml': fonts }))).toBe('x\n')
  })
})

describe('hostile Kindle books', () => {
  const html = Buffer.from('<html><body><p>text</p></body></html>')

  it('refuses what is no book, lists of records that lie, and cut files', async () => {
    const run = (bytes: Buffer) => runCapability(format, 'ebook.text', 'file.mobi', bytes)
    const whole = palmDatabase([mobiHeader({ textBytes: html.length }), html])
    await expect(run(Buffer.from('x'))).rejects.toMatchObject({ params: { reason: 'not-mobi' } })
    await expect(run(Buffer.concat([Buffer.from('TPZ'), Buffer.alloc(200)]))).rejects.toMatchObject({
      params: { reason: 'topaz' },
    })
    const lying = Buffer.from(whole)
    lying.writeUInt32BE(0xfffffff0, 78 + 8)
    await expect(run(lying)).rejects.toMatchObject({ params: { reason: 'records' } })
    await expect(run(whole.subarray(0, 90))).rejects.toMatchObject({ code: 'extract.source_unreadable' })
  })

  it('does not go round in a table of contents that holds itself', async () => {
    const { record, offsets } = indexTexts(['Loop'])
    const entry = (parent: number) => ({ label: 'x', values: { 1: [0], 3: [offsets[0] ?? 0], 4: [0], 21: [parent] } })
    const ncx = indexRecords(NCX_TAGS, [entry(1), entry(0), entry(2)], record)
    const header = mobiHeader({ textBytes: html.length, ncxIndex: 2 })
    const { artifacts } = await readMobi([header, html, ...ncx], 'ebook.toc')
    const { entries } = JSON.parse(artifacts['toc/file.json'] ?? '') as { entries: { children: unknown[] }[] }
    expect(entries.map(({ children }) => children.length)).toEqual([1, 0])
  })

  it('stops at phrases that unfold without end', async () => {
    const phrases = Array.from({ length: 30 }, (_, index) =>
      index === 0
        ? { text: 'x'.repeat(1_000), isPlain: true }
        : { text: packPhrases([index - 1, index - 1]), isPlain: false },
    )
    const header = mobiHeader({ compression: 17_480, huffRecord: 2, huffCount: 2 })
    await expect(readMobi([header, packPhrases([29]), ...makeHuffRecords(phrases)])).rejects.toMatchObject({
      code: 'extract.limit_exceeded',
    })
  })

  it('refuses skeletons that reach beyond the text', async () => {
    const { skeletons, fragments } = layOutParts([{ skeleton: `<p>@${'x'.repeat(500)}</p>`, fragments: ['y'] }])
    const header = mobiHeader({ version: 8, skeletonIndex: 2, fragmentIndex: 4 })
    await expect(readMobi([header, Buffer.from('short'), ...skeletons, ...fragments])).rejects.toMatchObject({
      params: { reason: 'skeleton' },
    })
  })

  it('takes the newer of two books in one file', async () => {
    const { text, skeletons, fragments } = layOutParts([{ skeleton: '<p>@</p>', fragments: ['new'] }])
    const old = mobiHeader({ textBytes: html.length, extended: [[121, 3]] })
    const newer = mobiHeader({ version: 8, skeletonIndex: 2, fragmentIndex: 4 })
    const records = [old, html, Buffer.from('BOUNDARY'), newer, text, ...skeletons, ...fragments]
    expect((await readMobi(records)).artifacts['markdown/file.md']).toBe('new\n')
  })

  it('reads a book of the first Palm readers', async () => {
    const lines = Buffer.from('First line\nSecond <line> & more\n')
    const header = Buffer.alloc(16)
    header.writeUInt16BE(1, 0)
    header.writeUInt16BE(1, 8)
    const { artifacts } = await runCapability(format, 'ebook.text', 'a.prc', palmDatabase([header, lines], 'TEXtREAd'))
    expect(artifacts['text/a.txt']).toBe('First line\n\nSecond <line> & more\n')
  })
})

describe('hostile FictionBooks', () => {
  const fb2 = (content: string): string => `<?xml version="1.0"?><FictionBook>${content}</FictionBook>`
  const read = (content: string) => runCapability(format, 'ebook.markdown', 'file.fb2', content)

  it('stops at sections nested without end, and expands no entities', async () => {
    await expect(read(fb2(`<body>${'<section>'.repeat(200_000)}`))).rejects.toMatchObject({
      params: { limit: 'xmlDepth' },
    })
    const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${fb2('<body><section><p>&b; end</p></section></body>').slice(21)}`
    expect((await read(laughs)).artifacts['markdown/file.md']).not.toContain('haha')
  })

  it('does not go round in notes that refer to each other', async () => {
    const note = (id: string, to: string) =>
      `<section id="${id}"><p>${id} <a type="note" href="#${to}">x</a></p></section>`
    const text = `<body><section><p>t<a type="note" href="#a">1</a></p></section></body><body name="notes">${note('a', 'b')}${note('b', 'a')}</body>`
    expect((await read(fb2(text))).artifacts['markdown/file.md']).toBe('t[^1]\n\n[^1]: a [^x]\n\n[^x]: b [^1]\n')
  })

  it('says that another kind of XML is no book', async () => {
    await expect(read('<html/>')).rejects.toMatchObject({ params: { reason: 'no-document' } })
    await expect(read('no xml')).rejects.toMatchObject({ code: 'extract.source_unreadable' })
  })
})

describe('the probe of books', () => {
  it('takes the pages that the file lists, and counts characters where it lists none', async () => {
    const long = book({ 'a.xhtml': `<style>p { color: red }</style><p>${'x'.repeat(3_601)}</p>` })
    expect(await runProbe(format, 'a.epub', await zipBook(long))).toEqual({ pages: 3 })
    const fb2 = `<FictionBook><body><section><p>${'x'.repeat(1_801)}</p></section></body><binary id="b">${'A'.repeat(9_000)}</binary></FictionBook>`
    expect(await runProbe(format, 'a.fb2', fb2)).toEqual({ pages: 2 })
    const text = Buffer.from(`<p>${'x'.repeat(1_801)}</p>`)
    expect(await runProbe(format, 'a.mobi', palmDatabase([mobiHeader({}), text]))).toEqual({ pages: 2 })
  })
})
