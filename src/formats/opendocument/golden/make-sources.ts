import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { zipParts } from '../../shared/ooxml/office-fixture.ts'
import { flatOdf, objectPart, odfParts, type OdfContent } from '../odf-fixture.ts'

// `node src/formats/opendocument/golden/make-sources.ts` writes the sources of the golden cases.

const PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='

const p = (content: string, style = 'Standard'): string => `<text:p text:style-name="${style}">${content}</text:p>`
const h = (level: number, content: string, more = ''): string =>
  `<text:h text:style-name="Heading_20_${level}" text:outline-level="${level}"${more}>${content}</text:h>`
const span = (style: string, content: string): string => `<text:span text:style-name="${style}">${content}</text:span>`
const a = (href: string, content: string): string => `<text:a xlink:type="simple" xlink:href="${href}">${content}</text:a>`
const note = (kind: 'footnote' | 'endnote', label: string, content: string): string =>
  `<text:note text:note-class="${kind}"><text:note-citation>${label}</text:note-citation><text:note-body>${p(content, 'Footnote')}</text:note-body></text:note>`
const frame = (anchor: string, content: string, more = ''): string =>
  `<draw:frame text:anchor-type="${anchor}" svg:width="2cm" svg:height="1cm"${more}>${content}</draw:frame>`
const image = (alt: string): string =>
  `<draw:image xlink:href="Pictures/stone.png" xlink:type="simple"/><svg:title>${alt}</svg:title>`

const style = (name: string, family: string, properties: string, more = ''): string =>
  `<style:style style:name="${name}" style:family="${family}"${more}>${properties}</style:style>`
const textStyle = (name: string, attributes: string): string =>
  style(name, 'text', `<style:text-properties ${attributes}/>`)

const STYLES = [
  '<style:default-style style:family="paragraph"><style:text-properties fo:language="en" fo:country="GB"/></style:default-style>',
  style('Title', 'paragraph', ''),
  style('Heading_20_1', 'paragraph', '<style:text-properties fo:font-weight="bold"/>', ' style:display-name="Heading 1" style:default-outline-level="1"'),
  style('Quotations', 'paragraph', ''),
  style('Preformatted_20_Text', 'paragraph', '', ' style:display-name="Preformatted Text"'),
  style('Illustration', 'paragraph', '', ' style:parent-style-name="Caption"'),
  style('Source_20_Text', 'text', '', ' style:display-name="Source Text"'),
  '<text:outline-style style:name="Outline"><text:outline-level-style text:level="1" style:num-format="1" style:num-suffix="."/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style>',
].join('')

const AUTOMATIC = [
  textStyle('T1', 'fo:font-weight="bold"'),
  textStyle('T2', 'fo:font-style="italic"'),
  textStyle('T3', 'style:text-line-through-style="solid"'),
  textStyle('T4', 'style:text-position="sub 58%"'),
  textStyle('T5', 'text:display="none"'),
  style('P1', 'paragraph', '<style:paragraph-properties fo:break-before="page"/>', ' style:parent-style-name="Standard"'),
  style('P2', 'paragraph', '<style:paragraph-properties style:writing-mode="rl-tb"/>', ' style:parent-style-name="Standard"'),
  style('P3', 'paragraph', '<style:text-properties fo:font-style="italic"/>', ' style:parent-style-name="Quotations"'),
].join('')

const META =
  '<meta:generator>By hand</meta:generator><dc:title>Stones</dc:title><meta:initial-creator>A. Mason</meta:initial-creator><dc:creator>B. Carver</dc:creator><meta:creation-date>2026-01-01T00:00:00</meta:creation-date><dc:date>2026-01-02T00:00:00</dc:date><meta:keyword>granite</meta:keyword><meta:keyword>slate</meta:keyword><meta:document-statistic meta:page-count="3" meta:word-count="99"/><meta:user-defined meta:name="Quarry">North</meta:user-defined>'

const FORMULA =
  '<?xml version="1.0" encoding="UTF-8"?>\n<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><semantics><mrow><mi>x</mi><mo>=</mo><mfrac><mrow><mo>−</mo><mi>b</mi><mo>±</mo><msqrt><mrow><msup><mi>b</mi><mn>2</mn></msup><mo>−</mo><mn>4</mn><mi>a</mi><mi>c</mi></mrow></msqrt></mrow><mrow><mn>2</mn><mi>a</mi></mrow></mfrac></mrow><annotation encoding="StarMath 5.0">x = {-b +- sqrt{b^2 - 4ac}} over {2a}</annotation></semantics></math>'

