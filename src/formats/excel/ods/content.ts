import { MAX_COLUMNS, MAX_ROWS, type Range } from '../cell-reference.ts'
import { formatGeneral } from '../number-format/format-general.ts'
import { attributeOf, type MarkupEvents } from '../scan-markup.ts'
import { MAX_CELL_CHARACTERS } from '../spool.ts'
import type { CellKind, CellSink, Comment, Hyperlink, SheetEntry } from '../workbook.ts'
import { plainFormula, readIsoDate, readIsoDuration } from './values.ts'

/** What is in a table of the document besides its cells; pictures are still names of entries. */
export type OdsSheet = {
  entry: SheetEntry
  merges: Range[]
  comments: Comment[]
  hyperlinks: Hyperlink[]
  hiddenColumns: { first: number; last: number }[]
  pictures: { part: string; row: number; column: number; alt: string }[]
  shapes: { text: string }[]
  isProtected: boolean
}

const MAX_LISTED = 100_000
/** Cells that the file writes once and repeats: enough for real sheets, little enough for the disk. */
const MAX_REPEATED_CELLS = 1_000_000

const repeated = (tag: string, name: string, most: number): number => {
  const count = Number(attributeOf(tag, name) ?? 1)
  return Number.isInteger(count) && count >= 1 ? Math.min(count, most) : 1
}

type OpenCell = {
  tag: string
  paragraphs: string[]
  text: string
  link?: string
}

