import { type Context, defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { escapeInline, escapeLineStart, fillTableRow, tableRule, writeTable } from '../shared/markdown.ts'
import { nameChart } from '../shared/ooxml/charts.ts'
import { passwordOption } from '../shared/password-option.ts'
import { tablesOf } from './find-bands.ts'
import { nameImages } from './image-names.ts'
import { layOutRow } from './lay-out-row.ts'
import { LOADED_SHARE, type LoadedSheet, loadWorkbook, warnDamage } from './load-workbook.ts'
import { createMergeFiller, mergedCellsOption } from './merged-cells.ts'
import { chooseSheets, includeHiddenOption } from './sheet-options.ts'
import { readSpool } from './spool.ts'
import { spreadProgress } from './spread-progress.ts'
import type { Chart } from './workbook.ts'

type MarkdownOptions = { includeHidden: boolean; mergedCells: 'repeat' | 'blank'; charts: boolean; maxRows: number }

/** A section per sheet, a table for each block of cells that blank rows or columns set apart. */
export const markdown = defineCapability({
  id: 'excel.markdown',
  output: 'markdown',
  defaultSelected: true,
  detail: 'Markdown: a section per sheet, a pipe table for each block of cells, then text boxes and pictures.',
  options: {
    password: passwordOption,
    includeHidden: includeHiddenOption,
    mergedCells: mergedCellsOption('repeat'),
    charts: {
      type: 'boolean',
      defaultValue: false,
      detail: 'Add a table of the numbers that each chart draws.',
    },
    maxRows: {
      type: 'integer',
      min: 1,
      max: 1_048_576,
      defaultValue: 50_000,
      detail: 'Rows written of each sheet; what comes after is left out, with a warning.',
    },
  },
  async *extract(source, options, context) {
    const workbook = await loadWorkbook(source, context, options.password)
    warnDamage(context, workbook)
    const sheets = chooseSheets(workbook, options.includeHidden, context).filter(
      (sheet) => sheet.kind === 'worksheet' || !isBlank(sheet, options.charts),
    )
    if (sheets.every((sheet) => isBlank(sheet, options.charts))) {
      context.warn('excel.no_cells', 'The sheets are empty.')
      return
    }
    const images = context.selected.has('excel.images') ? nameImages(workbook) : undefined
    yield {
      path: artifactPath(source, 'markdown', 'md'),
      mediaType: 'text/markdown; charset=utf-8',
      data: (async function* () {
        const share = spreadProgress(context, LOADED_SHARE, sheets.length)
        for (const [index, sheet] of sheets.entries()) {
          yield `${index === 0 ? '' : '\n'}## ${escapeInline(sheet.name)}\n`
          yield* writeCells(sheet, options, context, share(index))
          for (const { text } of sheet.extras.shapes) yield `\n${writeParagraph(text)}\n`
          if (options.charts) for (const chart of sheet.extras.charts) yield writeChart(chart)
          for (const { path, alt } of images?.get(sheet.name) ?? []) {
            yield `\n![${escapeInline(alt)}](../${encodeURI(path).replace(/[()]/g, encodeURIComponent)})\n`
          }
        }
      })(),
    }
  },
})

const isBlank = ({ spool, extras }: LoadedSheet, withCharts: boolean): boolean =>
  spool.shownCells === 0 &&
  extras.shapes.length === 0 &&
  extras.pictures.length === 0 &&
  (extras.charts.length === 0 || !withCharts)

async function* writeCells(
  { name, spool, extras }: LoadedSheet,
  { mergedCells, maxRows }: MarkdownOptions,
  context: Context,
  onShare: (share: number) => void,
): AsyncGenerator<string> {
  let written = 0
  for (const band of spool.bands) {
    let mostRows = 0
    for (const columns of tablesOf(band)) {
      const filler = mergedCells === 'repeat' ? createMergeFiller(extras.merges) : undefined
      let rows = 0
      for await (const batch of readSpool(spool, context, undefined, band)) {
        let out = ''
        for (const row of batch) {
          if (written + rows >= maxRows) break
          const texts = layOutRow(row, columns, filler)
          if (texts.every((text) => text === '')) continue
          out += rows === 0 ? `\n${fillTableRow(texts, columns.length)}${tableRule(columns.length)}` : ''
          if (rows > 0) out += fillTableRow(texts, columns.length)
          rows++
        }
        yield out
        if (written + rows >= maxRows) break
      }
      mostRows = Math.max(mostRows, rows)
    }
    written += mostRows
    onShare(band.end / Math.max(1, spool.bytes))
    if (written < maxRows || band === spool.bands.at(-1)) continue
    break
  }
  const all = spool.bands.reduce((sum, { top, bottom }) => sum + bottom - top + 1, 0)
  if (all > maxRows) {
    context.warn('excel.rows_left_out', `Sheet "${name}" has ${all} rows; the first ${maxRows} are written.`)
  }
}

const writeParagraph = (text: string): string =>
  text
    .split('\n')
    .map((line) => escapeLineStart(escapeInline(line.trim())))
    .filter((line) => line !== '')
    .join('\\\n')

const writeChart = ({ title = '', kind = '', rows }: Chart): string => {
  const [head, ...rest] = rows
  return `\n**${escapeInline(nameChart({ title, kind }))}**\n${head ? `\n${writeTable(head, rest)}` : ''}`
}
