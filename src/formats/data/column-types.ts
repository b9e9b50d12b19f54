/** What the cells of a column have in common. */
export type ColumnType = 'integer' | 'number' | 'boolean' | 'date' | 'datetime' | 'time' | 'text' | 'empty'

const INTEGER = 1
const NUMBER = 2
const BOOLEAN = 4
const DATE = 8
const DATETIME = 16
const TIME = 32
/** 1.234,56 as most of Europe writes it. */
const DECIMAL_COMMA = 64
const ANY = 127

// Leading zeros are kept as text: they belong to codes, not to numbers.
const INTEGER_TEXT = /^[+-]?(?:0|[1-9]\d{0,17})$/
const NUMBER_TEXT = /^[+-]?(?:(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,3})?$/
const DECIMAL_COMMA_TEXT = /^[+-]?(?:\d{1,3}(?:\.\d{3}){1,8}|0|[1-9]\d{0,17})(?:,\d{1,18})?$/
const DATE_TEXT = /^(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d{2}))$/
const DATETIME_TEXT =
  /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?:T| {1,2})\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?[AaPp][Mm])?(?: ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?$/
const TIME_TEXT = /^\d{1,3}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?[AaPp][Mm])?$/
const BOOLEAN_TEXT = /^(?:true|false|yes|no)$/i

/** Ways to write that a value is missing. */
const MISSING = new Set(['', 'NA', 'N/A', 'n/a', '#N/A', 'null', 'NULL', 'Null', 'NaN', 'nan', 'None', '-'])
export const isMissing = (cell: string): boolean => cell.length <= 4 && MISSING.has(cell.trim())

const classify = (cell: string): number => {
  const text = cell.trim()
  if (text.length > 48) return 0
  const first = text.charCodeAt(0)
  const startsNumeric = (first >= 48 && first <= 57) || first === 43 || first === 45 || first === 46
  if (!startsNumeric) return BOOLEAN_TEXT.test(text) ? BOOLEAN : 0
  if (INTEGER_TEXT.test(text)) return INTEGER | NUMBER | DECIMAL_COMMA
  let found = 0
  if (NUMBER_TEXT.test(text)) found |= NUMBER
  if (DECIMAL_COMMA_TEXT.test(text)) found |= DECIMAL_COMMA
  if (DATE_TEXT.test(text)) found |= DATE
  else if (TIME_TEXT.test(text)) found |= TIME
  else if (DATETIME_TEXT.test(text)) found |= DATETIME
  return found
}

/** What one column turned out to hold. */
export type ColumnSurvey = {
  type: ColumnType
  decimal?: ','
  filled: number
  missing: number
  longestCharacters: number
}

/** Narrows down the type of a column, cell by cell. */
export class ColumnTracker {
  #possible = ANY
  #filled = 0
  #typed = 0
  #missing = 0
  #longest = 0

  add(cell: string): void {
    if (cell.length > this.#longest) this.#longest = cell.length
    if (cell === '') {
      this.#missing++
      return
    }
    this.#filled++
    if (this.#possible === 0) return
    if (isMissing(cell)) return
    this.#typed++
    this.#possible &= classify(cell)
  }

  finish(rows: number): ColumnSurvey {
    const missing = this.#missing + Math.max(0, rows - this.#filled - this.#missing)
    const base = { filled: this.#filled, missing, longestCharacters: this.#longest }
    if (this.#filled === 0) return { type: 'empty', ...base }
    if (this.#typed === 0) return { type: 'text', ...base }
    const type = nameType(this.#possible)
    const comma = type === 'number' && (this.#possible & NUMBER) === 0
    return { type, ...(comma ? { decimal: ',' as const } : {}), ...base }
  }
}

const nameType = (possible: number): ColumnType => {
  if (possible & INTEGER) return 'integer'
  if (possible & (NUMBER | DECIMAL_COMMA)) return 'number'
  if (possible & BOOLEAN) return 'boolean'
  if (possible & DATE) return 'date'
  if (possible & DATETIME) return 'datetime'
  if (possible & TIME) return 'time'
  return 'text'
}

/** The type that a single cell would give a column of its own. */
export const typeOfCell = (cell: string): ColumnType => {
  if (cell.trim() === '') return 'empty'
  return nameType(classify(cell))
}

/** A cell as a JSON value of its column's type, digit for digit. */
export const toJsonValue = (cell: string, { type, decimal }: Pick<ColumnSurvey, 'type' | 'decimal'>): string => {
  const text = cell.trim()
  if (text === '' || (type !== 'text' && isMissing(cell))) return 'null'
  if (type === 'boolean') return /^[ty]/i.test(text) ? 'true' : 'false'
  if (type !== 'integer' && type !== 'number') return JSON.stringify(cell)
  const dotted = decimal ? text.replaceAll('.', '').replace(',', '.') : text
  const plain = dotted.replace(/^\+/, '').replace(/^(-?)\./, '$10.')
  // A reader would lose the last digits of a greater integer.
  return /^-?\d+$/.test(plain) && !Number.isSafeInteger(Number(plain)) ? JSON.stringify(text) : plain
}
