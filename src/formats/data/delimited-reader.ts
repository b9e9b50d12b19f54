import { overLimit } from '../shared/decode.ts'

/** How the cells of a delimited file are written. */
export type Dialect = {
  /** Empty where a line is one cell. */
  delimiter: string
  /** Empty where cells are never quoted. */
  quote: string
  /** How a quote inside a quoted cell is written. */
  escape: 'doubled' | 'backslash'
}

export const MAX_COLUMNS = 16_384
export const MAX_CELL_CHARACTERS = 4 * 1_048_576

const LF = 10
const CR = 13
const SPACE = 32
const BACKSLASH = 92

/**
 * Cuts delimited text, given piece by piece, into rows of cells. It never refuses a file: quotes that are not closed or
 * not escaped are taken as they stand.
 */
export class DelimitedReader {
  readonly #delimiter: number
  readonly #quote: number
  readonly #backslash: boolean
  /** Text that is not cut yet: the cell being read, from its first character on. */
  #text = ''
  /** Where the search for the end of a quoted cell goes on. */
  #searchedTo = 0
  #literalQuote = false
  #row: string[] = []
  #rows: string[][] = []
  #skipLineFeed = false

  constructor(dialect: Dialect) {
    this.#delimiter = dialect.delimiter.charCodeAt(0)
    this.#quote = dialect.quote === '' ? -1 : dialect.quote.charCodeAt(0)
    this.#backslash = dialect.escape === 'backslash'
  }

  /** The rows that are complete after this piece. */
  write(piece: string): string[][] {
    this.#text = this.#text === '' ? piece : this.#text + piece
    this.#cut(false)
    return this.#rows.splice(0)
  }

  /** The rows that were still open at the end of the text. */
  end(): string[][] {
    this.#cut(true)
    if (this.#row.length > 0) this.#endRow()
    return this.#rows.splice(0)
  }

  #endRow(): void {
    // A line with nothing on it is no row.
    if (this.#row.length > 1 || this.#row[0] !== '') this.#rows.push(this.#row)
    this.#row = []
  }

  #push(cell: string): void {
    if (this.#row.length >= MAX_COLUMNS) throw overLimit('columns', MAX_COLUMNS)
    this.#row.push(cell)
  }

  #cut(isEnd: boolean): void {
    const text = this.#text
    const length = text.length
    let at = 0
    while (at < length || (isEnd && this.#row.length > 0 && at === length)) {
      if (this.#skipLineFeed) {
        this.#skipLineFeed = false
        if (text.charCodeAt(at) === LF) {
          at++
          continue
        }
      }
      const open = this.#literalQuote ? -1 : this.#findOpeningQuote(text, at)
      const end = open >= 0 ? this.#readQuoted(at, open, isEnd) : this.#readPlain(at, isEnd)
      if (end === WAIT) break
      at = end
      if (at > length) break
    }
    this.#text = at >= length ? '' : text.slice(at)
    // The place of the search counts from the start of the cell, which has moved.
    if (at > 0) this.#searchedTo = 0
    if (this.#text.length > MAX_CELL_CHARACTERS) throw overLimit('cellCharacters', MAX_CELL_CHARACTERS)
  }

  /** Blanks before a quote do not belong to the cell. */
  #findOpeningQuote(text: string, from: number): number {
    let at = from
    if (this.#delimiter !== SPACE) while (text.charCodeAt(at) === SPACE && at - from < 100) at++
    return text.charCodeAt(at) === this.#quote ? at : -1
  }

  /** Ends the cell at the delimiter or line end at `at`; gives the place behind it. */
  #finishCell(cell: string, at: number): number {
    this.#literalQuote = false
    this.#push(cell)
    const code = this.#text.charCodeAt(at)
    if (code === this.#delimiter) return at + 1
    this.#endRow()
    if (code === CR) this.#skipLineFeed = true
    return at + 1
  }

  #readPlain(from: number, isEnd: boolean): number {
    const text = this.#text
    const delimiter = this.#delimiter
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === delimiter || code === LF || code === CR)
        return this.#finishCell(this.#unescape(text.slice(from, at)), at)
      if (code === BACKSLASH && this.#backslash) at++
    }
    if (!isEnd) return WAIT
    return this.#finishCell(this.#unescape(text.slice(from)), text.length)
  }

