import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Context } from '../../core/catalog.ts'
import { overLimit } from '../shared/decode.ts'
import { MAX_COLUMNS, MAX_ROWS, type Range } from './cell-reference.ts'
import { type Band, createBandFinder } from './find-bands.ts'
import type { CellKind, CellSink } from './workbook.ts'

/**
 * The cells of a sheet in a file, or in memory while they are few: every capability reads them from there, however the
 * source keeps them, and a million rows need no memory. A row is its number, a mark where it is hidden, and its cells, between control characters that no cell
 * may hold.
 */
export type Spool = {
  /** A file of the job, or the content itself. */
  readonly place: string | Buffer
  readonly bytes: number
  /** Rectangle around the cells that show something; undefined where none does. */
  readonly used: Range | undefined
  readonly rows: number
  readonly cells: number
  /** Cells that show something. */
  readonly shownCells: number
  readonly formulas: number
  readonly hiddenRows: number
  readonly bands: readonly Band[]
  /** Something was cut off: cells outside of any sheet, or texts over the limit. */
  readonly isTruncated: boolean
}

export type SpooledCell = {
  column: number
  shown: string
  /** The rest as it lies in the file; `readDetails` takes it apart. */
  details: string
}
export type CellDetails = { kind: CellKind; value: string; formula: string; format: string }
export type SpooledRow = { index: number; isHidden: boolean; cells: SpooledCell[] }

const FIELD = '\u001f'
const CELL = '\u001e'
const ROW = '\u001d'
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const SEPARATOR = /[\u001d-\u001f]/
const KINDS: readonly CellKind[] = ['text', 'number', 'date', 'boolean', 'error']
const KIND_CODES: Readonly<Record<CellKind, string>> = { text: '0', number: '1', date: '2', boolean: '3', error: '4' }

/** Excel itself takes 32,767 characters in a cell. */
export const MAX_CELL_CHARACTERS = 131_072
const MAX_ROW_CHARACTERS = 64 * 1024 ** 2
const MAX_SORTED_BYTES = 128 * 1024 ** 2
const WRITE_CHARACTERS = 262_144
const BATCH_ROWS = 2_000

/** Bytes that the sheets of a workbook may keep in memory, together. */
export type SpoolMemory = { freeBytes: number }
export const createSpoolMemory = (): SpoolMemory => ({ freeBytes: 4 * 1024 ** 2 })

