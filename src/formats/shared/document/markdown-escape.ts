/**
 * A piece of a line of markdown. `text` shows as it is and `label` too, inside the brackets of a link; `markup` is
 * emphasis, brackets and tags; `opaque` is what no parser looks into, such as addresses and code.
 */
export type Piece = { kind: 'text' | 'label' | 'markup' | 'opaque'; text: string }

/** Where a line stands: it decides which beginnings and ends would be read as something else. */
export type LineContext = 'paragraph' | 'item' | 'heading' | 'cell'

const MAYBE_MARKUP = /[\\*_`~[\]<&$!]|^\s*(?:[#>+=|:-]|\d{1,9}[.)])|#\s*$/m

/** Puts the pieces together; an escape goes only where a parser would otherwise see markup in what is text. */
export const joinPieces = (pieces: readonly Piece[], context: LineContext): string => {
  let full = ''
  for (const { text } of pieces) full += text
  if (!MAYBE_MARKUP.test(full)) return full
  const line = { full, kinds: markKinds(pieces, full.length) }
  const escapes = new Set<number>()
  findDelimiters(line, escapes)
  findBrackets(line, escapes)
  findTagsAndEntities(line, escapes)
  findFormulas(line, escapes)
  if (context !== 'cell') findLineStarts(line, context, escapes)
  findBackslashes(line, escapes)
  const addresses = findAddresses(line, escapes)
  return escapes.size === 0 && addresses.length === 0 ? full : insertEscapes(full, escapes, addresses)
}

const TEXT = 0
const LABEL = 1
const MARKUP = 2
const OPAQUE = 3
const KINDS = { text: TEXT, label: LABEL, markup: MARKUP, opaque: OPAQUE } as const

/** The joined text, and of each of its characters which kind of piece it came from. */
type Line = { full: string; kinds: Uint8Array }

const markKinds = (pieces: readonly Piece[], length: number): Uint8Array => {
  const kinds = new Uint8Array(length)
  let at = 0
  for (const { kind, text } of pieces) {
    kinds.fill(KINDS[kind], at, at + text.length)
    at += text.length
  }
  return kinds
}

const isShown = ({ kinds }: Line, at: number): boolean => at < kinds.length && (kinds[at] as number) <= LABEL

type Run = { char: string; start: number; end: number; isText: boolean; canOpen: boolean; canClose: boolean }

/** Runs of `*`, `_`, `~` and backticks, split where text meets markup. */
const findRuns = (line: Line): Run[] => {
  const runs: Run[] = []
  for (const { index, 0: found } of line.full.matchAll(/\*+|_+|~+|`+/g)) {
    let start = index
    while (start < index + found.length) {
      let end = start + 1
      while (end < index + found.length && line.kinds[end] === line.kinds[start]) end++
      // Backticks inside code can end what backticks outside of it begin.
      if (line.kinds[start] !== OPAQUE || found[0] === '`') runs.push(describeRun(line, start, end))
      start = end
    }
  }
  return runs
}

const describeRun = (line: Line, start: number, end: number): Run => {
  const char = line.full[start] as string
  const before = charBefore(line.full, start)
  const after = charAfter(line.full, end)
  const isText = isShown(line, start)
  const canStart = !isBlank(after)
  const canEnd = !isBlank(before)
  // An underscore inside a word is no emphasis; renderers disagree about symbols, so they count as punctuation.
  return char === '_'
    ? { char, start, end, isText, canOpen: canStart && !isWord(before), canClose: canEnd && !isWord(after) }
    : { char, start, end, isText, canOpen: canStart, canClose: canEnd }
}

