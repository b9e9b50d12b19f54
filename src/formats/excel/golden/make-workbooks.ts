/**
 * Writes the source files of the golden cases. `node src/formats/excel/golden/make-workbooks.ts` makes them anew; the
 * same bytes come out each time.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FixtureWorkbook, writeXlsx, writeZip } from '../zip-fixture.ts'

const here = fileURLToPath(new URL('./', import.meta.url))

const save = (name: string, file: string, bytes: Uint8Array): void => {
  mkdirSync(join(here, name), { recursive: true })
  writeFileSync(join(here, name, file), bytes)
}

const saveXlsx = async (name: string, workbook: FixtureWorkbook, file = `${name}.xlsx`): Promise<void> =>
  save(name, file, await writeXlsx(workbook))

const text = (ref: string, value: string): string => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`
const number = (ref: string, value: string | number, style = 0): string =>
  `<c r="${ref}"${style > 0 ? ` s="${style}"` : ''}><v>${value}</v></c>`
const row = (index: number, ...cells: string[]): string => `<row r="${index}">${cells.join('')}</row>`
const data = (...rows: string[]): string => `<sheetData>${rows.join('')}</sheetData>`

/** A style sheet whose cell style n has the n-th of these formats; style 0 is General. */
const styles = (...codes: string[]): string =>
  `<numFmts>${codes.map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${code.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"/>`).join('')}</numFmts>` +
  `<cellXfs><xf numFmtId="0"/>${codes.map((_, i) => `<xf numFmtId="${164 + i}"/>`).join('')}</cellXfs>`

await saveXlsx('xlsx-number-formats', {
  styles: styles(
    '#,##0.00',
    '0.0%',
    'yyyy-mm-dd',
    'd mmmm yyyy h:mm AM/PM',
    '[h]:mm:ss',
    '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)',
    '# ?/?',
    '0.00E+00',
    '_-* #,##0.00 [$€-407]_-;-* #,##0.00 [$€-407]_-;_-* "-"?? [$€-407]_-;_-@_-',
    '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0',
    '00000',
    '[$-407]dddd, d. mmmm yyyy',
    ';;;',
    '"No. "@',
  ),
  sheets: [
    {
      name: 'Formats',
      xml: data(
        row(1, text('A1', 'Kind'), text('B1', 'Shown')),
        row(2, text('A2', 'thousands'), number('B2', -1234567.891, 1)),
        row(3, text('A3', 'percent'), number('B3', 0.4567, 2)),
        row(4, text('A4', 'date'), number('B4', 45351, 3)),
        row(5, text('A5', 'date and time'), number('B5', 45351.75, 4)),
        row(6, text('A6', 'elapsed'), number('B6', 1.5, 5)),
        row(7, text('A7', 'negative dollars'), number('B7', -42.5, 6)),
        row(8, text('A8', 'fraction'), number('B8', 2.25, 7)),
        row(9, text('A9', 'scientific'), number('B9', 123456, 8)),
        row(10, text('A10', 'euro'), number('B10', 9.5, 9)),
        row(11, text('A11', 'euro, zero'), number('B11', 0, 9)),
        row(12, text('A12', 'millions'), number('B12', 2_500_000, 10)),
        row(13, text('A13', 'thousands by condition'), number('B13', 2_500, 10)),
        row(14, text('A14', 'post code'), number('B14', 1067, 11)),
        row(15, text('A15', 'German date'), number('B15', 45351, 12)),
        row(16, text('A16', 'hidden by its format'), number('B16', 7, 13)),
        row(17, text('A17', 'text format'), '<c r="B17" s="14" t="str"><v>12b</v></c>'),
        row(18, text('A18', 'general'), number('B18', '0.33333333333333331')),
        row(19, text('A19', 'long number'), number('B19', '4006381333931')),
        row(20, text('A20', 'the day that never was'), number('B20', 60, 3)),
      ),
    },
  ],
})

await saveXlsx('xlsx-1904', {
  before: '<workbookPr date1904="1"/>',
  styles: styles('yyyy-mm-dd', 'h:mm'),
  sheets: [{ name: 'Old Mac', xml: data(row(1, number('A1', 0, 1), number('B1', 43889.5, 1), number('C1', 0.25, 2))) }],
})

await saveXlsx('xlsx-strings-and-formulas', {
  strings:
    '<si><t xml:space="preserve"> plain </t></si>' +
    '<si><r><t>rich </t></r><r><rPr><b/></rPr><t>text</t></r><rPh sb="0" eb="1"><t>not this</t></rPh></si>' +
    '<si><t>two_x000D_\nlines &amp; a_x005F_b &lt;tag&gt; 5 * 3 | pipe</t></si>',
  sheets: [
    {
      name: 'Strings &amp; more',
      xml: data(
        row(
          1,
          '<c r="A1" t="s"><v>0</v></c>',
          '<c r="B1" t="s"><v>1</v></c>',
          '<c r="C1" t="s"><v>2</v></c>',
          '<c r="D1" t="s"><v>99</v></c>',
        ),
        row(
          2,
          '<c r="A2"><f t="shared" ref="A2:C2" si="0">SUM(A$10:A20)+$B1&amp;"A1"</f><v>1</v></c>',
          '<c r="B2"><f t="shared" si="0"/><v>2</v></c>',
          '<c r="C2"><f t="shared" si="0"/><v>3</v></c>',
        ),
        row(
          3,
          '<c r="A3" t="b"><v>1</v></c>',
          '<c r="B3" t="e"><v>#DIV/0!</v></c>',
          '<c r="C3" t="str"><f>A1&amp;B1</f><v>joined</v></c>',
          '<c r="D3" t="d"><v>2024-02-29</v></c>',
        ),
        // Places left out follow from what came before.
        '<row><c><v>4</v></c><c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c></row>',
      ),
    },
  ],
})

await saveXlsx('xlsx-tables-apart', {
  sheets: [
    {
      name: 'Overview',
      xml: `<dimension ref="A1:XFD1048576"/>${data(
        row(2, text('B2', 'A title')),
        row(4, text('B4', 'Year'), text('C4', 'Ducks'), text('E4', 'Name'), text('F4', 'Role')),
        row(5, number('B5', 2023), number('C5', 160), text('E5', 'Ada'), text('F5', 'lead')),
        row(6, number('B6', 2024), number('C6', 180), text('E6', 'Max'), text('F6', 'test')),
        row(9, text('A9', 'Label'), text('C9', 'value beside a gap')),
        row(10, text('A10', 'Other'), text('C10', 'value two')),
      )}`,
    },
    { name: 'Empty', xml: data() },
    { name: 'Secret', state: 'hidden', xml: data(row(1, text('A1', 'hidden sheet'))) },
  ],
})

await saveXlsx('xlsx-merged', {
  sheets: [
    {
      name: 'Merged',
      xml: `${data(
        row(1, text('A1', 'Region'), text('B1', '2024')),
        row(2, text('B2', 'Q1'), text('C2', 'Q2')),
        row(3, text('A3', 'North'), number('B3', 1), number('C3', 2)),
        row(4, number('B4', 3), number('C4', 4)),
      )}<mergeCells count="3"><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/><mergeCell ref="A3:A4"/></mergeCells>`,
    },
  ],
})

await saveXlsx('xlsx-options', {
  styles: styles('0.00'),
  sheets: [
    {
      name: 'Shown',
      xml: `${data(
        row(1, text('A1', 'Wide')),
        row(2, text('A2', 'a'), '<c r="B2" s="1"><f>1+1</f><v>2</v></c>'),
        row(3, text('A3', 'b'), number('B3', 3, 1)),
        row(4, text('A4', 'c'), number('B4', 4, 1)),
      )}<mergeCells><mergeCell ref="A1:B1"/></mergeCells>`,
    },
    { name: 'Unseen', state: 'veryHidden', xml: data(row(1, text('A1', 'hidden sheet'))) },
  ],
})

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const DRAWING =
  '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
const anchor = (column: number, line: number, inside: string): string =>
  `<xdr:twoCellAnchor><xdr:from><xdr:col>${column}</xdr:col><xdr:row>${line}</xdr:row></xdr:from><xdr:to><xdr:col>${column + 1}</xdr:col><xdr:row>${line + 3}</xdr:row></xdr:to>${inside}</xdr:twoCellAnchor>`

await saveXlsx('xlsx-extras', {
  before: '<workbookProtection lockStructure="1"/>',
  after:
    '<definedNames><definedName name="Rate">Extras!$B$2</definedName><definedName name="_xlnm.Print_Area" localSheetId="0" hidden="1">Extras!$A$1:$B$3</definedName></definedNames>',
  relations: { macros: ['vbaProject', 'vbaProject.bin'], outside: ['externalLink', 'externalLinks/link1.xml'] },
  sheets: [
    {
      name: 'Extras',
      xml:
        '<sheetViews><sheetView rightToLeft="1"><pane ySplit="1" state="frozen"/></sheetView></sheetViews>' +
        '<cols><col min="3" max="4" hidden="1"/></cols>' +
        data(
          row(1, text('A1', 'Item'), text('B1', 'Rate')),
          row(2, text('A2', 'Link'), number('B2', 1)),
          `<row r="3" hidden="1">${text('A3', 'Hidden')}${number('B3', 2)}</row>`,
        ) +
        '<sheetProtection sheet="1"/><autoFilter ref="A1:B3"/>' +
        '<hyperlinks><hyperlink ref="A2" r:id="link" tooltip="There"/><hyperlink ref="B2" location="Extras!A1"/></hyperlinks>' +
        '<headerFooter><oddHeader>&amp;CTop</oddHeader><oddFooter>Page &amp;P</oddFooter></headerFooter>' +
        '<drawing r:id="drawing"/><tableParts><tablePart r:id="table"/></tableParts>',
      relations: {
        link: ['hyperlink', 'https://example.com/a?b=1', 'External'],
        drawing: ['drawing', '../drawings/drawing1.xml'],
        notes: ['comments', '../comments1.xml'],
        table: ['table', '../tables/table1.xml'],
      },
    },
  ],
  parts: {
    'xl/vbaProject.bin': 'macros',
    'xl/externalLinks/link1.xml':
      '<externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><externalBook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId1"/></externalLink>',
    'xl/externalLinks/_rels/link1.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/externalLinkPath" Target="prices.xlsx" TargetMode="External"/></Relationships>',
    'xl/tables/table1.xml':
      '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="Rates" displayName="Rates" ref="A1:B3"><tableColumns count="2"><tableColumn id="1" name="Item"/><tableColumn id="2" name="Rate"/></tableColumns></table>',
    'xl/comments1.xml':
      '<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>Ada</author></authors><commentList><comment ref="B2" authorId="0"><text><r><t>Ada:\n</t></r><r><t>check this</t></r></text></comment></commentList></comments>',
    'xl/drawings/drawing1.xml': `${DRAWING}${anchor(
      4,
      1,
      '<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="1" name="Picture 1" descr="A red dot"/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId1"/></xdr:blipFill></xdr:pic>',
    )}${anchor(
      0,
      5,
      '<xdr:sp><xdr:txBody><a:p><a:r><a:t>Text in </a:t></a:r><a:r><a:t>a box</a:t></a:r></a:p><a:p><a:r><a:t># second line</a:t></a:r></a:p></xdr:txBody></xdr:sp>',
    )}${anchor(
      7,
      5,
      '<xdr:graphicFrame><a:graphic><a:graphicData><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="rId2"/></a:graphicData></a:graphic></xdr:graphicFrame>',
    )}</xdr:wsDr>`,
    'xl/drawings/_rels/drawing1.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="../media/image1.png"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart" Target="../charts/chart1.xml"/></Relationships>',
    'xl/charts/chart1.xml':
      '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Ducks</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>Lake</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>2023</c:v></c:pt><c:pt idx="1"><c:v>2024</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>160</c:v></c:pt><c:pt idx="1"><c:v>180</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>',
    'xl/media/image1.png': PIXEL,
    'xl/media/image2.png': PIXEL,
  },
}, 'xlsx-extras.xlsm')

await saveXlsx('xlsx-far-cells', {
  sheets: [{ name: 'Far', xml: data(row(1, number('A1', 1)), row(1_048_576, number('XFD1048576', 2))) }],
})

await saveXlsx('xlsx-damaged-sheet', {
  sheets: [
    { name: 'Good', xml: data(row(1, text('A1', 'fine'))) },
    { name: 'Broken', xml: `<sheetData>${row(1, text('A1', 'before'))}<row r="2"><c r="A2"><v>1</v></row></sheetData>` },
  ],
})

await saveXlsx('xlsx-rows-out-of-order', {
  sheets: [
    {
      name: 'Mixed',
      xml: data(
        row(3, text('B3', 'b'), text('A3', 'a')),
        row(1, text('A1', 'first')),
        row(2, text('A2', 'second')),
        row(1, text('B1', 'also first')),
      ),
    },
  ],
})

const OFFICE = 'urn:oasis:names:tc:opendocument:xmlns'
const NAMESPACES = `xmlns:office="${OFFICE}:office:1.0" xmlns:table="${OFFICE}:table:1.0" xmlns:text="${OFFICE}:text:1.0" xmlns:style="${OFFICE}:style:1.0" xmlns:draw="${OFFICE}:drawing:1.0" xmlns:svg="${OFFICE}:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:meta="${OFFICE}:meta:1.0"`
const MIMETYPE = 'application/vnd.oasis.opendocument.spreadsheet'

