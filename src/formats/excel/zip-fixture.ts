import { ZipFile } from 'yazl'

/** A ZIP archive of these entries, the same bytes each time; for tests and for the files of golden cases. */
export const writeZip = async (entries: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> => {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(entries)) {
    zip.addBuffer(Buffer.from(content), name, { mtime: new Date('2024-01-01T00:00:00Z'), forceDosTimestamp: true })
  }
  zip.end()
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream) pieces.push(Buffer.from(piece as Buffer))
  return Buffer.concat(pieces)
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export type FixtureSheet = {
  name: string
  /** What stands between `<worksheet>` and its end. */
  xml: string
  state?: 'hidden' | 'veryHidden'
  /** Relationships of the sheet: id → short type, target, outside or not. */
  relations?: Readonly<Record<string, readonly [type: string, target: string, mode?: 'External']>>
}

export type FixtureWorkbook = {
  sheets: readonly FixtureSheet[]
  /** `<si>` elements. */
  strings?: string
  /** What stands between `<styleSheet>` and its end. */
  styles?: string
  /** Further elements of the workbook, before and after its sheets. */
  before?: string
  after?: string
  /** Further parts by name. */
  parts?: Readonly<Record<string, string | Uint8Array>>
  /** Further relationships of the workbook. */
  relations?: FixtureSheet['relations']
}

const relationships = (relations: NonNullable<FixtureSheet['relations']>): string =>
  `${DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(
    relations,
  )
    .map(
      ([id, [type, target, mode]]) =>
        `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ''}/>`,
    )
    .join('')}</Relationships>`

/** An Excel workbook out of readable parts. */
export const writeXlsx = async (workbook: FixtureWorkbook): Promise<Buffer> => {
  const { sheets, strings, styles, before = '', after = '', parts = {}, relations = {} } = workbook
  const tabs = sheets.map(
    ({ name, state }, i) =>
      `<sheet name="${name}" sheetId="${i + 1}"${state ? ` state="${state}"` : ''} r:id="sheet${i + 1}"/>`,
  )
  return await writeZip({
    '_rels/.rels': relationships({ rId1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${before}<sheets>${tabs.join('')}</sheets>${after}</workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({
      ...Object.fromEntries(sheets.map((_, i) => [`sheet${i + 1}`, ['worksheet', `worksheets/sheet${i + 1}.xml`]])),
      ...(strings === undefined ? {} : { strings: ['sharedStrings', 'sharedStrings.xml'] }),
      ...(styles === undefined ? {} : { styles: ['styles', 'styles.xml'] }),
      ...relations,
    }),
    ...(strings === undefined ? {} : { 'xl/sharedStrings.xml': `${DECLARATION}<sst xmlns="${MAIN}">${strings}</sst>` }),
    ...(styles === undefined
      ? {}
      : { 'xl/styles.xml': `${DECLARATION}<styleSheet xmlns="${MAIN}">${styles}</styleSheet>` }),
    ...Object.fromEntries(
      sheets.flatMap(({ xml, relations: own }, i) => [
        [
          `xl/worksheets/sheet${i + 1}.xml`,
          `${DECLARATION}<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONS}">${xml}</worksheet>`,
        ],
        ...(own ? [[`xl/worksheets/_rels/sheet${i + 1}.xml.rels`, relationships(own)]] : []),
      ]),
    ),
    ...parts,
  })
}
