import { JobFailure } from '../../core/errors.ts'
import { overLimit } from '../shared/decode.ts'

/**
 * What is met in the markup of a sheet, in order. Names come without their prefix; `tag` is what follows the name, for
 * `attributeOf`.
 */
export type MarkupEvents = {
  open(name: string, tag: string): void
  close(name: string): void
  text(text: string): void
}

/** Reads markup piece by piece. */
export type MarkupScanner = { write(text: string): void; end(): void }

const MAX_DEPTH = 400
const MAX_TAG_CHARACTERS = 1_048_576
const LONGEST_ENTITY = 12
const [TAB, BLANK, BANG, QUOTE, APOSTROPHE, SLASH, LESS, EQUALS, GREATER, QUESTION] = [
  9, 32, 33, 34, 39, 47, 60, 61, 62, 63,
]

/**
 * A scanner for the few huge parts of a spreadsheet, made for speed: a sheet of a million cells has five million tags,
 * and a general parser takes three times as long for them. Like the shared reader it refuses a document type, knows no
 * entities but those of XML itself, and limits depth; tags must match.
 */
export const createScanner = (events: MarkupEvents): MarkupScanner => {
  // Names that are open, as written and without their prefix.
  const path: string[] = []
  const locals: string[] = []
  const names = createNames()
  let rest = ''

  const takeOpening = (text: string, start: number, end: number): void => {
    let nameEnd = start
    for (; nameEnd < end; nameEnd++) {
      const code = text.charCodeAt(nameEnd)
      if (code <= BLANK || code === SLASH) break
    }
    if (nameEnd === start) throw malformed('a tag without a name')
    const { name, local } = names.find(text, start, nameEnd)
    events.open(local, nameEnd === end ? '' : text.slice(nameEnd, end))
    if (text.charCodeAt(end - 1) === SLASH) {
      events.close(local)
    } else {
      locals.push(local)
      if (path.push(name) > MAX_DEPTH) throw overLimit('xmlDepth', MAX_DEPTH)
    }
  }

  const takeClosing = (text: string, start: number, end: number): void => {
    const name = path.pop()
    if (name !== text.slice(start, end).trimEnd()) throw malformed('a tag closes nothing')
    events.close(locals.pop() ?? '')
  }

  /** The end of the innermost element, written without blanks as it nearly always is; gives where it ends, or -1. */
  const takePlainClosing = (text: string, start: number): number => {
    const name = path[path.length - 1]
    if (name === undefined || !text.startsWith(name, start)) return -1
    const end = start + name.length
    if (text.charCodeAt(end) !== GREATER) return -1
    path.pop()
    events.close(locals.pop() ?? '')
    return end + 1
  }

  const takeText = (text: string): void => {
    if (path.length > 0) events.text(text.includes('&') ? decodeEntities(text) : text)
  }

  /** Comments, declarations and literal sections; gives where it ends, or -1 where it goes on. */
  const takeSpecial = (text: string, at: number): number => {
    if (text.startsWith('<!--', at)) return endOf(text, '-->', at + 4)
    if (text.startsWith('<![CDATA[', at)) {
      const end = text.indexOf(']]>', at + 9)
      if (end < 0) return -1
      events.text(text.slice(at + 9, end))
      return end + 3
    }
    if (text.charCodeAt(at + 1) === QUESTION) return endOf(text, '?>', at + 2)
    // Not enough of it to tell.
    if (text.length - at < 9) return -1
    throw new JobFailure(
      'extract.source_unreadable',
      { reason: 'doctype' },
      { detail: 'A part of the file declares a document type, which is not allowed there.' },
    )
  }

  /** Takes all that is whole; gives where the rest begins. */
  const consume = (text: string, from: number): number => {
    let at = from
    for (;;) {
      const open = text.indexOf('<', at)
      if (open < 0) return at
      if (open > at) takeText(text.slice(at, open))
      at = open
      const next = text.charCodeAt(open + 1)
      if (next === BANG || next === QUESTION) {
        const end = takeSpecial(text, open)
        if (end < 0) return at
        at = end
        continue
      }
      if (next === SLASH) {
        const end = takePlainClosing(text, open + 2)
        if (end >= 0) {
          at = end
          continue
        }
      }
      const end = tagEnd(text, open + 1)
      if (end < 0) return at
      if (next === SLASH) takeClosing(text, open + 2, end)
      else takeOpening(text, open + 1, end)
      at = end + 1
    }
  }

  const keep = (text: string, from: number): void => {
    rest = text.slice(from)
    if (rest === '') return
    if (rest.charCodeAt(0) === LESS) {
      if (rest.length > MAX_TAG_CHARACTERS) throw malformed('a tag without an end')
      return
    }
    const ampersand = rest.lastIndexOf('&')
    const end = ampersand >= 0 && rest.length - ampersand <= LONGEST_ENTITY ? ampersand : rest.length
    if (end > 0) takeText(rest.slice(0, end))
    rest = rest.slice(end)
  }

  return {
    write(piece) {
      let from = 0
      if (rest !== '') {
        // Only the tag that was cut in two is joined: a joined string is slow to look at.
        from = piece.indexOf('>') + 1
        const joined = rest + (from === 0 ? piece : piece.slice(0, from))
        keep(joined, consume(joined, 0))
        if (from === 0) return
      }
      if (rest === '') keep(piece, consume(piece, from))
      else rest += piece.slice(from)
    },
    end() {
      if (path.length > 0 || rest.trim() !== '') throw malformed('the part is cut off')
    },
  }
}