save(
  'ods-cells',
  'ods-cells.ods',
  await writeZip({
    mimetype: MIMETYPE,
    'meta.xml': `<office:document-meta ${NAMESPACES}><office:meta><dc:title>Cells</dc:title><meta:initial-creator>Ada</meta:initial-creator><meta:creation-date>2024-02-29T10:00:00</meta:creation-date></office:meta></office:document-meta>`,
    'content.xml': `<office:document-content ${NAMESPACES}><office:automatic-styles><style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style><style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body><office:spreadsheet>
<table:table table:name="Cells" table:style-name="ta1"><table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>
<table:table-row><table:table-cell office:value-type="string" table:number-columns-spanned="2" table:number-rows-spanned="1"><text:p>A <text:span>title</text:span><text:s text:c="2"/>here</text:p></table:table-cell><table:covered-table-cell/></table:table-row>
<table:table-row><table:table-cell office:value-type="float" office:value="1234.5"><text:p>1,234.50</text:p></table:table-cell><table:table-cell office:value-type="date" office:date-value="2024-02-29"><text:p>02/29/24</text:p></table:table-cell><table:table-cell office:value-type="percentage" office:value="0.5"><text:p>50%</text:p></table:table-cell></table:table-row>
<table:table-row table:number-rows-repeated="3"><table:table-cell office:value-type="float" office:value="7" table:number-columns-repeated="2"><text:p>7</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell office:value-type="float" office:value="14" table:formula="of:=SUM([.A3:.B3])"><office:annotation><dc:creator>Max</dc:creator><text:p>a sum</text:p></office:annotation><text:p>14</text:p></table:table-cell><table:table-cell office:value-type="boolean" office:boolean-value="true"><text:p>TRUE</text:p></table:table-cell><table:table-cell office:value-type="time" office:time-value="PT13H05M00S"><text:p>13:05</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell office:value-type="string"><text:p><text:a xlink:href="https://example.com/">first</text:a></text:p><text:p>second</text:p></table:table-cell><table:table-cell><draw:frame><draw:image xlink:href="Pictures/dot.png"/><svg:title>A dot</svg:title></draw:frame></table:table-cell></table:table-row>
<table:table-row table:number-rows-repeated="1048568"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>
<table:table table:name="Hidden" table:style-name="ta2"><table:table-row><table:table-cell office:value-type="string"><text:p>unseen</text:p></table:table-cell></table:table-row></table:table>
</office:spreadsheet></office:body></office:document-content>`,
    'Pictures/dot.png': PIXEL,
  }),
)

