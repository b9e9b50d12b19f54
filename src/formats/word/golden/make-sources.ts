import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import officeCrypto from 'officecrypto-tool'
import { type Parts, WORD_NAMESPACES, wordParts, xmlPart, zipParts } from '../../shared/ooxml/office-fixture.ts'

// `node src/formats/word/golden/make-sources.ts` writes the sources of the golden cases.

const run = (text: string, properties = ''): string =>
  `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (content: string, properties = ''): string =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}${content.startsWith('<') || content === '' ? content : run(content)}</w:p>`
const styled = (style: string, content: string): string => paragraph(content, `<w:pStyle w:val="${style}"/>`)
const style = (id: string, name: string, more = '', type = 'paragraph'): string =>
  `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`
const field = (instruction: string, result: string): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${instruction} </w:instrText></w:r>` +
  `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`

const STYLES = [
  '<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="en-GB"/></w:rPr></w:rPrDefault></w:docDefaults>',
  '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>',
  style('Titel', 'Title'),
  style('berschrift1', 'heading 1', '<w:basedOn w:val="Normal"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/></w:rPr>'),
  style('berschrift2', 'heading 2', '<w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr>'),
  style('Kapitel', 'Chapter of ours', '<w:basedOn w:val="berschrift2"/>'),
  style('Zitat', 'Quote'),
  style('Listing', 'Source Code'),
  style('Caption', 'caption'),
  style('Hidden', 'Hidden Note', '<w:rPr><w:vanish/></w:rPr>'),
  style('ListBullet2', 'List Bullet 2', '<w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr>'),
  style('Strong', 'Strong', '<w:rPr><w:b/></w:rPr>', 'character'),
  style('VerbatimChar', 'Verbatim Char', '', 'character'),
].join('')

const NOTES = {
  'footnotes.xml': {
    type: 'footnotes',
    content: xmlPart(
      `<w:footnotes ${WORD_NAMESPACES}><w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote>` +
        `<w:footnote w:id="2">${paragraph(`<w:r><w:footnoteRef/></w:r>${run(' Measured in 1881.')}`)}</w:footnote></w:footnotes>`,
    ),
  },
  'endnotes.xml': {
    type: 'endnotes',
    content: xmlPart(`<w:endnotes ${WORD_NAMESPACES}><w:endnote w:id="3">${paragraph('See the archive.')}</w:endnote></w:endnotes>`),
  },
} as const

const structure = wordParts({
  styles: STYLES,
  more: NOTES,
  links: { site: ['hyperlink', 'https://example.org/stone'] },
  core: '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Stones</dc:title><dc:creator>A. Mason</dc:creator><dcterms:created>2026-01-01T00:00:00Z</dcterms:created></cp:coreProperties>',
  app: '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Pages>3</Pages><Application>By hand</Application></Properties>',
  body: [
    styled('Titel', 'Stones of the quarry'),
    styled('berschrift1', `<w:bookmarkStart w:id="1" w:name="_Toc1"/>${run('Granite', '<w:b/>')}<w:bookmarkEnd w:id="1"/>`),
    paragraph(
      run('Plain, ') +
        run('bold', '<w:b/>') +
        run(', ') +
        run('italic', '<w:i/>') +
        run(', ') +
        run('gone', '<w:strike/>') +
        run(', H') +
        run('2', '<w:vertAlign w:val="subscript"/>') +
        run('O, ') +
        run('strong', '<w:rStyle w:val="Strong"/>') +
        run(', ') +
        run('split()', '<w:rStyle w:val="VerbatimChar"/>') +
        run(' and ') +
        run('hidden', '<w:vanish/>') +
        run('a soft­hyphen.'),
    ),
    paragraph(
      `${run('A ')}<w:hyperlink r:id="site">${run('link')}</w:hyperlink>${run(', one ')}<w:hyperlink w:anchor="_Toc1">${run('inside')}</w:hyperlink>` +
        `${run(', one ')}<w:hyperlink w:anchor="nowhere">${run('to nowhere')}</w:hyperlink>${run(', a ')}${field('HYPERLINK "https://example.org/field"', 'field')}${run(', page ')}${field('PAGEREF _Toc1 \\h', '3')}${run('.')}`,
    ),
    paragraph(
      `${run('It weighs much')}<w:r><w:footnoteReference w:id="2"/></w:r>${run(' everywhere')}<w:r><w:endnoteReference w:id="3"/></w:r>${run('.')}`,
    ),
    styled('Kapitel', 'A style below a heading'),
    paragraph('An outline level of its own', '<w:outlineLvl w:val="2"/>'),
    paragraph(`${run('First line')}<w:r><w:br/></w:r>${run('second line')}<w:r><w:tab/></w:r>${run('after a tab')}`),
    paragraph(`<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>${run(' checked, ')}${run('abc', '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>')}`),
    styled('Zitat', 'To quarry is to choose.'),
    styled('Listing', 'let stone = 1'),
    styled('Listing', '  stone += 1'),
    styled('Caption', 'Table 1: nothing'),
    styled('Hidden', 'Nobody sees this.'),
    paragraph(run('שלום עולם', '<w:rtl/>'), '<w:bidi/>'),
    paragraph(`${run('Before the break')}<w:r><w:br w:type="page"/></w:r>${run('after the break')}`),
    paragraph('T', '<w:framePr w:dropCap="drop" w:lines="3"/>'),
    paragraph('he initial is large.'),
    '<w:sectPr/>',
  ].join(''),
})

const level = (index: number, format: string, text: string, more = ''): string =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>${more}</w:lvl>`
const BULLET_FONT = '<w:rPr><w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/></w:rPr>'
const NUMBERING = [
  `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%2)')}${level(2, 'upperRoman', '%1.%2.%3')}</w:abstractNum>`,
  `<w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '\uf0a7', BULLET_FONT)}${level(1, 'bullet', 'o')}</w:abstractNum>`,
  `<w:abstractNum w:abstractNumId="2">${level(0, 'decimal', 'Chapter %1:', '<w:pStyle w:val="berschrift1"/>')}${level(1, 'decimal', '%1.%2', '<w:pStyle w:val="berschrift2"/>')}</w:abstractNum>`,
  '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
  '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>',
  '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>',
  '<w:num w:numId="4"><w:abstractNumId w:val="2"/></w:num>',
].join('')
const item = (list: number, depth: number, content: string): string =>
  paragraph(content, `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr>`)
