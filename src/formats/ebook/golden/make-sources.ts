import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  base32,
  cutText,
  indexRecords,
  indexTexts,
  layOutParts,
  mobiHeader,
  NCX_TAGS,
  packPalmdoc,
  palmDatabase,
  PIXEL_GIF,
} from '../mobi/mobi-fixture.ts'
import { type BookParts, container, opf, PIXEL_PNG, page, zipBook } from './epub-parts.ts'

// `node src/formats/ebook/golden/make-sources.ts` writes the sources of the golden cases.

const NAV = page(
  'Contents',
  '<nav epub:type="toc" id="toc"><h1>Contents</h1><ol><li><a href="text/one.xhtml">Granite</a><ol><li><a href="text/one.xhtml#weight">Weight</a></li></ol></li><li><a href="text/two%20words.xhtml">Slate, the soft one</a></li></ol></nav>' +
    '<nav epub:type="page-list" hidden=""><ol><li><a href="text/one.xhtml#p7">7</a></li><li><a href="text/two%20words.xhtml">8</a></li></ol></nav>',
)

const ONE = page(
  'Granite',
  '<section epub:type="chapter"><h1>Granite</h1>' +
    '<p>Hard<a epub:type="noteref" href="#n1">1</a>, <em>old</em>, and <a href="two%20words.xhtml#soft">not soft</a>; see <a href="https://example.org/stone">outside</a>.</p>' +
    '<p>It goes on over a <span epub:type="pagebreak" role="doc-pagebreak" id="p7" aria-label="7"></span>page. <ruby>石<rp>(</rp><rt>いし</rt><rp>)</rp></ruby>.</p>' +
    '<h2 id="weight">Weight</h2>' +
    '<table><thead><tr><th>Stone</th><th>Weight</th></tr></thead><tbody><tr><td>Granite</td><td>2.7</td></tr><tr><td>Slate</td><td>2.8</td></tr></tbody></table>' +
    '<p>By <math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mi>m</mi><msup><mi>r</mi><mn>3</mn></msup></mfrac></math>.</p>' +
    '<figure><img src="../images/stone.png" alt="A stone"/><figcaption>A stone.</figcaption></figure>' +
    '<aside epub:type="footnote" id="n1"><p>Harder than <i>slate</i>.</p></aside></section>',
)

const TWO = page(
  'Slate',
  '<p>Slate, the soft one</p><p id="soft">It splits.<sup><a id="r2" href="notes.xhtml#n2">2</a></sup></p><ol start="3"><li>third</li><li>fourth<ul><li>inner</li></ul></li></ol>' +
    '<blockquote><p>Nothing lasts.</p></blockquote><pre>a  b\n c</pre>',
)

const NOTES = page('Notes', '<h1>Notes</h1><ol><li id="n2"><p>Along its layers. <a href="two%20words.xhtml#r2">↩</a></p></li></ol>')

const COVER = page(
  'Cover',
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 1 1"><title>Front</title><image width="1" height="1" xlink:href="images/stone.png"/></svg>',
)

const epub3: BookParts = {
  'META-INF/container.xml': container('book/package.opf'),
  'book/package.opf': opf(
    '3.0',
    '<dc:title id="t">Stones</dc:title><dc:title id="s">A book of them</dc:title><meta refines="#t" property="title-type">main</meta><meta refines="#s" property="title-type">subtitle</meta>' +
      '<dc:creator id="c">A. Mason</dc:creator><meta refines="#c" property="role" scheme="marc:relators">aut</meta><meta refines="#c" property="file-as">Mason, A.</meta>' +
      '<dc:language>en</dc:language><dc:publisher>Quarry Press</dc:publisher><dc:date>2026-01-01</dc:date><dc:subject>Geology</dc:subject><dc:description>On &lt;b&gt;stones&lt;/b&gt;.</dc:description>' +
      '<meta property="dcterms:modified">2026-01-01T00:00:00Z</meta><meta property="belongs-to-collection" id="b">Rocks</meta><meta refines="#b" property="group-position">2</meta>',
    '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="cover" href="cover.xhtml" media-type="application/xhtml+xml" properties="svg"/>' +
      '<item id="one" href="text/one.xhtml" media-type="application/xhtml+xml" properties="mathml"/><item id="two" href="text/two%20words.xhtml" media-type="application/xhtml+xml"/>' +
      '<item id="notes" href="text/notes.xhtml" media-type="application/xhtml+xml"/><item id="img" href="images/stone.png" media-type="image/png" properties="cover-image"/>',
    '><itemref idref="cover" linear="no"/><itemref idref="nav"/><itemref idref="one"/><itemref idref="two"/><itemref idref="notes" linear="no"/>',
  ),
  'book/nav.xhtml': NAV,
  'book/cover.xhtml': COVER,
  'book/text/one.xhtml': ONE,
  'book/text/two words.xhtml': TWO,
  'book/text/notes.xhtml': NOTES,
  'book/images/stone.png': PIXEL_PNG,
}

