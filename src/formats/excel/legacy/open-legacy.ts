import { open, readFile } from 'node:fs/promises'
import type { Context, Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import {
  type CellObject,
  findWorkbookStream,
  listSheetsWithSheetJs,
  readWorkbookWithSheetJs,
  type WorkBook,
  type WorkSheet,
} from '../../../engines/sheetjs.ts'
import { overLimit } from '../../shared/decode.ts'
import { openCompoundFile } from '../../shared/ole/compound-file.ts'
import { readSummary } from '../../shared/ole/property-set.ts'
import { openPackage } from '../../shared/ooxml/open-package.ts'
import { openArchive } from '../../shared/zip/open-archive.ts'
import { withoutAuthor } from '../comment-text.ts'
import { readEntry } from '../entry-content.ts'
import { compileFormat } from '../number-format/compile-format.ts'
import { listPictures } from '../pictures.ts'
import { sheetKindOf } from '../sheet-kind.ts'
import { sinkNumber } from '../show-value.ts'
import {
  type CellSink,
  type Comment,
  type Hyperlink,
  NO_EXTRAS,
  type Picture,
  type SheetEntry,
  type SheetExtras,
  type Workbook,
} from '../workbook.ts'
import { findBiffPictures } from './biff-pictures.ts'
import { listBiffSheets, listBinarySheetIds, type SheetKind } from './list-sheets.ts'

/** The engine holds the whole workbook, at some ten times the size of the file. */
const MAX_FILE_BYTES = 128 * 1024 ** 2
const MAX_UNPACKED_BYTES = 256 * 1024 ** 2
/** Files that are no workbooks by their bytes: web pages and delimited text under a false name. */
const MAX_TEXT_BYTES = 16 * 1024 ** 2
const COMPOUND = Buffer.from('d0cf11e0', 'hex')
const ZIP = Buffer.from('504b', 'hex')

const readHead = async (source: Source): Promise<Buffer> => {
  const handle = await open(source.path, 'r')
  const head = Buffer.alloc(4)
  await handle.read(head, 0, 4, 0).finally(() => handle.close())
  return head
}

const readBytes = async (source: Source): Promise<Buffer> => {
  if (source.bytes > MAX_FILE_BYTES) throw overLimit('fileBytes', MAX_FILE_BYTES)
  const head = await readHead(source)
  if (head.subarray(0, 2).equals(ZIP)) await checkArchive(source)
  else if (!head.equals(COMPOUND) && source.bytes > MAX_TEXT_BYTES) throw overLimit('fileBytes', MAX_TEXT_BYTES)
  const bytes = await readFile(source.path)
  if (head.equals(COMPOUND) && bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))) {
    throw new JobFailure('extract.source_encrypted')
  }
  return bytes
}

/** The engine trusts what an archive says of itself: the sizes are made sure of first. */
const checkArchive = async (source: Source): Promise<void> => {
  const archive = await openArchive(source.path, { entries: 10_000, totalBytes: MAX_UNPACKED_BYTES, ratio: 250 })
  try {
    for (const entry of archive.entries) {
      if (!entry.isFolder) for await (const _chunk of readEntry(archive, entry));
    }
  } finally {
    archive.close()
  }
}

const toFailure = (error: unknown): unknown => {
  if (error instanceof JobFailure) return error
  const message = error instanceof Error ? error.message : String(error)
  if (/password|encrypt/i.test(message)) return new JobFailure('extract.source_encrypted', {}, { cause: error })
  return new JobFailure('extract.source_unreadable', { reason: 'workbook' }, { cause: error })
}

const TYPES: Readonly<Record<string, SheetKind>> = { chart: 'chartsheet', macro: 'macrosheet', dialog: 'dialogsheet' }

const entriesOf = (book: WorkBook, kinds: readonly SheetKind[]): SheetEntry[] =>
  book.SheetNames.map((name, index) => {
    const hidden = book.Workbook?.Sheets?.[index]?.Hidden ?? 0
    const type = (book.Sheets?.[name] as { '!type'?: string } | undefined)?.['!type'] ?? ''
    const told = kinds.length === book.SheetNames.length ? kinds[index] : undefined
    return {
      name,
      kind: told ?? TYPES[type] ?? 'worksheet',
      visibility: hidden === 2 ? 'very-hidden' : hidden === 1 ? 'hidden' : 'visible',
    }
  })

