/** A value of a PDF: names begin with a slash; a reference is an object's number; strings are of no use here. */
export type PdfValue = number | boolean | null | string | PdfReference | PdfValue[] | PdfDict
export type PdfReference = { reference: number }
export type PdfDict = { entries: ReadonlyMap<string, PdfValue> }

const SPACE = /[\0\t\n\f\r ]/
const DELIMITER = /[\0\t\n\f\r ()<>[\]{}/%]/
const MAX_DEPTH = 60

export const isDict = (value: PdfValue | undefined): value is PdfDict =>
  typeof value === 'object' && value !== null && 'entries' in value && !Array.isArray(value)
export const isReference = (value: PdfValue | undefined): value is PdfReference =>
  typeof value === 'object' && value !== null && 'reference' in value

/** Reads values from the text of a PDF, one after the other, from a place on. */
export const createParser = (text: string, start = 0) => {
  let at = start
  const skipSpace = (): void => {
    for (; at < text.length; at++) {
      const character = text[at] as string
      if (character === '%') while (at < text.length && !/[\r\n]/.test(text[at] as string)) at++
      else if (!SPACE.test(character)) return
    }
  }
  const readWord = (): string => {
    const from = at
    while (at < text.length && !DELIMITER.test(text[at] as string)) at++
    return text.slice(from, at)
  }
  const readString = (): null => {
    for (let depth = 0; at < text.length; at++) {
      const character = text[at]
      if (character === '\\') at++
      else if (character === '(') depth++
      else if (character === ')' && --depth === 0) {
        at++
        return null
      }
    }
    throw new Error('a string has no end')
  }
  /** `12 0 R` is a reference; `12` alone is a number. */
  const readNumber = (): number | PdfReference => {
    const word = readWord()
    const value = Number(word)
    if (word === '' || Number.isNaN(value)) throw new Error(`"${word}" is no value`)
    const reference = /^[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+R(?![^\0\t\n\f\r ()<>[\]{}/%])/.exec(text.slice(at, at + 24))
    if (!reference || !/^\d+$/.test(word)) return value
    at += reference[0].length
    return { reference: value }
  }
  const readValue = (depth = 0): PdfValue => {
    if (depth > MAX_DEPTH) throw new Error('nested too deeply')
    skipSpace()
    const character = text[at]
    if (character === undefined) throw new Error('the text ends where a value is expected')
    if (text.startsWith('<<', at)) {
      at += 2
      const entries = new Map<string, PdfValue>()
      for (;;) {
        skipSpace()
        if (text.startsWith('>>', at)) {
          at += 2
          return { entries }
        }
        const key = readValue(depth + 1)
        if (typeof key !== 'string') throw new Error('a key is no name')
        entries.set(key, readValue(depth + 1))
      }
    }
    if (character === '<') {
      const end = text.indexOf('>', at)
      if (end < 0) throw new Error('a string has no end')
      at = end + 1
      return null
    }
    if (character === '[') {
      at++
      const items: PdfValue[] = []
      for (;;) {
        skipSpace()
        if (text[at] === ']') {
          at++
          return items
        }
        items.push(readValue(depth + 1))
      }
    }
    if (character === '(') return readString()
    if (character === '/') {
      at++
      return `/${readWord().replace(/#([\da-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))}`
    }
    for (const [word, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      if (!text.startsWith(word, at)) continue
      at += word.length
      return value
    }
    return readNumber()
  }
  return {
    readValue: () => readValue(),
    /** Goes over a word if it is the next thing. */
    take(word: string): boolean {
      skipSpace()
      if (!text.startsWith(word, at)) return false
      at += word.length
      return true
    },
    /** Where the parser stands. */
    get at() {
      return at
    },
  }
}