const heading = (styleId: string, text: string): string =>
  paragraph(text, `<w:pStyle w:val="${styleId}"/><w:numPr><w:numId w:val="4"/></w:numPr>`)
const checkBox = (isChecked: boolean): string =>
  `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${isChecked ? 1 : 0}"/></w14:checkbox></w:sdtPr><w:sdtContent>${run(isChecked ? '☒' : '☐')}</w:sdtContent></w:sdt>`

const lists = wordParts({
  styles: STYLES,
  numbering: NUMBERING,
  body: [
    heading('berschrift1', 'Numbered'),
    item(1, 0, 'One'),
    item(1, 1, 'One a'),
    item(1, 1, 'One b'),
    item(1, 2, 'One b first'),
    item(1, 0, 'Two'),
    item(1, 1, 'Two a'),
    paragraph('Something in between.'),
    item(1, 0, 'Three goes on'),
    heading('berschrift2', 'Restarted'),
    item(3, 0, 'Seven'),
    item(3, 0, 'Eight'),
    heading('berschrift2', 'Bullets'),
    item(2, 0, 'Square'),
    item(2, 1, 'Circle'),
    styled('ListBullet2', 'By its style'),
    heading('berschrift1', 'Boxes'),
    paragraph(checkBox(true) + run(' Done')),
    paragraph(checkBox(false) + run(' To do')),
    paragraph(checkBox(true) + run(' yes ') + checkBox(false) + run(' no')),
    paragraph('Not in a list', '<w:pStyle w:val="ListBullet2"/><w:numPr><w:numId w:val="0"/></w:numPr>'),
  ].join(''),
})

const cell = (content: string, properties = ''): string =>
  `<w:tc>${properties === '' ? '' : `<w:tcPr>${properties}</w:tcPr>`}${content.startsWith('<') ? content : paragraph(content)}</w:tc>`
const row = (cells: readonly string[], properties = ''): string =>
  `<w:tr>${properties === '' ? '' : `<w:trPr>${properties}</w:trPr>`}${cells.join('')}</w:tr>`
const table = (rows: readonly string[], look = ''): string => `<w:tbl><w:tblPr>${look}</w:tblPr>${rows.join('')}</w:tbl>`

const tables = wordParts({
  styles: STYLES,
  body: [
    table([row([cell('Stone'), cell('Tons')], '<w:tblHeader/>'), row([cell('Granite'), cell('12')]), row([cell('Lime|stone'), cell('')])]),
    paragraph('Merged:'),
    table([
      row([cell('Both', '<w:gridSpan w:val="2"/>'), cell('Long', '<w:vMerge w:val="restart"/>')]),
      row([cell('a'), cell('b'), cell('', '<w:vMerge/>')]),
      row([cell('c', '<w:hMerge w:val="restart"/>'), cell('', '<w:hMerge/>'), cell('', '<w:vMerge/>')]),
    ]),
    paragraph('Nested and shifted:'),
    table([
      row([cell('outer'), cell(table([row([cell('in 1'), cell('in 2')]), row([cell('in 3'), cell('in 4')])]) + paragraph(''))]),
      row([cell('moved right')], '<w:gridBefore w:val="1"/>'),
      row([cell('taken out'), cell('taken out')], '<w:del w:id="9" w:author="B"/>'),
    ]),
    paragraph('A frame:'),
    table([row([cell(paragraph('Only a box around this.') + paragraph('And this.'))])]),
    paragraph('Without a head:'),
    table([row([cell('1'), cell('2')]), row([cell('3'), cell('4')])], '<w:tblLook w:val="0400" w:firstRow="0"/>'),
  ].join(''),
})

