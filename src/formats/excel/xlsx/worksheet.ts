import type { Context } from '../../../core/catalog.ts'
import type { OfficePackage } from '../../shared/ooxml/package.ts'
import { makePause } from '../../shared/read-chunks.ts'
import { MAX_COLUMNS, type Range, readCellName, readRange } from '../cell-reference.ts'
import { readEntry } from '../entry-content.ts'
import { attributeOf, type MarkupEvents, scanBytes } from '../scan-markup.ts'
import { shiftFormula } from '../shift-formula.ts'
import { sinkNumber } from '../show-value.ts'
import { MAX_CELL_CHARACTERS } from '../spool.ts'
import type { CellSink } from '../workbook.ts'
import { decodeEscapes } from './escapes.ts'
import type { SharedStrings } from './shared-strings.ts'
import type { CellFormats } from './styles.ts'

/** What the part of a worksheet says besides its cells; pointers to other parts are still ids. */
export type WorksheetFacts = {
  merges: Range[]
  hyperlinks: { range: Range; id?: string; location?: string; tooltip?: string }[]
  hiddenColumns: { first: number; last: number }[]
  isProtected: boolean
  isRightToLeft: boolean
  autoFilter?: Range
  frozen?: { rows: number; columns: number }
  dataValidations: number
  conditionalFormats: number
  header?: string
  footer?: string
}

export type WorksheetContext = { strings: SharedStrings; formats: CellFormats; is1904: boolean }

const MAX_LISTED = 200_000
const MAX_FORMULA_CHARACTERS = 65_536
const MAX_SHARED_FORMULAS = 100_000

/** Passes on the cells of a worksheet's part as it is unpacked, and tells what else is in it. */
export const readWorksheet = async (
  file: OfficePackage,
  part: string,
  workbook: WorksheetContext,
  sink: CellSink,
  context: Context,
  onShare: (share: number) => void,
): Promise<WorksheetFacts | undefined> => {
  const entry = file.archive.find(part)
  if (!entry) return undefined
  const facts: WorksheetFacts = {
    merges: [],
    hyperlinks: [],
    hiddenColumns: [],
    isProtected: false,
    isRightToLeft: false,
    dataValidations: 0,
    conditionalFormats: 0,
  }
  const pause = makePause(context)
  await scanBytes(readEntry(file.archive, entry, onShare), createEvents(facts, workbook, sink), pause)
  return facts
}

const createEvents = (facts: WorksheetFacts, workbook: WorksheetContext, sink: CellSink): MarkupEvents => {
  const cells = createCellEvents(workbook, sink)
  let isInData = false
  let headerPart: 'header' | 'footer' | undefined
  return {
    open(name, tag) {
      if (isInData) cells.open(name, tag)
      else if (name === 'sheetData') isInData = true
      else if (name === 'oddHeader') headerPart = 'header'
      else if (name === 'oddFooter') headerPart = 'footer'
      else readFact(facts, name, tag)
    },
    close(name) {
      if (name === 'sheetData') {
        cells.finish()
        isInData = false
      } else if (isInData) cells.close(name)
      else if (name === 'oddHeader' || name === 'oddFooter') headerPart = undefined
    },
    text(text) {
      if (isInData) cells.text(text)
      else if (headerPart) facts[headerPart] = ((facts[headerPart] ?? '') + text).slice(0, 2_000)
    },
  }
}

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true'

const readFact = (facts: WorksheetFacts, name: string, tag: string): void => {
  switch (name) {
    case 'col': {
      const first = Number(attributeOf(tag, 'min'))
      const last = Math.min(MAX_COLUMNS, Number(attributeOf(tag, 'max')))
      if (
        isTrue(attributeOf(tag, 'hidden')) &&
        first >= 1 &&
        last >= first &&
        facts.hiddenColumns.length < MAX_COLUMNS
      ) {
        facts.hiddenColumns.push({ first: first - 1, last: last - 1 })
      }
      return
    }
    case 'mergeCell': {
      const range = readRange(attributeOf(tag, 'ref') ?? '')
      if (range && facts.merges.length < MAX_LISTED) facts.merges.push(range)
      return
    }
    case 'hyperlink': {
      const range = readRange(attributeOf(tag, 'ref') ?? '')
      if (!range || facts.hyperlinks.length >= MAX_LISTED) return
      const id = attributeOf(tag, 'r:id') ?? /\s[\w.-]+:id\s*=\s*["']([^"']+)["']/.exec(tag)?.[1]
      const location = attributeOf(tag, 'location')
      const tooltip = attributeOf(tag, 'tooltip')
      facts.hyperlinks.push({
        range,
        ...(id === undefined ? {} : { id }),
        ...(location === undefined ? {} : { location }),
        ...(tooltip === undefined ? {} : { tooltip }),
      })
      return
    }
    case 'sheetProtection':
      facts.isProtected = isTrue(attributeOf(tag, 'sheet'))
      return
    case 'sheetView':
      facts.isRightToLeft ||= isTrue(attributeOf(tag, 'rightToLeft'))
      return
    case 'pane': {
      const state = attributeOf(tag, 'state') ?? ''
      if (!state.startsWith('frozen')) return
      const [rows, columns] = ['ySplit', 'xSplit'].map((side) => Math.max(0, Number(attributeOf(tag, side) ?? 0) || 0))
      facts.frozen = { rows: rows ?? 0, columns: columns ?? 0 }
      return
    }
    case 'autoFilter': {
      const range = readRange(attributeOf(tag, 'ref') ?? '')
      if (range) facts.autoFilter = range
      return
    }
    case 'dataValidation':
      facts.dataValidations++
      return
    case 'cfRule':
      facts.conditionalFormats++
      return
  }
}