save(
  'ods-encrypted',
  'ods-encrypted.ods',
  await writeZip({
    mimetype: MIMETYPE,
    'META-INF/manifest.xml': `<manifest:manifest xmlns:manifest="${OFFICE}:manifest:1.0"><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`,
    'content.xml': 'not to be read',
  }),
)

/** The binary formats come from the engine that also reads them: what is tested is what is made of its cells. */
const { utils, write } = await import('@e965/xlsx')
for (const [name, bookType] of [
  ['xls-cells', 'biff8'],
  ['xlsb-cells', 'xlsb'],
] as const) {
  const sheet = utils.aoa_to_sheet([
    ['Item', 'Price', 'Day', 'Share', 'Sold'],
    ['Tea', 3.5, 45351, 0.25, true],
    ['Äpfel', 1234.5, 45352, 0.5, false],
  ])
  for (const line of [2, 3]) {
    Object.assign(sheet[`B${line}`] ?? {}, { z: '#,##0.00' })
    Object.assign(sheet[`C${line}`] ?? {}, { z: 'yyyy-mm-dd' })
    Object.assign(sheet[`D${line}`] ?? {}, { z: '0%' })
  }
  sheet['!merges'] = [utils.decode_range('A5:B5')]
  sheet.A5 = { t: 's', v: 'a merged note' }
  sheet['!ref'] = 'A1:E5'
  const book = utils.book_new()
  utils.book_append_sheet(book, sheet, 'Sales')
  utils.book_append_sheet(book, utils.aoa_to_sheet([['kept back']]), 'Back room')
  book.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 1 }] }
  book.Props = { CreatedDate: new Date('2024-01-01T00:00:00Z'), ModifiedDate: new Date('2024-01-01T00:00:00Z') }
  save(name, `${name}.${bookType === 'biff8' ? 'xls' : 'xlsb'}`, write(book, { type: 'buffer', bookType }) as Buffer)
}
