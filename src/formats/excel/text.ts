import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { passwordOption } from '../shared/password-option.ts'
import { LOADED_SHARE, loadWorkbook, warnDamage } from './load-workbook.ts'
import { chooseSheets, includeHiddenOption } from './sheet-options.ts'
import { readSpool, type SpooledRow } from './spool.ts'
import { spreadProgress } from './spread-progress.ts'

/** Every sheet under its name, a line per row, cells between tabs. */
export const text = defineCapability({
  id: 'excel.text',
  output: 'text',
  defaultSelected: true,
  detail: 'Plain text: each sheet under its name, a line per row with tabs between cells, then text boxes.',
  options: { password: passwordOption, includeHidden: includeHiddenOption },
  async *extract(source, { password, includeHidden }, context) {
    const workbook = await loadWorkbook(source, context, password)
    warnDamage(context, workbook)
    const sheets = chooseSheets(workbook, includeHidden, context).filter(
      ({ spool, extras }) => spool.shownCells > 0 || extras.shapes.length > 0,
    )
    if (sheets.length === 0) {
      context.warn('excel.no_cells', 'The sheets are empty.')
      return
    }
    yield {
      path: artifactPath(source, 'text', 'txt'),
      mediaType: 'text/plain; charset=utf-8',
      data: (async function* () {
        const share = spreadProgress(context, LOADED_SHARE, sheets.length)
        for (const [index, { name, spool, extras }] of sheets.entries()) {
          yield `${index === 0 ? '' : '\n'}${name}\n\n`
          let lastRow = spool.used?.top ?? 0
          for await (const batch of readSpool(spool, context, share(index))) {
            let out = ''
            for (const row of batch) {
              const line = writeLine(row, spool.used?.left ?? 0)
              if (line === '') continue
              // A gap of any height is one blank line.
              if (row.index > lastRow + 1) out += '\n'
              lastRow = row.index
              out += `${line}\n`
            }
            yield out
          }
          for (const shape of extras.shapes) yield `\n${shape.text}\n`
        }
      })(),
    }
  },
})

/** Beyond this a gap says nothing more. */
const MAX_TABS = 32

/** Columns stay under each other, as long as they do not lie far apart. */
const writeLine = ({ cells }: SpooledRow, left: number): string => {
  let line = ''
  let next = left
  for (const { column, shown } of cells) {
    if (shown === '') continue
    line += column > next ? '\t'.repeat(Math.min(MAX_TABS, column - next)) : ''
    line += /[\t\n]/.test(shown) ? shown.replace(/\s*[\t\n]\s*/g, ' ') : shown
    next = column
  }
  return line
}
