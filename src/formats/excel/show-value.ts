import type { NumberFormat } from './number-format/compile-format.ts'
import type { CellSink } from './workbook.ts'

const SHORT_INTEGER = /^-?\d{1,10}$/

/** Passes a number on as its format shows it; `text` is the number as the file writes it. */
export const sinkNumber = (
  sink: CellSink,
  column: number,
  text: string,
  format: NumberFormat,
  is1904: boolean,
  formula?: string,
): void => {
  if (format.isGeneral && SHORT_INTEGER.test(text)) {
    sink.cell(column, 'number', text, '', formula)
    return
  }
  const value = Number(text)
  if (text.trim() === '' || Number.isNaN(value)) {
    // A text where a number should be is shown, not lost.
    if (text.trim() !== '') sink.cell(column, 'text', text, '', formula)
    return
  }
  const shown = format.formatNumber(value, is1904)
  const code = format.isGeneral ? '' : format.code
  sink.cell(
    column,
    format.isDate ? 'date' : 'number',
    shown,
    shown === text && !format.isDate ? '' : text,
    formula,
    code,
  )
}