/** Reads the content of a spreadsheet document in one pass, table after table. */
export const createContentEvents = (begin: () => CellSink, onSheet: (sheet: OdsSheet) => void): MarkupEvents => {
  const hiddenStyles = new Set<string>()
  let styleName = ''
  let sheet: OdsSheet | undefined
  let sink: CellSink | undefined
  let tableDepth = 0
  let row = 0
  let rowRepeat = 1
  let isRowHidden = false
  let column = 0
  let nextColumn = 0
  let rowCells: (() => void)[] = []
  let cell: OpenCell | undefined
  let paragraphDepth = 0
  let note: { author: string; paragraphs: string[]; text: string } | undefined
  let isCreator = false
  let frame: { depth: number; alt: string; text: string } | undefined
  let frameField: 'alt' | 'text' | undefined
  let repeatedBudget = MAX_REPEATED_CELLS

  const openTable = (tag: string): void => {
    if (++tableDepth > 1) return
    const style = attributeOf(tag, 'table:style-name') ?? ''
    sink = begin()
    sheet = {
      entry: {
        name: attributeOf(tag, 'table:name') ?? 'Sheet',
        kind: 'worksheet',
        visibility: hiddenStyles.has(style) ? 'hidden' : 'visible',
      },
      merges: [],
      comments: [],
      hyperlinks: [],
      hiddenColumns: [],
      pictures: [],
      shapes: [],
      isProtected: attributeOf(tag, 'table:protected') === 'true',
    }
    row = 0
    nextColumn = 0
  }

  const openRow = (tag: string): void => {
    rowRepeat = repeated(tag, 'table:number-rows-repeated', MAX_ROWS)
    isRowHidden = /^(?:collapse|filter)$/.test(attributeOf(tag, 'table:visibility') ?? '')
    column = 0
    rowCells = []
  }

  const closeRow = (): void => {
    if (rowCells.length > 0 && row < MAX_ROWS) {
      const wanted = Math.min(rowRepeat, MAX_ROWS - row)
      const times = Math.max(1, Math.min(wanted, Math.floor(repeatedBudget / rowCells.length)))
      if (times < wanted) sink?.cutOff()
      if (times > 1) repeatedBudget -= times * rowCells.length
      for (let copy = 0; copy < times; copy++) {
        sink?.row(row + copy, isRowHidden)
        for (const write of rowCells) write()
      }
    }
    row += rowRepeat
    rowCells = []
  }

  const openColumn = (tag: string): void => {
    const count = repeated(tag, 'table:number-columns-repeated', MAX_COLUMNS)
    if (/^(?:collapse|filter)$/.test(attributeOf(tag, 'table:visibility') ?? '') && nextColumn < MAX_COLUMNS) {
      sheet?.hiddenColumns.push({ first: nextColumn, last: Math.min(MAX_COLUMNS, nextColumn + count) - 1 })
    }
    nextColumn += count
  }

  const closeCell = ({ tag, paragraphs, link }: OpenCell): void => {
    const count = repeated(tag, 'table:number-columns-repeated', MAX_COLUMNS)
    const { kind, shown, value } = readValue(tag, paragraphs.join('\n'))
    const formula = plainFormula(attributeOf(tag, 'table:formula'))
    const columnSpan = repeated(tag, 'table:number-columns-spanned', MAX_COLUMNS)
    const rowSpan = repeated(tag, 'table:number-rows-spanned', MAX_ROWS)
    if ((columnSpan > 1 || rowSpan > 1) && sheet && sheet.merges.length < MAX_LISTED) {
      sheet.merges.push({ top: row, left: column, bottom: row + rowSpan - 1, right: column + columnSpan - 1 })
    }
    if (link !== undefined && sheet && sheet.hyperlinks.length < MAX_LISTED) {
      sheet.hyperlinks.push({ range: { top: row, left: column, bottom: row, right: column }, target: link })
    }
    if (shown !== '' || formula !== '') {
      const times = Math.max(1, Math.min(count, MAX_COLUMNS - column, repeatedBudget))
      if (times > 1) repeatedBudget -= times
      const first = column
      for (let copy = 0; copy < times; copy++)
        rowCells.push(() => sink?.cell(first + copy, kind, shown, value, formula))
    }
    column += count
  }

  const addText = (text: string): void => {
    if (note) note.text += text
    else if (cell && !frame && cell.text.length < MAX_CELL_CHARACTERS) cell.text += text
    else if (frame && frameField === 'text' && frame.text.length < MAX_CELL_CHARACTERS) frame.text += text
  }

  const open = (name: string, tag: string): void => {
    switch (name) {
      case 'style':
        styleName = attributeOf(tag, 'style:name') ?? ''
        return
      case 'table-properties':
        if (attributeOf(tag, 'table:display') === 'false') hiddenStyles.add(styleName)
        return
      case 'table':
        openTable(tag)
        return
    }
    if (!sheet || tableDepth !== 1) return
    switch (name) {
      case 'table-column':
        openColumn(tag)
        return
      case 'table-row':
        openRow(tag)
        return
      case 'table-cell':
      case 'covered-table-cell':
        cell = { tag, paragraphs: [], text: '' }
        return
      case 'annotation':
        note = { author: '', paragraphs: [], text: '' }
        return
      case 'creator':
        isCreator = note !== undefined
        return
      case 'frame':
      case 'custom-shape':
      case 'rect':
        if (frame) frame.depth++
        else frame = { depth: 1, alt: '', text: '' }
        return
      case 'title':
      case 'desc':
        frameField = frame ? 'alt' : undefined
        return
      case 'image': {
        const part = attributeOf(tag, 'xlink:href')?.replace(/^\.\//, '')
        if (part && !part.includes(':') && sheet.pictures.length < MAX_LISTED) {
          sheet.pictures.push({ part, row, column, alt: '' })
        }
        return
      }
      case 'p':
        paragraphDepth++
        if (frame && !note) frameField = 'text'
        if (note) note.text = ''
        else if (cell && !frame) cell.text = ''
        return
      case 's':
        addText(' '.repeat(repeated(tag, 'text:c', 1_000)))
        return
      case 'tab':
        addText('\t')
        return
      case 'line-break':
        addText('\n')
        return
      case 'a':
        if (cell && cell.link === undefined) {
          const target = attributeOf(tag, 'xlink:href')
          if (target) cell.link = target
        }
    }
  }

  const close = (name: string): void => {
    if (name === 'table') {
      if (--tableDepth === 0 && sheet) onSheet(sheet)
      if (tableDepth === 0) sheet = undefined
      return
    }
    if (!sheet || tableDepth !== 1) return
    switch (name) {
      case 'table-row':
        closeRow()
        return
      case 'table-cell':
      case 'covered-table-cell':
        if (cell) closeCell(cell)
        cell = undefined
        return
      case 'annotation':
        if (note && sheet.comments.length < MAX_LISTED) {
          const { author, paragraphs } = note
          sheet.comments.push({ row, column, ...(author ? { author } : {}), text: paragraphs.join('\n') })
        }
        note = undefined
        return
      case 'creator':
        isCreator = false
        return
      case 'title':
      case 'desc':
        frameField = undefined
        return
      case 'frame':
      case 'custom-shape':
      case 'rect':
        if (!frame || --frame.depth > 0) return
        if (frame.text.trim() !== '' && sheet.shapes.length < MAX_LISTED) sheet.shapes.push({ text: frame.text.trim() })
        if (frame.alt !== '' && sheet.pictures.length > 0) {
          const last = sheet.pictures.at(-1)
          if (last) last.alt = frame.alt
        }
        frame = undefined
        frameField = undefined
        return
      case 'p':
        paragraphDepth--
        if (note) note.paragraphs.push(note.text)
        else if (frame) {
          frame.text += '\n'
          frameField = undefined
        } else if (cell) cell.paragraphs.push(cell.text)
    }
  }

  return {
    open,
    close,
    text(text) {
      if (isCreator && note) note.author += text
      else if (frameField === 'alt' && frame) frame.alt += text
      else if (paragraphDepth > 0) addText(text)
    },
  }
}

const readValue = (tag: string, text: string): { kind: CellKind; shown: string; value: string } => {
  const type = attributeOf(tag, 'office:value-type') ?? attributeOf(tag, 'calcext:value-type')
  switch (type) {
    case 'float':
    case 'currency':
    case 'percentage': {
      const value = attributeOf(tag, 'office:value') ?? ''
      const shown = text || (value === '' ? '' : formatGeneral(Number(value)))
      return { kind: 'number', shown, value: value === shown ? '' : value }
    }
    case 'date': {
      const iso = attributeOf(tag, 'office:date-value') ?? ''
      const serial = readIsoDate(iso)
      return serial === undefined
        ? { kind: 'text', shown: text || iso, value: '' }
        : { kind: 'date', shown: text || iso, value: String(serial) }
    }
    case 'time': {
      const iso = attributeOf(tag, 'office:time-value') ?? ''
      const serial = readIsoDuration(iso)
      return serial === undefined
        ? { kind: 'text', shown: text || iso, value: '' }
        : { kind: 'date', shown: text || iso, value: String(serial) }
    }
    case 'boolean': {
      const value = attributeOf(tag, 'office:boolean-value') === 'true'
      return { kind: 'boolean', shown: text || (value ? 'TRUE' : 'FALSE'), value: String(value) }
    }
    case 'error':
      return { kind: 'error', shown: text, value: '' }
    default:
      return { kind: 'text', shown: text || (attributeOf(tag, 'office:string-value') ?? ''), value: '' }
  }
}
