import type { Context } from '../../core/catalog.ts'
import type { LoadedSheet, LoadedWorkbook } from './load-workbook.ts'

/** Whether hidden sheets are part of what is written; hidden rows and columns always are. */
export const includeHiddenOption = {
  type: 'boolean',
  defaultValue: false,
  shared: true,
  detail: 'Write hidden sheets too. Hidden rows and columns of a sheet are always written.',
} as const

/** The sheets to write; those that are hidden only where asked for, or where there are no others. */
export const chooseSheets = (
  { sheets }: LoadedWorkbook,
  includeHidden: boolean,
  context: Context,
): readonly LoadedSheet[] => {
  const visible = sheets.filter(({ visibility }) => visibility === 'visible')
  if (includeHidden || visible.length === 0) return sheets
  const left = sheets.length - visible.length
  if (left > 0) {
    context.warn('excel.hidden_sheets_left_out', `${left} hidden sheets are left out; "includeHidden" writes them.`)
  }
  return visible
}