/** Kinds of the tabs of a workbook, as far as the file tells them without being read. */
export const listLegacySheets = async (source: Source): Promise<SheetKind[]> => {
  try {
    if ((await readHead(source)).subarray(0, 2).equals(ZIP)) return await listArchivedSheets(source)
    const bytes = await readBytes(source)
    const stream = await findStream(bytes)
    if (!stream) return (await listSheetsWithSheetJs(bytes)).SheetNames.map(() => 'worksheet')
    const kinds = listBiffSheets(stream)
    if (!kinds) throw new JobFailure('extract.source_encrypted')
    return kinds
  } catch (error) {
    throw toFailure(error)
  }
}

/** The records of a workbook: a stream of a compound file, or the whole file, as before Excel 5. */
const findStream = async (bytes: Buffer): Promise<Uint8Array | undefined> => {
  if (bytes.subarray(0, 4).equals(COMPOUND)) return await findWorkbookStream(bytes)
  return bytes[0] === BEGIN_OF_RECORDS && (bytes[1] ?? 255) <= 8 ? bytes : undefined
}
const BEGIN_OF_RECORDS = 9

const MAX_WORKBOOK_PART_BYTES = 16 * 1024 ** 2

const listArchivedSheets = async (source: Source): Promise<SheetKind[]> => {
  const file = await openPackage(source)
  try {
    const entry = file.archive.find(file.mainPart)
    if (!entry) return []
    const relationships = await file.relationshipsOf(file.mainPart)
    const ids = listBinarySheetIds(await file.archive.read(entry, MAX_WORKBOOK_PART_BYTES))
    return ids.map((id) => sheetKindOf(relationships.get(id)?.type))
  } finally {
    file.close()
  }
}

/** Opens a workbook of Excel 97 and before, or a binary one of later versions. */
export const openLegacy = async (source: Source, context: Context): Promise<Workbook> => {
  let book: WorkBook
  let kinds: SheetKind[]
  let media: Picture[]
  let described: Awaited<ReturnType<typeof describe>>
  try {
    kinds = await listLegacySheets(source)
    const bytes = await readBytes(source)
    context.progress(0)
    // The records alone: what else is in a compound file is read here, where it is known to end.
    book = await readWorkbookWithSheetJs(Buffer.from((await findStream(bytes)) ?? bytes))
    media = await listMedia(source, bytes)
    described = await describe(source, bytes, book)
  } catch (error) {
    throw toFailure(error)
  }
  const entries = entriesOf(book, kinds)
  const is1904 = book.Workbook?.WBProps?.date1904 === true
  return {
    is1904,
    facts: {
      properties: described.properties,
      definedNames: (book.Workbook?.Names ?? []).map(({ Name, Ref, Sheet }) => ({
        name: Name,
        refersTo: Ref ?? '',
        ...(Sheet == null ? {} : { sheet: book.SheetNames[Sheet] ?? '' }),
      })),
      externalLinks: [],
      hasMacros: described.hasMacros || entries.some(({ kind }) => kind === 'macrosheet'),
      isProtected: false,
      connections: [],
    },
    media,
    async *readSheets(begin, sheetContext) {
      for (const [index, entry] of entries.entries()) {
        const sheet = book.Sheets[entry.name]
        const sink = begin()
        // Under a chart lies a copy of the numbers that it draws, which are the cells of another sheet.
        const extras = sheet && entry.kind !== 'chartsheet' ? passOn(sheet, sink, is1904) : NO_EXTRAS
        // What was passed on is not needed any more.
        delete book.Sheets[entry.name]
        sheetContext.progress((index + 1) / entries.length)
        yield { entry, extras }
      }
    },
    close: () => undefined,
  }
}

/** What the file says of itself: a compound file beside its records, any other where the engine finds it. */
const describe = async (source: Source, bytes: Buffer, book: WorkBook) => {
  if (!bytes.subarray(0, 4).equals(COMPOUND)) {
    return { properties: propertiesOf(book), hasMacros: book.vbaraw !== undefined }
  }
  const file = openCompoundFile(source.path)
  try {
    const { core, application, custom } = await readSummary(file)
    const own = Object.keys(custom).length > 0 ? { custom } : {}
    return { properties: { ...core, ...application, ...own }, hasMacros: file.has('_VBA_PROJECT_CUR') }
  } finally {
    file.close()
  }
}

const listMedia = async (source: Source, bytes: Buffer): Promise<Picture[]> => {
  const stream = await findStream(bytes)
  if (stream) return findBiffPictures(stream)
  if (!bytes.subarray(0, 2).equals(ZIP)) return []
  const archive = await openArchive(source.path)
  try {
    return listPictures(archive, source.path, 'xl/media/')
  } finally {
    archive.close()
  }
}

