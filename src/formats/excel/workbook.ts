import type { Context } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import type { Range } from './cell-reference.ts'

/**
 * A workbook, whatever file it came from. Cells never lie in memory: a reader passes them on row by row, and they are
 * kept in a file of the job (`spool.ts`) that every capability reads.
 */
export type Workbook = {
  /** Days are counted from 1904. */
  readonly is1904: boolean
  /** What `excel.metadata` tells about the file as a whole. */
  readonly facts: WorkbookFacts
  /** All pictures of the file: also those that no sheet shows, such as backgrounds and pictures in cells. */
  readonly media: readonly Picture[]
  /**
   * Reads all tabs in their order, those without cells included. `begin` gives the sink of the next tab; progress goes
   * from 0 to 1.
   */
  readSheets(begin: () => CellSink, context: Context): AsyncIterable<ReadSheet>
  close(): void
}

export type ReadSheet = {
  entry: SheetEntry
  extras: SheetExtras
  /** Why the sheet could be read only up to some place. */
  problem?: JobFailure
}

export type SheetEntry = {
  name: string
  kind: 'worksheet' | 'chartsheet' | 'dialogsheet' | 'macrosheet'
  visibility: 'visible' | 'hidden' | 'very-hidden'
}

export type CellKind = 'number' | 'date' | 'text' | 'boolean' | 'error'

/** Takes the cells of one sheet. Rows come in any order, the cells of a row together. */
export type CellSink = {
  row(index: number, isHidden: boolean): void
  /**
   * `shown` is what the sheet displays, `value` what it stands for, written for programs: digits, `true`, a serial
   * number of days; empty where it is the same as what is shown.
   */
  cell(column: number, kind: CellKind, shown: string, value: string, formula?: string, format?: string): void
  /** Tells that something of the sheet is not passed on. */
  cutOff(): void
}

export type Comment = { row: number; column: number; author?: string; text: string }
export type Hyperlink = { range: Range; target: string; tooltip?: string }
export type Anchor = { range?: Range }
export type Picture = Anchor & {
  /** Name of the part or object that holds it. */
  part: string
  mediaType: string
  extension: string
  alt?: string
  name?: string
  read(): AsyncIterable<Uint8Array>
}
/** A chart as a table of the numbers that it draws, the names of its series first. */
export type Chart = Anchor & { title?: string; kind?: string; rows: readonly (readonly string[])[] }
export type ListTable = { name: string; range: Range; columns: readonly string[]; hasHeader: boolean }

/** What is in a sheet besides its cells. */
export type SheetExtras = {
  merges: readonly Range[]
  comments: readonly Comment[]
  hyperlinks: readonly Hyperlink[]
  hiddenColumns: readonly { first: number; last: number }[]
  pictures: readonly Picture[]
  charts: readonly Chart[]
  /** Text of shapes and text boxes. */
  shapes: readonly (Anchor & { text: string })[]
  tables: readonly ListTable[]
  pivotTables: readonly { name: string; range?: Range }[]
  isProtected: boolean
  autoFilter?: Range
  /** Rows and columns that stay in sight. */
  frozen?: { rows: number; columns: number }
  isRightToLeft: boolean
  dataValidations: number
  conditionalFormats: number
  header?: string
  footer?: string
}

export const NO_EXTRAS: SheetExtras = {
  merges: [],
  comments: [],
  hyperlinks: [],
  hiddenColumns: [],
  pictures: [],
  charts: [],
  shapes: [],
  tables: [],
  pivotTables: [],
  isProtected: false,
  isRightToLeft: false,
  dataValidations: 0,
  conditionalFormats: 0,
}

export type WorkbookFacts = {
  properties: Readonly<Record<string, unknown>>
  definedNames: readonly { name: string; refersTo: string; sheet?: string; hidden?: true }[]
  externalLinks: readonly string[]
  hasMacros: boolean
  isProtected: boolean
  connections: readonly string[]
}

/** Whether a failure leaves what was read before it: a damaged part, not an attack and not a limit. */
export const isDamage = (error: unknown): error is JobFailure =>
  error instanceof JobFailure && error.code === 'extract.source_unreadable' && error.params.reason !== 'doctype'