const NCX =
  '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd">\n' +
  '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><head><meta name="dtb:uid" content="urn:isbn:9780306406157"/></head><docTitle><text>Old stones</text></docTitle><navMap>' +
  '<navPoint id="a" playOrder="1"><navLabel><text>Chapter the First</text></navLabel><content src="Text/ONE.html#start"/></navPoint><navPoint id="b" playOrder="2"><navLabel><text>Gone</text></navLabel><content src="gone.html"/></navPoint></navMap></ncx>'

/** Of the second version, with what goes wrong in real files: letter case, missing files, a picture that is not there. */
const epub2: BookParts = {
  'META-INF/container.xml': container('content.opf'),
  'content.opf': opf(
    '2.0',
    '<dc:title>Old stones</dc:title><dc:creator opf:role="aut" opf:file-as="Mason, A.">A. Mason</dc:creator><dc:language>en</dc:language><meta name="cover" content="img"/><meta name="calibre:series" content="Rocks"/><meta name="calibre:series_index" content="1"/>',
    '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/><item id="one" href="Text/ONE.html" media-type="application/xhtml+xml"/><item id="gone" href="gone.html" media-type="application/xhtml+xml"/><item id="img" href="stone.png" media-type="image/png"/>',
    ' toc="ncx"><itemref idref="one"/><itemref idref="gone"/><itemref idref="nowhere"/>',
    '<guide><reference type="cover" title="Cover" href="Text/ONE.html"/></guide>',
  ),
  'toc.ncx': NCX,
  'text/one.html': page(
    'One',
    '<p><a id="start"></a></p><p class="title"><b>Chapter the First</b></p><p>Unclosed <b>bold<p>and a second paragraph.</p><p><img src="../lost.png" alt="A lost picture"/> <img src="../stone.png" alt=""/></p>',
  ),
  'stone.png': PIXEL_PNG,
}

const protectedBook: BookParts = {
  ...epub3,
  'META-INF/rights.xml': '<rights xmlns="http://ns.adobe.com/adept"/>',
  'META-INF/encryption.xml':
    '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/><enc:CipherData><enc:CipherReference URI="book/text/one.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>',
}

const FB2_BODY =
  '<description><title-info><genre>science</genre><author><first-name>Анна</first-name><last-name>Каменева</last-name></author><book-title>Камни</book-title><annotation><p>О камнях.</p></annotation><date value="2026-01-01">2026</date><coverpage><image l:href="#cover.png"/></coverpage><lang>ru</lang><sequence name="Скалы" number="3"/></title-info><document-info><id>stones-1</id><program-used>by hand</program-used></document-info><publish-info><publisher>Карьер</publisher><year>2026</year><isbn>9780306406157</isbn></publish-info></description>' +
  '<body><title><p>Камни</p><p>Книга</p></title><epigraph><p>Ничто не вечно.</p><text-author>Сланец</text-author></epigraph>' +
  '<section id="one"><title><p>Гранит</p></title><p>Твёрдый<a l:href="#n1" type="note">[1]</a>, <emphasis>старый</emphasis> и <strong>тяжёлый</strong>; см. <a l:href="#two">сланец</a>.</p><empty-line/><image l:href="#cover.png" alt="Камень"/><image l:href="#lost.png"/>' +
  '<poem><title><p>Песня</p></title><stanza><v>Камень лежит,</v><v>вода бежит.</v></stanza><text-author>Народ</text-author></poem><cite><p>Цитата.</p></cite><subtitle>* * *</subtitle><p>После звёзд.</p></section>' +
  '<section id="two"><title><p>Сланец</p></title><table><tr><th>Камень</th><th>Вес</th></tr><tr><td colspan="2">Всё</td></tr></table></section></body>' +
  '<body name="notes"><title><p>Примечания</p></title><section id="n1"><title><p>1</p></title><p>Твёрже сланца.</p></section><section id="n2"><title><p>2</p></title><p>Никто не зовёт.</p></section></body>' +
  `<binary id="cover.png" content-type="image/png">${PIXEL_PNG.toString('base64').replace(/(.{40})/g, '$1\n')}</binary>`

const fb2 = (encoding: string): string =>
  `<?xml version="1.0" encoding="${encoding}"?>\n<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">${FB2_BODY}</FictionBook>\n`

/** Characters of the Russian alphabet lie in order from 0xC0 on; two stand apart. */
const toWindows1251 = (text: string): Buffer =>
  Buffer.from(
    [...text].map((char) => {
      const code = char.codePointAt(0) ?? 0
      if (code < 0x80) return code
      if (char === 'ё') return 0xb8
      return char === 'Ё' ? 0xa8 : code - 0x410 + 0xc0
    }),
  )