/** Begins a sheet's cells, in `file` where the memory is used up; without details only what they show is kept. */
export const createSpool = (
  file: string,
  isDetailed: boolean,
  memory: SpoolMemory = createSpoolMemory(),
): { sink: CellSink; finish(): Spool; abandon(): void } => {
  let descriptor: number | undefined
  let held: Buffer[] = []
  const formats = new Set<string>()
  const bands = createBandFinder()
  let bytes = 0
  let pending = ''
  let line = ''
  let row = -1
  let lastRow = -1
  let isAscending = true
  let [rows, cells, shownCells, formulas, hiddenRows] = [0, 0, 0, 0, 0]
  let isTruncated = false

  const flush = (): void => {
    if (pending === '') return
    const content = Buffer.from(pending)
    pending = ''
    bytes += content.length
    if (descriptor === undefined && content.length <= memory.freeBytes) {
      memory.freeBytes -= content.length
      held.push(content)
      return
    }
    descriptor ??= openSync(file, 'w', 0o600)
    for (const piece of [...held.splice(0), content]) writeWhole(descriptor, piece)
  }
  const endFile = (): string | Buffer => {
    if (descriptor === undefined) return Buffer.concat(held)
    closeSync(descriptor)
    return file
  }
  const endRow = (): void => {
    if (row < 0) return
    const { isNewBand } = bands.endRow(row)
    if (isNewBand) {
      flush()
      bands.markOffset(bytes)
    }
    if (line !== '') {
      pending += line + ROW
      rows++
      if (pending.length > WRITE_CHARACTERS) flush()
    }
    line = ''
    row = -1
  }
  const clean = (text: string): string => {
    if (text.length > MAX_CELL_CHARACTERS) {
      isTruncated = true
      return clean(text.slice(0, MAX_CELL_CHARACTERS))
    }
    return SEPARATOR.test(text) ? text.replace(new RegExp(SEPARATOR, 'g'), ' ') : text
  }

  let isHiddenRow = false
  const sink: CellSink = {
    row(index, isHidden) {
      endRow()
      if (index < 0 || index >= MAX_ROWS) {
        isTruncated = true
        return
      }
      if (index <= lastRow) isAscending = false
      row = lastRow = index
      isHiddenRow = isHidden
      if (isHidden) hiddenRows++
    },
    cell(column, kind, shown, value, formula = '', format = '') {
      if (row < 0) return
      if (column < 0 || column >= MAX_COLUMNS) {
        isTruncated = true
        return
      }
      if (line === '') line = isHiddenRow ? `${row}h` : String(row)
      const text = clean(shown)
      line += `${CELL}${column}${FIELD}${text}`
      if (isDetailed && (kind !== 'text' || value !== '' || formula !== '' || format !== '')) {
        line += `${FIELD}${KIND_CODES[kind]}${clean(value)}`
        if (formula !== '' || format !== '') line += `${FIELD}${clean(formula)}${FIELD}${clean(format)}`
      }
      if (line.length > MAX_ROW_CHARACTERS) throw overLimit('rowCharacters', MAX_ROW_CHARACTERS)
      cells++
      if (formula !== '') formulas++
      if (format !== '' && formats.size < 1_000) formats.add(format)
      if (text === '') return
      shownCells++
      bands.cell(column)
    },
    cutOff() {
      isTruncated = true
    },
  }

  return {
    sink,
    finish() {
      endRow()
      flush()
      const place = endFile()
      held = []
      if (!isAscending) return sortSpool(file, place, isDetailed, { formulas, hiddenRows, isTruncated })
      const { used, found } = bands.finish(bytes)
      return { place, bytes, used, rows, cells, shownCells, formulas, hiddenRows, bands: found, isTruncated }
    },
    abandon() {
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}

const writeWhole = (descriptor: number, content: Buffer): void => {
  for (let done = 0; done < content.length; ) done += writeSync(descriptor, content, done)
}

/** A sheet whose rows are out of order, as some programs write them, is put in order once. */
const sortSpool = (
  file: string,
  place: string | Buffer,
  isDetailed: boolean,
  counts: Pick<Spool, 'formulas' | 'hiddenRows' | 'isTruncated'>,
): Spool => {
  const bytes = typeof place === 'string' ? statSync(place).size : place.length
  if (bytes > MAX_SORTED_BYTES) throw overLimit('unsortedBytes', MAX_SORTED_BYTES)
  const byRow = new Map<number, SpooledRow>()
  const text = typeof place === 'string' ? readFileSync(place, 'utf8') : place.toString()
  for (const line of text.split(ROW)) {
    if (line === '') continue
    const row = readRow(line)
    const known = byRow.get(row.index)
    if (known) known.cells.push(...row.cells)
    else byRow.set(row.index, row)
  }
  const sorted = createSpool(file, isDetailed)
  for (const row of [...byRow.values()].sort((a, b) => a.index - b.index)) {
    sorted.sink.row(row.index, row.isHidden)
    for (const { column, shown, details } of row.cells) {
      const { kind, value, formula, format } = readDetails(details)
      sorted.sink.cell(column, kind, shown, value, formula, format)
    }
  }
  return { ...sorted.finish(), ...counts }
}

const readRow = (line: string): SpooledRow => {
  const cells: SpooledCell[] = []
  let last = -1
  let isSorted = true
  let at = line.indexOf(CELL)
  const head = at < 0 ? line : line.slice(0, at)
  while (at >= 0) {
    const next = line.indexOf(CELL, at + 1)
    const end = next < 0 ? line.length : next
    let column = 0
    let field = at + 1
    for (; line.charCodeAt(field) !== FIELD_CODE && field < end; field++)
      column = column * 10 + line.charCodeAt(field) - 48
    const shownEnd = line.indexOf(FIELD, field + 1)
    const hasDetails = shownEnd >= 0 && shownEnd < end
    cells.push({
      column,
      shown: line.slice(field + 1, hasDetails ? shownEnd : end),
      details: hasDetails ? line.slice(shownEnd + 1, end) : '',
    })
    if (column <= last) isSorted = false
    last = column
    at = next
  }
  return {
    index: Number.parseInt(head, 10),
    isHidden: head.endsWith('h'),
    cells: isSorted ? cells : [...new Map(cells.map((cell) => [cell.column, cell])).values()].sort(byColumn),
  }
}
const FIELD_CODE = 0x1f

/** What a cell is besides what it shows. */
export const readDetails = (details: string): CellDetails => {
  const [typed = '0', formula = '', format = ''] = details.split(FIELD)
  return { kind: KINDS[typed.charCodeAt(0) - 48] ?? 'text', value: typed.slice(1), formula, format }
}
const byColumn = (a: SpooledCell, b: SpooledCell): number => a.column - b.column

/** Reads rows back in batches, of the whole sheet or of a band of it. */
export async function* readSpool(
  spool: Spool,
  context: Context,
  onShare: (share: number) => void = () => undefined,
  { start, end }: { start: number; end: number } = { start: 0, end: spool.bytes },
): AsyncGenerator<SpooledRow[]> {
  if (end <= start) return
  if (typeof spool.place !== 'string') {
    context.signal.throwIfAborted()
    const lines = spool.place.toString('utf8', start, end).split(ROW)
    lines.pop()
    for (let at = 0; at < lines.length; at += BATCH_ROWS) {
      yield lines.slice(at, at + BATCH_ROWS).map(readRow)
      onShare(Math.min(1, (at + BATCH_ROWS) / lines.length))
    }
    return
  }
  const handle = await open(spool.place, 'r')
  try {
    const decoder = new TextDecoder()
    const stream = handle.createReadStream({ start, end: end - 1, highWaterMark: 262_144, autoClose: false })
    let rest = ''
    let read = 0
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      context.signal.throwIfAborted()
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(ROW)
      rest = lines.pop() ?? ''
      if (lines.length > 0) yield lines.map(readRow)
      read += chunk.length
      onShare(read / (end - start))
    }
  } finally {
    await handle.close()
  }
}