const structure: OdfContent = {
  styles: STYLES,
  automaticStyles: AUTOMATIC,
  meta: META,
  masterAutomaticStyles: textStyle('T1', 'fo:font-style="italic"'),
  masterStyles: `<style:master-page style:name="Standard"><style:header>${p(`Quarry ${span('T1', 'report')}`)}</style:header><style:footer>${p('Page <text:page-number>1</text:page-number>')}</style:footer></style:master-page>`,
  more: { 'Pictures/stone.png': Buffer.from(PIXEL_PNG, 'base64'), 'Object 1/content.xml': FORMULA },
  body: `<office:text>${[
    '<office:forms/><text:sequence-decls/>',
    p('Stones of the quarry', 'Title'),
    `<text:table-of-content><text:index-body><text:index-title>${p('Contents', 'Contents_20_Heading')}</text:index-title>${p(a('#1.Granite|outline', 'Granite<text:tab/>1'), 'Contents_20_1')}</text:index-body></text:table-of-content>`,
    h(1, '<text:bookmark-start text:name="granite"/>Granite<text:bookmark-end text:name="granite"/>'),
    p(
      `Plain,   ${span('T1', 'bold')}, ${span('T2', 'italic')}, ${span('T3', 'gone')}, H${span('T4', '2')}O, ${span('Source_20_Text', 'split()')}${span('T5', 'hidden')}<text:s text:c="3"/>and<text:line-break/>a new line.`,
    ),
    p(
      `A ${a('https://example.org/stone', 'link')}, one ${a('#granite', 'inside')}, one ${a('#nowhere', 'to nowhere')}, a field: <text:date text:date-value="2026-01-01">1 January</text:date>.`,
    ),
    p(`It weighs much${note('footnote', '1', 'Measured in 1881.')} everywhere${note('endnote', 'i', 'See the archive.')}.`),
    h(2, 'Slate'),
    p('Splits well.', 'P3'),
    p('So they say.', 'P3'),
    p('a<text:s text:c="2"/>b', 'Preformatted_20_Text'),
    p('<text:s/>c', 'Preformatted_20_Text'),
    p(frame('as-char', image('A stone'))),
    p(frame('paragraph', `<draw:text-box>${p(`${frame('as-char', image('A second stone'))}Figure <text:sequence>1</text:sequence>: a stone`, 'Illustration')}</draw:text-box>`)),
    p(`${frame('char', `<draw:text-box>${p('In a box.')}</draw:text-box>`)}Beside a box.`),
    p(`By ${frame('as-char', '<draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/>')} we know.`),
    `<text:section text:name="secret" text:display="none">${p('Nobody reads this.')}</text:section>`,
    `<text:section text:name="open">${h(2, 'Marble', ' text:is-list-header="true"')}${p('On a new page.', 'P1')}${p('שלום', 'P2')}</text:section>`,
    h(2, 'Chalk'),
  ].join('')}</office:text>`,
}

const level = (number: number, format: string, more = ''): string =>
  `<text:list-level-style-number text:level="${number}" style:num-format="${format}" style:num-suffix="."${more}/>`
const bullet = (number: number, sign: string): string =>
  `<text:list-level-style-bullet text:level="${number}" text:bullet-char="${sign}"/>`
const list = (attributes: string, ...items: string[]): string => `<text:list ${attributes}>${items.join('')}</text:list>`
const item = (content: string, more = ''): string => `<text:list-item${more}>${content}</text:list-item>`

