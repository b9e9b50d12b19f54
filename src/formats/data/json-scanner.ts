import { overLimit } from '../shared/decode.ts'
import { Malformed } from './malformed.ts'

/** What a scanner meets, in order. Keys and scalars come as they stand in the text, quotes included. */
export type JsonEvents = {
  open(kind: '{' | '['): void
  close(kind: '}' | ']'): void
  key(raw: string): void
  scalar(raw: string): void
}

export const MAX_DEPTH = 512
export const MAX_STRING_CHARACTERS = 64 * 1_048_576

/** What may come next. */
const VALUE = 0
const VALUE_OR_CLOSE = 1
const KEY = 2
const KEY_OR_CLOSE = 3
const COLON = 4
const COMMA_OR_CLOSE = 5
const ROOT = 6

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** Everything that a number or a word could be made of. */
const RUN = /[\w.$+-]+/y
const LITERALS: Record<string, string> = { true: 'true', false: 'false', null: 'null' }
// Python and JavaScript write these; JSON has no word for them.
const LOOSE_LITERALS = new Set(['NaN', 'Infinity', '-Infinity', 'undefined'])
const MAX_TOKEN_CHARACTERS = 4_096

/**
 * Reads JSON of any length piece by piece, checking it on the way. Comments, trailing commas, NaN and raw control
 * characters in strings are let through and make it `relaxed`; several values after one another are a sequence.
 */
export class JsonScanner {
  readonly #events: JsonEvents
  #text = ''
  #at = 0
  #state = ROOT
  readonly #stack: ('{' | '[')[] = []
  #stringPieces: string[] | undefined
  #stringCharacters = 0
  #comment: '//' | '/*' | undefined
  #line = 1
  #lineStart = 0
  #scanned = 0
  #afterComma = false
  readonly #closesTruncated: boolean
  relaxed = false
  truncated = false
  roots = 0

  constructor(events: JsonEvents, closesTruncated = false) {
    this.#events = events
    this.#closesTruncated = closesTruncated
  }

  write(piece: string): void {
    this.#scanned += this.#at
    this.#text = this.#at < this.#text.length ? this.#text.slice(this.#at) + piece : piece
    this.#at = 0
    this.#scan(false)
  }