  #readQuoted(from: number, open: number, isEnd: boolean): number {
    const text = this.#text
    const quote = this.#quote
    let closesAt = 0
    for (let at = Math.max(open + 1, this.#searchedTo); at < text.length; at++) {
      const code = text.charCodeAt(at)
      const isEscape = code === BACKSLASH && this.#backslash
      if (code !== quote && !isEscape) continue
      if (at + 1 >= text.length && !isEnd) {
        this.#searchedTo = at
        return this.#wait(from, isEnd)
      }
      if (isEscape) {
        at++
        continue
      }
      if (text.charCodeAt(at + 1) === quote && !this.#backslash) {
        at++
        continue
      }
      const after = this.#skipBlanks(at + 1)
      if (after >= text.length && !isEnd) {
        this.#searchedTo = at
        return this.#wait(from, isEnd)
      }
      if (this.#endsCell(after)) return this.#finishCell(this.#unquote(text.slice(open + 1, at)), after)
      // A quote inside the cell that somebody forgot to double, if the cell is closed further on.
      if (closesAt <= at) closesAt = this.#findClosing(at + 1, isEnd)
      if (closesAt === NOT_YET_KNOWN) {
        this.#searchedTo = at
        return this.#wait(from, isEnd)
      }
      if (closesAt < 0) return this.#takeLiterally(from, isEnd)
    }
    this.#searchedTo = text.length
    return isEnd ? this.#takeLiterally(from, isEnd) : this.#wait(from, isEnd)
  }

  /** A quoted cell that goes on past every bound was never meant to be quoted. */
  #wait(from: number, isEnd: boolean): number {
    return this.#text.length - from <= MAX_CELL_CHARACTERS / 2 ? WAIT : this.#takeLiterally(from, isEnd)
  }

  #takeLiterally(from: number, isEnd: boolean): number {
    this.#literalQuote = true
    this.#searchedTo = 0
    return this.#readPlain(from, isEnd)
  }

  #skipBlanks(from: number): number {
    let at = from
    if (this.#delimiter !== SPACE) while (this.#text.charCodeAt(at) === SPACE) at++
    return at
  }

  #endsCell(at: number): boolean {
    if (at >= this.#text.length) return true
    const code = this.#text.charCodeAt(at)
    return code === this.#delimiter || code === LF || code === CR
  }

  /** The next quote on this line that ends a cell; -1 when there is none. */
  #findClosing(from: number, isEnd: boolean): number {
    const text = this.#text
    const limit = Math.min(text.length, from + MAX_LOOK_AHEAD)
    for (let at = from; at < limit; at++) {
      const code = text.charCodeAt(at)
      if (code === LF || code === CR) return -1
      if (code !== this.#quote) continue
      if (at + 1 >= text.length && !isEnd) return NOT_YET_KNOWN
      if (this.#endsCell(at + 1)) return at
    }
    return limit === text.length && !isEnd ? NOT_YET_KNOWN : -1
  }

  #unquote(text: string): string {
    if (this.#backslash) return this.#unescape(text)
    const quote = String.fromCharCode(this.#quote)
    return text.includes(quote) ? text.replaceAll(quote + quote, quote) : text
  }

  #unescape(text: string): string {
    if (!this.#backslash || !text.includes('\\')) return text
    return text.replace(/\\([\s\S])/g, (all, character: string) => {
      const code = character.charCodeAt(0)
      return code === this.#quote || code === this.#delimiter || code === BACKSLASH || code === LF ? character : all
    })
  }
}

const WAIT = -1
const NOT_YET_KNOWN = -2
const MAX_LOOK_AHEAD = 10_000