/** A book for old devices: one page, links by position, pictures by number. */
const mobi = (): Buffer => {
  const build = (one: number, two: number): string =>
    `<html><head><guide></guide></head><body><p>Stones</p><p><a filepos=${String(two).padStart(10, '0')}>To slate</a></p><mbp:pagebreak/><p><b>Granite</b></p><p>Hard, <i>old</i>, “heavy”.</p><img recindex="00001" alt="A stone"/><mbp:pagebreak/><h2>Slate</h2><p>Soft.</p><ul><li>grey</li><li>thin</li></ul><p><a filepos=${String(one).padStart(10, '0')}>Back</a></p></body></html>`
  const draft = build(0, 0)
  const at = (mark: string) => Buffer.from(draft).indexOf(Buffer.from(mark))
  const [one, two] = [at('<p><b>Granite'), at('<h2>Slate')]
  const text = Buffer.from(build(one, two))
  const records = cutText(text).map((record) => Buffer.concat([packPalmdoc(record), Buffer.from([0x00, 0x82])]))
  const { record: labels, offsets } = indexTexts(['Granite', 'Slate'])
  const ncx = indexRecords(
    NCX_TAGS,
    [
      { label: '000', values: { 1: [one], 3: [offsets[0] ?? 0], 4: [0] } },
      { label: '001', values: { 1: [two], 3: [offsets[1] ?? 0], 4: [0] } },
    ],
    labels,
  )
  const header = mobiHeader({
    compression: 2,
    textBytes: text.length,
    textRecords: records.length,
    title: 'Stones',
    // One trailing entry of two bytes behind each record.
    extraFlags: 2,
    ncxIndex: 1 + records.length,
    firstImage: 1 + records.length + ncx.length,
    extended: [
      [100, 'A. Mason'],
      [101, 'Quarry Press'],
      [104, '9780306406157'],
      [105, 'Geology'],
      [106, '2026-01-01'],
      [524, 'en'],
      [201, 0],
    ],
  })
  return palmDatabase([header, ...records, ...ncx, PIXEL_GIF])
}

/** A book for newer devices: files in pieces, links by piece and offset. */
const azw3 = (): Buffer => {
  const wrap = '<html><head><title>Stones</title></head><body>@</body></html>'
  const first = '<h1>Granite</h1><p>Hard; see <a href="kindle:pos:fid:0002:off:0000000000">slate</a>.</p>'
  const second = '<p>Old.</p><p><img src="kindle:embed:0001?mime=image/gif" alt="A stone"/></p>'
  const third = `<h1>Slate</h1><p>Soft; see <a href="kindle:pos:fid:0000:off:${base32(0, 10)}">granite</a>.</p>`
  const { text, skeletons, fragments } = layOutParts([
    { skeleton: wrap, fragments: [first, second] },
    { skeleton: wrap, fragments: [third] },
  ])
  const records = cutText(text)
  const { record: labels, offsets } = indexTexts(['Granite', 'Slate'])
  const ncx = indexRecords(
    NCX_TAGS,
    [
      { label: '000', values: { 3: [offsets[0] ?? 0], 4: [0], 6: [0, 0] } },
      { label: '001', values: { 3: [offsets[1] ?? 0], 4: [1], 6: [2, 0], 21: [0] } },
    ],
    labels,
  )
  const tables = [...skeletons, ...fragments, ...ncx]
  const after = 1 + records.length
  const header = mobiHeader({
    version: 8,
    compression: 1,
    textBytes: text.length,
    textRecords: records.length,
    title: 'Stones',
    skeletonIndex: after,
    fragmentIndex: after + skeletons.length,
    ncxIndex: after + skeletons.length + fragments.length,
    firstImage: after + tables.length,
    extended: [
      [100, 'A. Mason'],
      [524, 'en'],
    ],
  })
  return palmDatabase([header, ...records, ...tables, PIXEL_GIF])
}

const locked = (): Buffer => palmDatabase([mobiHeader({ encryption: 2, version: 6 }), Buffer.from('xxxx')])

const write = async (name: string, content: string | Buffer): Promise<void> => {
  const file = join(import.meta.dirname, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

await write('epub3/stones.epub', await zipBook(epub3))
await write('epub2-with-faults/old.epub', await zipBook(epub2))
await write('drm-epub/locked.epub', await zipBook(protectedBook))
await write('fb2/stones.fb2', toWindows1251(fb2('windows-1251')))
await write('fb2-in-archive/stones.fbz', await zipBook({ 'stones.fb2': fb2('utf-8') }))
await write('mobi/stones.mobi', mobi())
await write('azw3/stones.azw3', azw3())
await write('drm-mobi/locked.mobi', locked())