type CellState = { column: number; type: string; style: number; value: string; formula: string; hasFormula: boolean }

/** Rows and cells of the data of a sheet. Places that a file leaves out follow from what came before. */
const createCellEvents = (workbook: WorksheetContext, sink: CellSink) => {
  const shared = new Map<string, { formula: string; row: number; column: number }>()
  let row = -1
  let nextColumn = 0
  let hasCell = false
  const cell: CellState = { column: 0, type: '', style: 0, value: '', formula: '', hasFormula: false }
  let target: 'value' | 'formula' | undefined
  let isInline = false
  let phoneticDepth = 0
  let sharedId: string | undefined

  const openCell = (tag: string): void => {
    const name = attributeOf(tag, 'r')
    const place = name === undefined ? undefined : readCellName(name)
    // A name that is no cell puts the cell outside of the sheet, where it is dropped.
    cell.column = place ? place.column : name === undefined ? nextColumn : -1
    nextColumn = cell.column + 1
    cell.type = attributeOf(tag, 't') ?? 'n'
    cell.style = Number(attributeOf(tag, 's') ?? 0)
    cell.value = ''
    cell.formula = ''
    cell.hasFormula = false
    sharedId = undefined
    hasCell = true
  }

  const openFormula = (tag: string): void => {
    target = 'formula'
    cell.hasFormula = true
    if (attributeOf(tag, 't') === 'shared') sharedId = attributeOf(tag, 'si')
  }

  const formulaOf = (): string => {
    if (!cell.hasFormula) return ''
    const formula = decodeEscapes(cell.formula)
    if (sharedId === undefined) return formula
    if (formula !== '') {
      if (shared.size < MAX_SHARED_FORMULAS) shared.set(sharedId, { formula, row, column: cell.column })
      return formula
    }
    const first = shared.get(sharedId)
    return first ? shiftFormula(first.formula, row - first.row, cell.column - first.column) : ''
  }

  const closeCell = (): void => {
    hasCell = false
    const formula = formulaOf()
    const { value, column } = cell
    if (value === '') {
      if (formula !== '') sink.cell(column, 'text', '', '', formula)
    } else if (cell.type === 'n') {
      sinkNumber(sink, column, value, workbook.formats(cell.style), workbook.is1904, formula)
    } else if (cell.type === 's') {
      sinkText(workbook.strings.get(Number(value)) ?? '', formula)
    } else if (cell.type === 'b') {
      const isSet = isTrue(value.trim())
      sink.cell(column, 'boolean', isSet ? 'TRUE' : 'FALSE', String(isSet), formula)
    } else if (cell.type === 'e') {
      sink.cell(column, 'error', value, '', formula)
    } else if (cell.type === 'd') {
      sinkIsoDate(value, formula)
    } else if (cell.type === 'str' || cell.type === 'inlineStr') {
      sinkText(decodeEscapes(value), formula)
    } else {
      sinkNumber(sink, column, value, workbook.formats(cell.style), workbook.is1904, formula)
    }
  }

  const sinkText = (text: string, formula: string): void => {
    if (text === '' && formula === '') return
    const shown = workbook.formats(cell.style).formatText(text)
    sink.cell(cell.column, 'text', shown, shown === text ? '' : text, formula)
  }

  const sinkIsoDate = (text: string, formula: string): void => {
    const ms = Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`)
    const serial = ms / 86_400_000 + (workbook.is1904 ? 24_107 : 25_569)
    const format = workbook.formats(cell.style)
    if (Number.isNaN(ms)) sinkText(text, formula)
    else if (format.isDate) sinkNumber(sink, cell.column, String(serial), format, workbook.is1904, formula)
    else sink.cell(cell.column, 'date', text, String(serial), formula)
  }

  return {
    open(name: string, tag: string): void {
      if (name === 'c') openCell(tag)
      else if (name === 'v') target = 'value'
      else if (name === 't') target = isInline && phoneticDepth === 0 ? 'value' : undefined
      else if (name === 'row') {
        const number = attributeOf(tag, 'r')
        row = number === undefined ? row + 1 : Number(number) - 1
        if (!Number.isInteger(row)) row = -1
        nextColumn = 0
        sink.row(row, isTrue(attributeOf(tag, 'hidden')))
      } else if (name === 'f') openFormula(tag)
      else if (name === 'is') isInline = true
      else if (name === 'rPh') phoneticDepth++
    },
    close(name: string): void {
      target = undefined
      if (name === 'c') closeCell()
      else if (name === 'is') isInline = false
      else if (name === 'rPh') phoneticDepth--
    },
    text(text: string): void {
      if (target === undefined || !hasCell) return
      if (target === 'formula') {
        if (cell.formula.length <= MAX_FORMULA_CHARACTERS) cell.formula += text
      } else if (cell.value.length <= MAX_CELL_CHARACTERS) cell.value += text
    },
    finish(): void {
      shared.clear()
    },
  }
}