const by = (author: string): string => `w:author="${author}" w:date="2026-02-03T04:05:06Z"`
const review = wordParts({
  body: [
    paragraph(
      `${run('The ')}<w:del w:id="1" ${by('Ann')}><w:r><w:delText>old </w:delText></w:r></w:del><w:ins w:id="2" ${by('Ann')}>${run('new ')}</w:ins>` +
        `<w:commentRangeStart w:id="0"/>${run('stone')}<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>${run(' is here.')}`,
    ),
    paragraph(run('Joined '), `<w:rPr><w:del w:id="3" ${by('Bob')}/></w:rPr>`),
    paragraph('to the next.'),
    paragraph(`<w:moveFrom w:id="4" ${by('Bob')}>${run('Moved.')}</w:moveFrom>`, `<w:rPr><w:moveFrom w:id="5" ${by('Bob')}/></w:rPr>`),
    paragraph(`<w:moveTo w:id="6" ${by('Bob')}>${run('Moved.')}</w:moveTo>`),
  ].join(''),
  more: {
    'comments.xml': {
      type: 'comments',
      content: xmlPart(
        `<w:comments ${WORD_NAMESPACES}><w:comment w:id="0" ${by('Ann')} w:initials="A"><w:p w14:paraId="00000001">${run('Which one?')}</w:p></w:comment>` +
          `<w:comment w:id="1" ${by('Bob')}><w:p w14:paraId="00000002">${run('The grey one.')}</w:p></w:comment></w:comments>`,
      ),
    },
    'commentsExtended.xml': {
      type: 'commentsExtended',
      content: xmlPart(
        `<w15:commentsEx ${WORD_NAMESPACES}><w15:commentEx w15:paraId="00000001" w15:done="1"/><w15:commentEx w15:paraId="00000002" w15:paraIdParent="00000001" w15:done="0"/></w15:commentsEx>`,
      ),
    },
  },
})

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const picture = (place: 'inline' | 'anchor', alt: string): string =>
  `<w:r><w:drawing><wp:${place}><wp:docPr id="1" name="p" descr="${alt}"/><a:graphic><a:graphicData uri="u"><pic:pic><pic:blipFill><a:blip r:embed="stone"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:${place}></w:drawing></w:r>`
const textBox =
  `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><wp:docPr id="2" name="t"/><a:graphic><a:graphicData uri="u"><wps:wsp><wps:txbx><w:txbxContent>${paragraph('In a box.')}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice>` +
  `<mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>${paragraph('In a box.')}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`
const chart =
  '<w:r><w:drawing><wp:inline><wp:docPr id="3" name="c"/><a:graphic><a:graphicData uri="u"><c:chart r:id="chart"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
const points = (kind: 'str' | 'num', values: readonly (string | number)[], format = ''): string =>
  `<c:${kind}Ref><c:${kind}Cache>${format}${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${kind}Cache></c:${kind}Ref>`
const CHART = `<c:chartSpace ${WORD_NAMESPACES}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Tons by year</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx>${points('str', ['Granite'])}</c:tx><c:cat>${points('str', ['2024', '2025'])}</c:cat><c:val>${points('num', [0.1, 0.25], '<c:formatCode>0%</c:formatCode>')}</c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`

const drawings = wordParts({
  styles: STYLES,
  links: { head: ['header', 'header1.xml'], foot: ['footer', 'footer1.xml'], outside: ['image', 'https://example.org/never.png'] },
  more: {
    'media/image1.png': { type: 'image', id: 'stone', content: PIXEL },
    'charts/chart1.xml': { type: 'chart', id: 'chart', content: xmlPart(CHART) },
    'header1.xml': { content: xmlPart(`<w:hdr ${WORD_NAMESPACES}>${paragraph('Quarry report')}</w:hdr>`) },
    'footer1.xml': { content: xmlPart(`<w:ftr ${WORD_NAMESPACES}>${paragraph(run('Page ') + field('PAGE', '1'))}${paragraph('Confidential')}</w:ftr>`) },
  },
  body: [
    styled('berschrift1', 'Pictures'),
    paragraph(picture('inline', 'A grey&#10;stone')),
    paragraph(run('In a ') + picture('inline', 'small stone') + run(' line.')),
    paragraph(picture('anchor', 'beside the text') + run('Text beside a picture.')),
    paragraph(run('Text with a box.') + textBox),
    paragraph(chart),
    '<w:sectPr><w:headerReference w:type="default" r:id="head"/><w:footerReference w:type="default" r:id="foot"/></w:sectPr>',
  ].join(''),
})