const lists: OdfContent = {
  automaticStyles: [
    `<text:list-style style:name="L1">${level(1, '1')}${level(2, 'a')}${level(3, 'i', ' text:display-levels="3"')}</text:list-style>`,
    `<text:list-style style:name="L2">${bullet(1, '•')}${bullet(2, '–')}</text:list-style>`,
    `<text:list-style style:name="L3">${level(1, 'A', ' text:start-value="3" style:num-prefix="("').replace('style:num-suffix="."', 'style:num-suffix=")"')}</text:list-style>`,
    `<text:list-style style:name="L4">${level(1, '')}</text:list-style>`,
    style('P4', 'paragraph', '<style:paragraph-properties text:enable-numbering="false"/>'),
  ].join(''),
  body: `<office:text>${[
    list(
      'text:style-name="L1" xml:id="list1"',
      item(p('First')),
      item(p('Second') + list('', item(p('Nested')), item(p('Nested too') + list('', item(p('Deep')))))),
      item(p('Third') + p('More of the third.')),
    ),
    p('Between.'),
    list('text:style-name="L1" text:continue-list="list1"', item(p('Fourth'))),
    list('text:style-name="L1" text:continue-numbering="true"', item(list('', item(p('Under the fourth'))))),
    list('text:style-name="L1"', item(p('Anew')), item(p('At nine'), ' text:start-value="9"')),
    list('text:style-name="L2"', item(p('Dot') + list('', item(p('Dash')))), `<text:list-header>${p('No sign')}</text:list-header>`),
    list('text:style-name="L3"', item(p('From C')), item(p('Then D'))),
    list('text:style-name="L4"', item(p('Only set off'))),
    list('text:style-name="L2"', item(p('Sign taken off', 'P4')), item(p('☑ Done'))),
    p('☐ To do'),
  ].join('')}</office:text>`,
}

const cell = (content: string, more = ''): string => `<table:table-cell${more}>${content}</table:table-cell>`
const row = (...cells: string[]): string => `<table:table-row>${cells.join('')}</table:table-row>`
const COVERED = '<table:covered-table-cell/>'

const tables: OdfContent = {
  body: `<office:text>${[
    `<table:table><table:table-column table:number-columns-repeated="3"/><table:table-header-rows>${row(cell(p('Stone')), cell(p('Weight')), cell(p('Note')))}</table:table-header-rows>`,
    row(cell(p('Granite'), ' table:number-rows-spanned="2"'), cell(p('2.7')), cell(p('hard') + p('and old'))),
    row(COVERED, cell(p('both'), ' table:number-columns-spanned="2"'), COVERED),
    row(cell(p('Slate')), cell('', ' table:number-columns-repeated="16000"')),
    '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16000"/></table:table-row></table:table>',
    p(''),
    `<table:table>${row(cell(p('A')), cell(p('B')))}${row(cell(`<table:table>${row(cell(p('a')), cell(p('b')))}${row(cell(p('1')), cell(p('2')))}</table:table>`), cell(list('text:style-name="L2"', item(p('one')), item(p('two')))))}</table:table>`,
    `<table:table>${row(cell(p('A frame around this.')))}</table:table>`,
  ].join('')}</office:text>`,
}

const review: OdfContent = {
  body: `<office:text>${[
    '<text:tracked-changes><text:changed-region xml:id="c1" text:id="c1"><text:insertion><office:change-info><dc:creator>B. Carver</dc:creator><dc:date>2026-01-02T00:00:00</dc:date></office:change-info></text:insertion></text:changed-region>',
    `<text:changed-region xml:id="c2" text:id="c2"><text:deletion><office:change-info><dc:creator>B. Carver</dc:creator><dc:date>2026-01-03T00:00:00</dc:date></office:change-info>${p('soft ')}</text:deletion></text:changed-region></text:tracked-changes>`,
    p(
      `A <text:change text:change-id="c2"/>stone<text:change-start text:change-id="c1"/> of weight<text:change-end text:change-id="c1"/> is ` +
        `<office:annotation office:name="n1" loext:resolved="true"><dc:creator>C. Reader</dc:creator><dc:date>2026-01-04T00:00:00</dc:date>${p('Which one?')}</office:annotation>here<office:annotation-end office:name="n1"/>.` +
        `<office:annotation office:name="n2" loext:parent-name="n1"><dc:creator>A. Mason</dc:creator>${p('This one.')}${p('Really.')}</office:annotation>`,
    ),
  ].join('')}</office:text>`,
}

const shape = (placeholder: string, x: number, y: number, content: string): string =>
  `<draw:frame ${placeholder ? `presentation:class="${placeholder}" ` : ''}svg:x="${x}cm" svg:y="${y}cm" svg:width="8cm" svg:height="2cm">${content}</draw:frame>`
const box = (content: string): string => `<draw:text-box>${content}</draw:text-box>`

const CHART = objectPart(
  `<office:body><office:chart><chart:chart><chart:title>${p('Weights')}</chart:title><table:table table:name="local-table"><table:table-header-rows>${row(cell(p('')), cell(p('2026')))}</table:table-header-rows><table:table-rows>${row(cell(p('Granite')), cell(p('2.7')))}${row(cell(p('Slate')), cell(p('NaN')))}</table:table-rows></table:table></chart:chart></office:chart></office:body>`,
)