  end(): void {
    this.#scanned += this.#at
    this.#text = this.#text.slice(this.#at)
    this.#at = 0
    this.#scan(true)
    if (this.#state === ROOT && !this.#stringPieces) return
    if (!this.#closesTruncated || this.#stack.length === 0) this.#fail('the text ends too early')
    this.#closeAll()
  }

  /** Ends what is open: a download or an answer that broke off still holds everything before the break. */
  #closeAll(): void {
    this.truncated = true
    if (this.#stack.at(-1) === '{' && (this.#state === COLON || this.#state === VALUE)) this.#events.scalar('null')
    while (this.#stack.length > 0) this.#events.close(this.#stack.pop() === '{' ? '}' : ']')
    this.roots++
  }

  #fail(message: string): never {
    throw new Malformed(message, this.#line, this.#scanned + this.#at - this.#lineStart + 1)
  }

  #scan(isEnd: boolean): void {
    const text = this.#text
    if (this.#stringPieces && !this.#continueString()) return
    while (this.#at < text.length) {
      if (this.#comment && !this.#skipComment(isEnd)) return
      const code = text.charCodeAt(this.#at)
      if (code === 10) {
        this.#at++
        this.#line++
        this.#lineStart = this.#scanned + this.#at
      } else if (code === 32 || code === 13 || code === 9 || code === 0xfeff || code === 0x1e) {
        this.#at++
      } else if (code === 34) {
        if (!this.#startString()) return
      } else if (code === 47) {
        const next = text.slice(this.#at, this.#at + 2)
        if (next.length < 2 && !isEnd) return
        if (next !== '//' && next !== '/*') this.#fail('a slash starts no value')
        this.#comment = next
        this.#relax()
        this.#at += 2
      } else if (!this.#sign(code) && !this.#word(isEnd)) return
    }
    if (this.#comment && isEnd) this.#skipComment(true)
  }

  #relax(): void {
    this.relaxed = true
  }

  /** Handles a structural character; false when this is none. */
  #sign(code: number): boolean {
    if (code === 44) {
      if (this.#state !== COMMA_OR_CLOSE) this.#fail('a comma is out of place')
      this.#state = this.#stack.at(-1) === '{' ? KEY : VALUE
      this.#afterComma = true
    } else if (code === 58) {
      if (this.#state !== COLON) this.#fail('a colon is out of place')
      this.#state = VALUE
    } else if (code === 123 || code === 91) {
      const kind = code === 123 ? '{' : '['
      if (this.#state >= KEY && this.#state !== ROOT) this.#fail(`${kind} is out of place`)
      if (this.#stack.length >= MAX_DEPTH) throw overLimit('depth', MAX_DEPTH)
      this.#stack.push(kind)
      this.#state = kind === '{' ? KEY_OR_CLOSE : VALUE_OR_CLOSE
      this.#afterComma = false
      this.#events.open(kind)
    } else if (code === 125 || code === 93) {
      this.#closeContainer(code === 125 ? '}' : ']')
    } else return false
    this.#at++
    return true
  }

  #closeContainer(kind: '}' | ']'): void {
    const open = this.#stack.at(-1)
    const matches = open === (kind === '}' ? '{' : '[')
    const afterComma = this.#afterComma && (this.#state === KEY || this.#state === VALUE)
    const allowed = this.#state === COMMA_OR_CLOSE || this.#state === VALUE_OR_CLOSE || this.#state === KEY_OR_CLOSE
    if (!matches || !(allowed || afterComma)) this.#fail(`${kind} is out of place`)
    if (afterComma) this.#relax()
    this.#stack.pop()
    this.#events.close(kind)
    this.#endValue()
  }

  #endValue(): void {
    this.#afterComma = false
    if (this.#stack.length === 0) {
      this.roots++
      this.#state = ROOT
    } else this.#state = COMMA_OR_CLOSE
  }

  /** Skips to the end of a comment; false when that is not here yet. */
  #skipComment(isEnd: boolean): boolean {
    const closing = this.#comment === '//' ? '\n' : '*/'
    const end = this.#text.indexOf(closing, this.#at)
    if (end < 0) {
      // The star of a closing `*/` may be the last character so far.
      this.#at = this.#text.endsWith('*') ? this.#text.length - 1 : this.#text.length
      if (isEnd && this.#comment === '/*') this.#fail('a comment is not closed')
      return false
    }
    this.#at = end + (closing === '\n' ? 0 : 2)
    this.#comment = undefined
    return true
  }

  #word(isEnd: boolean): boolean {
    const text = this.#text
    const from = this.#at
    // Testing and reading where the match ended makes no array, unlike exec.
    RUN.lastIndex = from
    const end = RUN.test(text) ? RUN.lastIndex : from
    const reachesEnd = end >= text.length
    // The token may go on in the next piece.
    if (reachesEnd && !isEnd && end - from < MAX_TOKEN_CHARACTERS) return false
    if (end === from) this.#fail(`${JSON.stringify(String.fromCodePoint(text.codePointAt(from) ?? 0))} is out of place`)
    // Half a number or word at the very end of a text that broke off.
    if (reachesEnd && isEnd && this.#closesTruncated && this.#stack.length > 0) {
      this.#at = end
      return false
    }
    const raw = text.slice(from, end)
    NUMBER.lastIndex = from
    const isNumber = NUMBER.test(text) && NUMBER.lastIndex === end
    if (!isNumber && !Object.hasOwn(LITERALS, raw)) {
      if (!LOOSE_LITERALS.has(raw)) this.#fail(`${raw.slice(0, 40)} is no number and no word of JSON`)
      this.#relax()
    }
    this.#takeScalar(isNumber ? raw : (LITERALS[raw] ?? 'null'))
    this.#at = end
    return true
  }

  #takeScalar(raw: string): void {
    if (this.#state >= KEY && this.#state !== ROOT) this.#fail('a value is out of place')
    this.#events.scalar(raw)
    this.#endValue()
  }

  #startString(): boolean {
    if (this.#state === COLON || this.#state === COMMA_OR_CLOSE) this.#fail('a string is out of place')
    const end = findStringEnd(this.#text, this.#at + 1)
    if (end >= 0) {
      const raw = this.#text.slice(this.#at, end + 1)
      this.#at = end + 1
      this.#takeString(raw)
      return true
    }
    this.#stringPieces = []
    this.#stringCharacters = 0
    this.#keepPiece(this.#at)
    return false
  }

  /** Goes on with a string that began in an earlier piece. */
  #continueString(): boolean {
    const pieces = this.#stringPieces as string[]
    const end = findStringEnd(this.#text, pieces.length === 0 ? 1 : 0)
    if (end < 0) {
      this.#keepPiece(0)
      return false
    }
    const raw = pieces.join('') + this.#text.slice(0, end + 1)
    this.#stringPieces = undefined
    this.#at = end + 1
    this.#takeString(raw)
    return true
  }

  /** Keeps what there is of an open string, except backslashes at its end, whose meaning depends on what follows. */
  #keepPiece(from: number): void {
    let end = this.#text.length
    while (end > from && this.#text.charCodeAt(end - 1) === 92) end--
    if (end > from) this.#stringPieces?.push(this.#text.slice(from, end))
    this.#stringCharacters += end - from
    if (this.#stringCharacters > MAX_STRING_CHARACTERS) throw overLimit('stringCharacters', MAX_STRING_CHARACTERS)
    this.#at = end
  }

  #takeString(raw: string): void {
    const escaped = this.#checkString(raw)
    if (this.#state === KEY || this.#state === KEY_OR_CLOSE) {
      this.#events.key(escaped)
      this.#state = COLON
    } else this.#takeScalar(escaped)
  }

  /** The string with raw control characters escaped; fails on an escape that JSON does not have. */
  #checkString(raw: string): string {
    if (!SPECIAL.test(raw)) return raw
    for (let at = raw.indexOf('\\'); at >= 0; at = raw.indexOf('\\', at)) {
      const next = raw[at + 1] ?? ''
      if (next === 'u') {
        if (!/^[0-9a-fA-F]{4}$/.test(raw.slice(at + 2, at + 6))) this.#fail('an escape in a string is wrong')
      } else if (!'"\\/bfnrt'.includes(next)) this.#fail('an escape in a string is wrong')
      at += 2
    }
    if (!CONTROL.test(raw)) return raw
    this.#relax()
    return raw.replace(CONTROLS, (character) => JSON.stringify(character).slice(1, -1))
  }
}

// A backslash, or anything below a space.
const SPECIAL = /[^ -[\]-\uffff]/
const CONTROL = /[^\u0020-\uffff]/
const CONTROLS = /[^\u0020-\uffff]/g

/** The place of the quote that closes a string; -1 when it is not in this text. */
const findStringEnd = (text: string, from: number): number => {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (at - 1 - slashes >= from && text.charCodeAt(at - 1 - slashes) === 92) slashes++
    if (slashes % 2 === 0) return at
  }
  return -1
}
