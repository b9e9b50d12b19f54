import { overLimit } from '../decode.ts'
import type { Attributes } from './events.ts'

/** What the scanner meets. Names are as they stand in the file. */
export type ScanEvents = {
  /** `declares`: some of the attributes declare namespaces. */
  open(name: string, attributes: Attributes, declares: boolean): void
  close(name: string): void
  text(text: string): void
}

/** Why a text is not XML that may be read. */
export type ScanProblem = 'malformed' | 'doctype'
export class ScanError extends Error {
  readonly problem: ScanProblem
  constructor(problem: ScanProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

/** A tag, comment or section that is longer is no part of a document; it also bounds what is looked through twice. */
const MAX_MARKUP_CHARACTERS = 4_000_000

const TAB = 9
const SPACE = 32
const EXCLAMATION = 33
const QUOTE = 34
const APOSTROPHE = 39
const SLASH = 47
const LESS = 60
const EQUALS = 61
const GREATER = 62
const QUESTION = 63

/** Objects without inherited names, quicker to make and to read than those of `Object.create(null)`. */
class AttributeList {
  [name: string]: string | undefined
}
Object.setPrototypeOf(AttributeList.prototype, null)
Reflect.deleteProperty(AttributeList.prototype, 'constructor')
const NO_ATTRIBUTES: Attributes = Object.freeze(new AttributeList())

/**
 * Reads XML as it comes, in time that grows with its length alone: no document type, no entities but those of XML itself.
 * It checks that elements are nested rightly and is lenient with characters, as Office is.
 */
export const createScanner = (events: ScanEvents): { write(piece: string): void; end(): void } => {
  const path: string[] = []
  const names = new Map<string, string>()
  let rest = ''
  let hasRoot = false

  /** One string per name, so that no name keeps the piece alive that it was cut from. */
  const intern = (name: string): string => {
    const known = names.get(name)
    if (known !== undefined) return known
    if (names.size < MAX_NAMES) names.set(name, name)
    return name
  }

  const openTag = (text: string, at: number): number => {
    let i = at + 1
    let code = text.charCodeAt(i)
    while (code > SPACE && code !== SLASH && code !== GREATER) code = text.charCodeAt(++i)
    if (Number.isNaN(code)) return INCOMPLETE
    if (i === at + 1) throw new ScanError('malformed', 'a tag without a name')
    const name = intern(text.slice(at + 1, i))
    let attributes: Record<string, string | undefined> | undefined
    let declares = false
    for (;;) {
      while (code <= SPACE && code >= TAB) code = text.charCodeAt(++i)
      if (code === GREATER) break
      if (code === SLASH) {
        code = text.charCodeAt(++i)
        if (Number.isNaN(code)) return INCOMPLETE
        if (code !== GREATER) throw new ScanError('malformed', 'a stray slash in a tag')
        finishTag(name, attributes, declares)
        events.close(name)
        return i + 1
      }
      if (Number.isNaN(code)) return INCOMPLETE
      const nameAt = i
      while (code > SPACE && code !== EQUALS && code !== GREATER && code !== LESS) code = text.charCodeAt(++i)
      const key = intern(text.slice(nameAt, i))
      while (code <= SPACE && code >= TAB) code = text.charCodeAt(++i)
      if (Number.isNaN(code)) return INCOMPLETE
      if (code !== EQUALS) throw new ScanError('malformed', 'an attribute without a value')
      code = text.charCodeAt(++i)
      while (code <= SPACE && code >= TAB) code = text.charCodeAt(++i)
      if (Number.isNaN(code)) return INCOMPLETE
      if (code !== QUOTE && code !== APOSTROPHE) throw new ScanError('malformed', 'a value without quotes')
      const end = text.indexOf(code === QUOTE ? '"' : "'", i + 1)
      if (end < 0) return INCOMPLETE
      attributes ??= new AttributeList()
      attributes[key] = decodeValue(text.slice(i + 1, end))
      declares ||= key.startsWith('xmlns')
      i = end + 1
      code = text.charCodeAt(i)
    }
    finishTag(name, attributes, declares)
    path.push(name)
    return i + 1
  }

  const finishTag = (name: string, attributes: Attributes | undefined, declares: boolean): void => {
    hasRoot = true
    events.open(name, attributes ?? NO_ATTRIBUTES, declares)
  }

  const closeTag = (text: string, at: number): number => {
    const end = text.indexOf('>', at)
    if (end < 0) return INCOMPLETE
    const open = path.pop()
    if (open === undefined || text.slice(at + 2, end).trimEnd() !== open) {
      throw new ScanError('malformed', 'an end tag that does not match')
    }
    events.close(open)
    return end + 1
  }

  const skipTo = (text: string, mark: string, from: number): number => {
    const end = text.indexOf(mark, from)
    return end < 0 ? INCOMPLETE : end + mark.length
  }

  const declaration = (text: string, at: number): number => {
    if (text.startsWith('<!--', at)) return skipTo(text, '-->', at + 4)
    if (text.startsWith('<![CDATA[', at)) {
      const next = skipTo(text, ']]>', at + 9)
      if (next !== INCOMPLETE && next > at + 12) events.text(text.slice(at + 9, next - 3))
      return next
    }
    if (text.length - at < 9) return INCOMPLETE
    throw new ScanError('doctype', 'a document type')
  }

  const markup = (text: string, at: number): number => {
    const code = text.charCodeAt(at + 1)
    if (Number.isNaN(code)) return INCOMPLETE
    if (code === SLASH) return closeTag(text, at)
    if (code === EXCLAMATION) return declaration(text, at)
    return code === QUESTION ? skipTo(text, '?>', at + 2) : openTag(text, at)
  }

  const say = (text: string): void => {
    if (path.length > 0) events.text(decodeText(text))
  }

  return {
    write(piece) {
      const text = rest === '' ? piece : rest + piece
      let at = 0
      for (;;) {
        const open = text.indexOf('<', at)
        if (open < 0) break
        if (open > at) say(text.slice(at, open))
        const next = markup(text, open)
        if (next === INCOMPLETE) {
          rest = text.slice(open)
          if (rest.length > MAX_MARKUP_CHARACTERS) throw overLimit('xmlMarkupCharacters', MAX_MARKUP_CHARACTERS)
          return
        }
        at = next
      }
      // An entity may be cut in two.
      const amp = text.lastIndexOf('&')
      const cut = amp >= at && text.length - amp < LONGEST_ENTITY && !text.includes(';', amp) ? amp : text.length
      if (cut > at) say(text.slice(at, cut))
      rest = text.slice(cut)
    },
    end() {
      if (path.length > 0 || !hasRoot || rest.startsWith('<')) throw new ScanError('malformed', 'the end is missing')
    },
  }
}

const INCOMPLETE = -1
const MAX_NAMES = 10_000
const LONGEST_ENTITY = 12
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos|nbsp));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? all
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : ''
  })

const decodeText = (text: string): string => {
  const plain = text.includes('&') ? decodeEntities(text) : text
  return plain.includes('\r') ? plain.replace(/\r\n?/g, '\n') : plain
}

const decodeValue = (value: string): string => {
  const flat = /[\t\n\r]/.test(value) ? value.replace(/\r\n|[\t\n\r]/g, ' ') : value
  return flat.includes('&') ? decodeEntities(flat) : flat
}