const deck: OdfContent = {
  meta: '<dc:title>Deck of stones</dc:title>',
  automaticStyles: [
    style('dp2', 'drawing-page', '<style:drawing-page-properties presentation:visibility="hidden"/>'),
    `<text:list-style style:name="L2">${bullet(1, '•')}${bullet(2, '–')}</text:list-style>`,
  ].join(''),
  more: { 'Pictures/stone.png': Buffer.from(PIXEL_PNG, 'base64'), 'Object 1/content.xml': CHART },
  body: `<office:presentation><presentation:footer-decl presentation:name="f1">Quarry, 2026</presentation:footer-decl>${[
    `<draw:page draw:name="page1" presentation:use-footer-name="f1">${shape('outline', 2, 10, box(list('text:style-name="L2"', item(p('Hard') + list('', item(p('very')))), item(p('Old')))))}${shape('', 14, 10, box(p('To the right')))}${shape('title', 2, 1, box(p('Granite')))}` +
      `<presentation:notes>${shape('page', 0, 0, '')}${shape('notes', 0, 9, box(p('Say it slowly.')))}</presentation:notes></draw:page>`,
    `<draw:page draw:name="page2" draw:style-name="dp2">${shape('title', 2, 1, box(p('Slate')))}${shape('', 2, 4, '<draw:object xlink:href="./Object 1"/>')}${shape('', 2, 8, `<table:table>${row(cell(p('Stone')), cell(p('Use')))}${row(cell(p('Slate')), cell(p('Roofs')))}</table:table>`)}${shape('', 2, 12, '<draw:image xlink:href="Pictures/stone.png"/><svg:desc>A slate</svg:desc>')}` +
      `<draw:custom-shape svg:x="12cm" svg:y="12cm" svg:width="2cm" svg:height="2cm">${p('In a shape')}</draw:custom-shape></draw:page>`,
    `<draw:page draw:name="Last words">${shape('title', 2, 1, '').replace('presentation:class', 'presentation:placeholder="true" presentation:class')}<draw:g><draw:rect svg:x="1cm" svg:y="1cm" svg:width="2cm" svg:height="2cm">${p('Grouped')}</draw:rect></draw:g></draw:page>`,
  ].join('')}</office:presentation>`,
}

const drawing: OdfContent = {
  body: `<office:drawing><draw:page draw:name="Plan"><draw:rect svg:x="1cm" svg:y="5cm" svg:width="2cm" svg:height="1cm">${p('Below')}</draw:rect><draw:ellipse svg:x="1cm" svg:y="1cm" svg:width="2cm" svg:height="1cm">${p('Above')}</draw:ellipse></draw:page><draw:page draw:name="page2"><draw:frame svg:x="1cm" svg:y="1cm" svg:width="2cm" svg:height="1cm">${box(p('Second page'))}</draw:frame></draw:page></office:drawing>`,
}

const flat: OdfContent = {
  ...structure,
  body: `<office:text>${[
    h(1, 'Flat'),
    p(`All in ${span('T1', 'one')} file.`),
    p(frame('as-char', `<draw:image draw:mime-type="image/png"><office:binary-data>${PIXEL_PNG}</office:binary-data></draw:image><svg:desc>A stone</svg:desc>`)),
    p(frame('as-char', '<draw:object><math:math><math:msup><math:mi>x</math:mi><math:mn>2</math:mn></math:msup></math:math></draw:object>')),
  ].join('')}</office:text>`,
}

const write = async (name: string, content: string | Buffer): Promise<void> => {
  const file = join(import.meta.dirname, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

await write('structure/structure.odt', await zipParts(odfParts('text', structure)))
await write('lists/lists.odt', await zipParts(odfParts('text', lists)))
await write('tables/tables.ott', await zipParts(odfParts('text-template', tables)))
await write('review/review.odt', await zipParts(odfParts('text', review)))
await write('deck/deck.odp', await zipParts(odfParts('presentation', deck)))
await write('drawing/plan.odg', await zipParts(odfParts('graphics', drawing)))
await write('flat/flat.fodt', flatOdf('text', flat))
await write('empty/empty.odt', await zipParts(odfParts('text', { body: `<office:text>${p('')}</office:text>` })))
await write('not-ours/sheet.odt', await zipParts(odfParts('spreadsheet', { body: '<office:spreadsheet/>' })))
await write(
  'doctype-refused/laughs.odt',
  await zipParts({
    'content.xml': '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;">]><office:document-content>&c;</office:document-content>',
  }),
)