/** Properties that every file may have, by the engine's names and by ours; others are the user's own. */
const PROPERTY_NAMES: Readonly<Record<string, string>> = {
  Title: 'title',
  Subject: 'subject',
  Author: 'author',
  Keywords: 'keywords',
  Comments: 'description',
  LastAuthor: 'lastModifiedBy',
  CreatedDate: 'created',
  ModifiedDate: 'modified',
  LastPrinted: 'lastPrinted',
  Category: 'category',
  ContentStatus: 'contentStatus',
  Language: 'language',
  Application: 'application',
  AppVersion: 'applicationVersion',
  Template: 'template',
  Company: 'company',
  Manager: 'manager',
}
const SKIPPED = new Set(
  `SheetNames Worksheets Chartsheets ChartNames NamedRanges DefinedNames TitlesOfParts HeadingPairs DocSecurity CodePage
  Thumbnail SystemIdentifier FMTID ScaleCrop SharedDoc LinksUpToDate HyperlinksChanged RevNumber EditTime Behavior Locale
  Dictionary PageCount WordCount CharCount`.split(/\s+/),
)

const propertiesOf = ({ Props = {}, Custprops = {} }: WorkBook): Record<string, unknown> => {
  const known: [string, unknown][] = []
  const custom: [string, unknown][] = []
  for (const [name, value] of Object.entries({ ...Custprops, ...Props })) {
    const plain = value instanceof Date ? value.toISOString() : value
    if (SKIPPED.has(name) || plain === '' || !['string', 'number', 'boolean'].includes(typeof plain)) continue
    const ours = PROPERTY_NAMES[name]
    if (ours) known.push([ours, plain])
    else custom.push([name, plain])
  }
  return { ...Object.fromEntries(known), ...(custom.length > 0 ? { custom: Object.fromEntries(custom) } : {}) }
}

type DenseSheet = WorkSheet & { '!data'?: (CellObject | undefined)[][] }

const passOn = (sheet: DenseSheet, sink: CellSink, is1904: boolean): SheetExtras => {
  const comments: Comment[] = []
  const hyperlinks: Hyperlink[] = []
  const hiddenRows = new Set<number>()
  sheet['!rows']?.forEach((row, index) => {
    if (row?.hidden) hiddenRows.add(index)
  })
  // Lists with holes: only what is there is visited, wherever a file puts its cells.
  sheet['!data']?.forEach((cells, row) => {
    sink.row(row, hiddenRows.has(row))
    cells?.forEach((cell, column) => {
      if (!cell) return
      passOnCell(cell, column, sink, is1904)
      for (const note of cell.c ?? []) {
        comments.push({
          row,
          column,
          ...(note.a ? { author: note.a } : {}),
          text: withoutAuthor(String(note.t ?? '').trim(), note.a),
        })
      }
      if (cell.l?.Target) {
        const range = { top: row, left: column, bottom: row, right: column }
        hyperlinks.push({ range, target: cell.l.Target, ...(cell.l.Tooltip ? { tooltip: cell.l.Tooltip } : {}) })
      }
    })
  })
  const hiddenColumns: { first: number; last: number }[] = []
  sheet['!cols']?.forEach((column, index) => {
    if (column?.hidden) hiddenColumns.push({ first: index, last: index })
  })
  return {
    ...NO_EXTRAS,
    merges: (sheet['!merges'] ?? []).map(({ s, e }) => ({ top: s.r, left: s.c, bottom: e.r, right: e.c })),
    comments,
    hyperlinks,
    hiddenColumns,
    isProtected: sheet['!protect'] !== undefined,
  }
}

const ERRORS: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
  43: '#GETTING_DATA',
}

/** What the engine calls the formats of the system's short date, which Excel shows with the whole year. */
const SHORT_DATES: Readonly<Record<string, string>> = { 'm/d/yy': 'm/d/yyyy', 'm/d/yy h:mm': 'm/d/yyyy h:mm' }

const passOnCell = (cell: CellObject, column: number, sink: CellSink, is1904: boolean): void => {
  const formula = cell.f ?? ''
  const code = typeof cell.z === 'string' ? cell.z : 'General'
  const format = compileFormat(SHORT_DATES[code] ?? code)
  switch (cell.t) {
    case 'n':
      sinkNumber(sink, column, String(cell.v ?? ''), format, is1904, formula)
      return
    case 's': {
      const text = String(cell.v ?? '').replace(/\r\n?/g, '\n')
      const shown = format.formatText(text)
      if (text !== '' || formula !== '') sink.cell(column, 'text', shown, shown === text ? '' : text, formula)
      return
    }
    case 'b':
      sink.cell(column, 'boolean', cell.v ? 'TRUE' : 'FALSE', String(Boolean(cell.v)), formula)
      return
    case 'e':
      sink.cell(column, 'error', ERRORS[Number(cell.v)] ?? '#ERROR!', '', formula)
  }
}