const findDelimiters = (line: Line, escapes: Set<number>): void => {
  const runs = findRuns(line)
  const firstOpener = new Map<string, number>()
  const lastCloser = new Map<string, number>()
  const hasTickPairs = runs.filter(({ char }) => char === '`').length > 1
  for (const [index, { char, canOpen, canClose }] of runs.entries()) {
    if (canOpen && !firstOpener.has(char)) firstOpener.set(char, index)
    if (canClose) lastCloser.set(char, index)
  }
  const needsEscape = ({ char, start, end, canOpen, canClose }: Run, index: number): boolean => {
    // Text that touches markup would grow the markup's run.
    if (touches(runs[index - 1], start, char) || touches(runs[index + 1], end, char)) return true
    if (char === '`') return hasTickPairs
    return (canOpen && (lastCloser.get(char) ?? -1) > index) || (canClose && (firstOpener.get(char) ?? index) < index)
  }
  for (const [index, run] of runs.entries()) {
    if (!run.isText || !needsEscape(run, index)) continue
    for (let at = run.start; at < run.end; at++) escapes.add(at)
  }
}

const touches = (other: Run | undefined, at: number, char: string): boolean =>
  other !== undefined && other.char === char && (other.end === at || other.start === at)

const findBrackets = (line: Line, escapes: Set<number>): void => {
  const { full, kinds } = line
  let opened = false
  for (let at = 0; at < full.length; at++) {
    const char = full[at]
    if (kinds[at] === LABEL) {
      if (char === '[' || char === ']') escapes.add(at)
    } else if (kinds[at] === TEXT) {
      if (char === '[') {
        opened = true
        if (full[at + 1] === '^') escapes.add(at)
      } else if (char === ']') {
        if (opened && (full[at + 1] === '(' || full[at + 1] === '[')) escapes.add(at)
      } else if (char === '!' && full[at + 1] === '[' && kinds[at + 1] === MARKUP) escapes.add(at)
    }
  }
}

const findTagsAndEntities = (line: Line, escapes: Set<number>): void => {
  const lastClose = line.full.lastIndexOf('>')
  for (const { index } of line.full.matchAll(/<(?=[A-Za-z/!?])/g)) {
    if (isShown(line, index) && index < lastClose) escapes.add(index)
  }
  for (const { index } of line.full.matchAll(/&(?=#\d{1,7};|#[xX][\da-fA-F]{1,6};|[A-Za-z][A-Za-z\d]{1,31};)/g)) {
    if (isShown(line, index)) escapes.add(index)
  }
}

/** Dollar signs matter only to renderers that know formulas, and to those only in pairs that hug what they hold. */
const findFormulas = (line: Line, escapes: Set<number>): void => {
  const { full, kinds } = line
  if (!full.includes('$')) return
  const dollars = [...full.matchAll(/\$/g)].map(({ index }) => index)
  const besideMarkup = dollars.some((at) => kinds[at] === MARKUP)
  const firstOpener = dollars.find((at) => opensFormula(full, at)) ?? full.length
  const lastCloser = dollars.findLast((at) => closesFormula(full, at)) ?? -1
  for (const at of dollars) {
    const opens = at < lastCloser && opensFormula(full, at)
    const closes = at > firstOpener && closesFormula(full, at)
    if (isShown(line, at) && (besideMarkup || opens || closes)) escapes.add(at)
  }
}

const opensFormula = (full: string, at: number): boolean => /\S/.test(full[at + 1] ?? ' ')
const closesFormula = (full: string, at: number): boolean =>
  /\S/.test(full[at - 1] ?? ' ') && !/\d/.test(full[at + 1] ?? '')

const BLOCK_START =
  /^(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|([-_*])[ \t]*(?:\1[ \t]*){2,}$|```|~~~|<[A-Za-z/!?]|\[[^\]]*\]:)/
/** What turns the line above into a heading or the head of a table. */
const UNDERLINE = /^(?:=+[ \t]*|(?=[|: \t]*-)[|:\- \t]+)$/
const NUMBERED = /^(\d{1,9})[.)](?:\s|$)/
const TASK = /^\[[ xX]\]\s/
const CLOSING_HASHES = /(?:^|[ \t])(#+)[ \t]*$/

const findLineStarts = (line: Line, context: LineContext, escapes: Set<number>): void => {
  let start = 0
  for (const text of line.full.split('\n')) {
    if (isShown(line, start)) {
      const digits = NUMBERED.exec(text)?.[1]
      if (digits !== undefined && context !== 'heading') escapes.add(start + digits.length)
      const isBlockStart = context !== 'heading' && (BLOCK_START.test(text) || (start > 0 && UNDERLINE.test(text)))
      if (isBlockStart || (context === 'item' && TASK.test(text))) {
        // A run that lost only its first character would be another run.
        const { length } = /^(?:`+|~+|\*+|_+)/.exec(text)?.[0] ?? ' '
        for (let at = start; at < start + length; at++) escapes.add(at)
      }
    }
    start += text.length + 1
  }
  const closing = context === 'heading' ? CLOSING_HASHES.exec(line.full) : null
  if (closing) escapes.add(closing.index + closing[0].indexOf('#'))
}