/** Names of elements, found again without making a string of each. */
const createNames = () => {
  const known: ({ name: string; local: string } | undefined)[] = []
  return {
    find(text: string, start: number, end: number): { name: string; local: string } {
      const slot = ((text.charCodeAt(start) & 127) << 4) | ((end - start) & 15)
      const candidate = known[slot]
      if (candidate && candidate.name.length === end - start && text.startsWith(candidate.name, start)) return candidate
      const name = text.slice(start, end)
      const made = { name, local: name.slice(name.indexOf(':') + 1) }
      known[slot] = made
      return made
    },
  }
}

const endOf = (text: string, mark: string, from: number): number => {
  const at = text.indexOf(mark, from)
  return at < 0 ? -1 : at + mark.length
}

/** Where a tag ends; an angle bracket between quotes does not end it. */
const tagEnd = (text: string, from: number): number => {
  let quote = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === GREATER) return at
    else if (code === QUOTE || code === APOSTROPHE) quote = code
  }
  return -1
}

/** The value of an attribute of a tag by its name as written there; undefined where it has none. */
export const attributeOf = (tag: string, name: string): string | undefined => {
  for (let at = tag.indexOf(name); at >= 0; at = tag.indexOf(name, at + 1)) {
    const before = tag.charCodeAt(at - 1)
    if (before !== BLANK && !(before >= TAB && before < BLANK)) continue
    let after = at + name.length
    while (tag.charCodeAt(after) <= BLANK) after++
    if (tag.charCodeAt(after) !== EQUALS) continue
    after++
    while (tag.charCodeAt(after) <= BLANK) after++
    const quote = tag.charCodeAt(after)
    if (quote !== QUOTE && quote !== APOSTROPHE) return undefined
    const end = tag.indexOf(quote === QUOTE ? '"' : "'", after + 1)
    if (end < 0) return undefined
    const value = tag.slice(after + 1, end)
    return value.includes('&') ? decodeEntities(value) : value
  }
  return undefined
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Character references and the five entities of XML; anything else stays as it is. */
export const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point)
  })

const malformed = (what: string): JobFailure =>
  new JobFailure(
    'extract.source_unreadable',
    { reason: 'xml' },
    { detail: 'A part of the file is not well-formed XML.', cause: new Error(what) },
  )

/** Feeds a part of a package to a scanner; `pause` is awaited between pieces. */
export const scanBytes = async (
  content: AsyncIterable<Uint8Array>,
  events: MarkupEvents,
  pause: () => Promise<void> | undefined,
): Promise<void> => {
  const scanner = createScanner(events)
  let decoder: InstanceType<typeof TextDecoder> | undefined
  for await (const bytes of content) {
    decoder ??= new TextDecoder(encodingOf(bytes))
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      scanner.write(decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true }))
      await pause()
    }
  }
  scanner.write(decoder?.decode() ?? '')
  scanner.end()
}
const PIECE_BYTES = 65_536

const encodingOf = ([first, second]: Uint8Array): string => {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be'
  return 'utf-8'
}
