import { safePath, uniquePaths } from '../../core/artifact-names.ts'
import { type Context, defineCapability } from '../../core/catalog.ts'
import { passwordOption } from '../shared/password-option.ts'
import { layOutRow } from './lay-out-row.ts'
import { LOADED_SHARE, type LoadedSheet, loadWorkbook, warnDamage } from './load-workbook.ts'
import { createMergeFiller, mergedCellsOption } from './merged-cells.ts'
import { chooseSheets, includeHiddenOption } from './sheet-options.ts'
import { readSpool } from './spool.ts'
import { spreadProgress } from './spread-progress.ts'

/** Each sheet as a CSV of its own, values as the sheet shows them. */
export const csv = defineCapability({
  id: 'excel.csv',
  output: 'csv',
  defaultSelected: true,
  detail: 'CSV by RFC 4180 in UTF-8, one per sheet, values as shown, from the first used cell to the last.',
  options: { password: passwordOption, includeHidden: includeHiddenOption, mergedCells: mergedCellsOption('blank') },
  async *extract(source, { password, includeHidden, mergedCells }, context) {
    const workbook = await loadWorkbook(source, context, password)
    warnDamage(context, workbook)
    const sheets = chooseSheets(workbook, includeHidden, context).filter(({ spool }) => spool.used)
    if (sheets.length === 0) context.warn('excel.no_cells', 'The sheets are empty.')
    const nextPath = uniquePaths()
    const share = spreadProgress(context, LOADED_SHARE, sheets.length)
    for (const [index, sheet] of sheets.entries()) {
      yield {
        path: nextPath(`csv/${fileNameOf(sheet.name)}.csv`),
        mediaType: 'text/csv; charset=utf-8',
        provenance: { sheet: sheet.name },
        data: writeSheet(sheet, mergedCells, context, share(index)),
      }
    }
  },
})

/** A sheet's name as the name of a file. */
export const fileNameOf = (sheet: string): string => safePath(sheet.replace(/[/\\]/g, '-')) || 'sheet'

/** Places of a rectangle that may be written for each cell that holds something, before gaps are left out. */
const MAX_PLACES_PER_CELL = 200
const ALWAYS_WRITTEN_PLACES = 2_000_000

async function* writeSheet(
  { name, spool, extras }: LoadedSheet,
  mergedCells: 'repeat' | 'blank',
  context: Context,
  onShare: (share: number) => void,
): AsyncGenerator<string> {
  const { used } = spool
  if (!used) return
  const places = (used.bottom - used.top + 1) * (used.right - used.left + 1)
  const isSparse = places > Math.max(ALWAYS_WRITTEN_PLACES, spool.shownCells * MAX_PLACES_PER_CELL)
  if (isSparse) {
    context.warn('excel.gaps_left_out', `Cells of sheet "${name}" lie far apart; empty rows and columns are left out.`)
  }
  const columns = isSparse
    ? [...new Set(spool.bands.flatMap(({ runs }) => runs.flatMap(({ left, right }) => upTo(left, right))))].sort(
        (a, b) => a - b,
      )
    : upTo(used.left, used.right)
  const filler = mergedCells === 'repeat' ? createMergeFiller(extras.merges) : undefined
  const empty = `${','.repeat(Math.max(0, columns.length - 1))}\r\n`
  let next = used.top
  for await (const batch of readSpool(spool, context, onShare)) {
    let out = ''
    for (const row of batch) {
      if (row.index < used.top || row.index > used.bottom) continue
      for (; !isSparse && next < row.index; next++) {
        out += filler ? writeLine(layOutRow({ index: next, cells: [] }, columns, filler)) : empty
      }
      next = row.index + 1
      if (isSparse && row.cells.every(({ shown }) => shown === '')) continue
      out += writeLine(layOutRow(row, columns, filler))
      if (out.length < 65_536) continue
      yield out
      out = ''
    }
    yield out
  }
}

const upTo = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i)

const writeLine = (texts: readonly string[]): string => `${texts.map(quoteCell).join(',')}\r\n`

const quoteCell = (cell: string): string =>
  cell === '' ? cell : needsQuotes(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
const needsQuotes = (cell: string): boolean =>
  /[",\r\n]/.test(cell) || cell.charCodeAt(0) <= 32 || cell.charCodeAt(cell.length - 1) <= 32