/** A backslash shows itself unless punctuation or the end of a line follows. */
const findBackslashes = (line: Line, escapes: Set<number>): void => {
  for (const { index } of line.full.matchAll(/\\(?=[!-/:-@[-`{-~\n])/g)) if (isShown(line, index)) escapes.add(index)
}

const ADDRESS = /(?<![\p{L}\p{N}_/.\\-])(?:https?:\/\/|www\.)[\p{L}\p{N}][^\s<>`\\|[\]{}"]*/giu
/** What renderers do not count as part of an address at its end. */
const ADDRESS_END = /[?!.,:;*_~')&]+$/

type Address = { start: number; end: number }

/**
 * Bare addresses with an escape in them or right after them: renderers take the backslash for a part of the address.
 * Where they are marked as addresses they need no escapes and end where they end.
 */
const findAddresses = (line: Line, escapes: Set<number>): Address[] => {
  const found: Address[] = []
  for (const { index: start, 0: address } of line.full.matchAll(ADDRESS)) {
    let end = start
    while (end < start + address.length && line.kinds[end] === TEXT) end++
    end -= ADDRESS_END.exec(line.full.slice(start, end))?.[0].length ?? 0
    if (end - start < MIN_ADDRESS || !isDisturbed(line, start, escapes)) continue
    for (let at = start; at < end; at++) escapes.delete(at)
    found.push({ start, end })
  }
  return found
}
const MIN_ADDRESS = 5

/** Whether an escape comes before the next blank. */
const isDisturbed = ({ full }: Line, start: number, escapes: ReadonlySet<number>): boolean => {
  for (let at = start; at < full.length && !isBlank(full[at] as string); at++) if (escapes.has(at)) return true
  return false
}

/** Backslashes, but for what begins a tag: much that reads markdown drops tags before it looks for backslashes. */
const insertEscapes = (full: string, escapes: ReadonlySet<number>, addresses: readonly Address[]): string => {
  const marks = new Map<number, string>()
  const mark = (at: number, text: string): unknown => marks.set(at, (marks.get(at) ?? '') + text)
  for (const { start, end } of addresses) {
    const address = full.slice(start, end)
    const hasScheme = /^http/i.test(address)
    mark(start, hasScheme ? '<' : '[')
    mark(end, hasScheme ? '>' : `](http://${address.replace(/[()]/g, encodeParenthesis)})`)
  }
  for (const at of escapes) mark(at, full[at] === '<' ? '&lt;' : '\\')
  let out = ''
  let from = 0
  for (const [at, text] of [...marks].sort(([a], [b]) => a - b)) {
    out += full.slice(from, at) + text
    from = escapes.has(at) && full[at] === '<' ? at + 1 : at
  }
  return out + full.slice(from)
}

const encodeParenthesis = (char: string): string => (char === '(' ? '%28' : '%29')

/** The character before a place in a text; a blank at its beginning. */
export const charBefore = (text: string, at: number): string => {
  if (at <= 0) return ' '
  const low = text.charCodeAt(at - 1)
  return at > 1 && low >= 0xdc00 && low <= 0xdfff ? text.slice(at - 2, at) : (text[at - 1] as string)
}

/** The character at a place in a text; a blank at its end. */
export const charAfter = (text: string, at: number): string =>
  at >= text.length ? ' ' : String.fromCodePoint(text.codePointAt(at) as number)

export const isBlank = (char: string): boolean => /^\s/u.test(char)
/** Neither blank nor punctuation nor a symbol. */
export const isWord = (char: string): boolean => !/^[\s\p{P}\p{S}]/u.test(char)