const math = (text: string, properties = ''): string => `<m:r>${properties}<m:t>${text}</m:t></m:r>`
const formulas = wordParts({
  body: [
    paragraph(
      `${run('The area ')}<m:oMath>${math('A=π')}<m:sSup><m:e>${math('r')}</m:e><m:sup>${math('2')}</m:sup></m:sSup></m:oMath>${run(' of a circle.')}`,
    ),
    paragraph(
      `<m:oMathPara><m:oMath>${math('x=')}<m:f><m:num>${math('-b±')}<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>${math('D')}</m:e></m:rad></m:num><m:den>${math('2a')}</m:den></m:f></m:oMath></m:oMathPara>`,
    ),
    paragraph(`<m:oMath>${math('a=b')}</m:oMath><m:oMath>${math('c=d')}</m:oMath>`),
  ].join(''),
})

const STRICT = 'http://purl.oclc.org/ooxml'
const strict: Parts = {
  '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="${STRICT}/officeDocument/relationships/officeDocument" Target="/word/document.xml"/></Relationships>`,
  'word/document.xml': `<x:document xmlns:x="${STRICT}/wordprocessingml/main" xmlns:w="urn:not-word"><x:body><x:p><x:pPr><x:outlineLvl x:val="0"/></x:pPr><x:r><x:t>Strict</x:t></x:r></x:p><x:p><x:r><x:t>By namespace, </x:t><w:t>not by prefix</w:t></x:r></x:p></x:body></x:document>`,
}

const SOURCES: Readonly<Record<string, Parts>> = {
  'structure/structure.docx': structure,
  'lists/lists.docx': lists,
  'tables/tables.dotx': tables,
  'tables-as-pipes/tables.docx': tables,
  'review/review.docx': review,
  'drawings/drawings.docm': drawings,
  'headers-apart/drawings.docx': drawings,
  'formulas/formulas.docx': formulas,
  'strict/strict.docx': strict,
  'foreign-content/chunk.docx': wordParts({
    body: `${paragraph('Before')}<w:altChunk r:id="page"/>${paragraph('Between')}<w:altChunk r:id="lines"/><w:altChunk r:id="rich"/><w:altChunk r:id="nowhere"/>${paragraph('After')}`,
    more: {
      'page.html': {
        type: 'aFChunk',
        id: 'page',
        content: Buffer.from(
          '<html><head><meta charset="windows-1252"></head><body><h2>Caf\u00e9</h2><ul><li>one<li>two</ul><table><tr><th>a<th>b<tr><td>1<td>2</table></body></html>',
          'latin1',
        ),
      },
      'lines.txt': { type: 'aFChunk', id: 'lines', content: 'first line\r\nsecond line' },
      'rich.rtf': { type: 'aFChunk', id: 'rich', content: '{\\rtf1 Elsewhere}' },
    },
  }),
  'without-text/empty.docx': wordParts({ body: paragraph('') }),
  'doctype-refused/entities.docx': {
    ...wordParts({ body: '' }),
    'word/document.xml': `<!DOCTYPE w:document [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]><w:document ${WORD_NAMESPACES}><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>`,
  },
  'not-word/deck.docx': {
    '_rels/.rels': wordParts({ body: '' })['_rels/.rels'] ?? '',
    'word/document.xml': '<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"/>',
  },
}

for (const [name, parts] of Object.entries(SOURCES)) {
  const file = join(import.meta.dirname, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, await zipParts(parts))
}

// Locked by another program than the one that unlocks them; salts are random, so they are made only once.
const locked = wordParts({ body: paragraph('Behind the lock') })
for (const [name, type] of [
  ['unlocked/locked.docx', undefined],
  ['unlocked-2007/locked.docx', 'standard'],
  ['encrypted/locked.docx', 'standard'],
  ['wrong-password/locked.docx', 'standard'],
] as const) {
  const file = join(import.meta.dirname, name)
  if (existsSync(file)) continue
  await mkdir(dirname(file), { recursive: true })
  const lock = { password: 'Schlüssel 7', ...(type ? { type } : {}) }
  await writeFile(file, await officeCrypto.encrypt(await zipParts(locked), lock))
}
