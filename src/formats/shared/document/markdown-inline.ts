import { longestBacktickRun } from '../markdown.ts'
import { type InlineRun, type InlineStyle, isTextRun, takeEnd, takeStart, toPlainText, toRuns } from './inline-runs.ts'
import { safeHref } from './links.ts'
import type { MarkdownContext } from './markdown-context.ts'
import { charAfter, charBefore, isBlank, isWord, joinPieces, type LineContext, type Piece } from './markdown-escape.ts'
import type { Inline } from './model.ts'
import { toScriptCharacters } from './script-characters.ts'

/** Inlines as one line of markdown; only in paragraphs and items can it hold line breaks. */
export const writeInlines = (content: readonly Inline[], context: MarkdownContext, line: LineContext): string => {
  const runs = line === 'heading' ? unstyleWhole(toRuns(content)) : toRuns(content)
  const out = createPieces(context, line)
  writeLayer(runs, LAYERS, out, ' ')
  return joinPieces(out.pieces, line).trim()
}

type Pieces = {
  pieces: Piece[]
  context: MarkdownContext
  line: LineContext
  inLink: boolean
  /** Whether the last piece closes an emphasis: another one must not begin there. */
  closed: boolean
  /** How many of the last pieces open an emphasis. */
  opened: number
}
const createPieces = (context: MarkdownContext, line: LineContext): Pieces => ({
  pieces: [],
  context,
  line,
  inLink: false,
  closed: false,
  opened: 0,
})

const push = (out: Pieces, kind: Piece['kind'], text: string): void => {
  if (text === '') return
  out.pieces.push({ kind: kind === 'text' && out.inLink ? 'label' : kind, text })
  out.closed = false
  out.opened = 0
}

/** A heading is bold as it is, and one that is wholly italic says nothing by it. */
const unstyleWhole = (runs: readonly InlineRun[]): InlineRun[] => {
  const texts = runs.filter(isTextRun)
  const italic = texts.some((run) => !run.style.italic && run.text.trim() !== '')
  return runs.map((run) =>
    isTextRun(run) ? { ...run, style: { ...run.style, bold: false, italic: italic && run.style.italic } } : run,
  )
}

type Layer = 'href' | 'bold' | 'italic' | 'strike'
const LAYERS: readonly Layer[] = ['href', 'bold', 'italic', 'strike']
const DELIMITERS = { bold: '**', italic: '*', strike: '~~' } as const

/** Writes runs from the outermost style inwards; `after` is the character that follows them. */
const writeLayer = (
  runs: readonly InlineRun[],
  [layer, ...inner]: readonly Layer[],
  out: Pieces,
  after: string,
): void => {
  if (layer === undefined) {
    for (const run of runs) writeRun(run, out)
    return
  }
  const groups = groupBy(runs, layer)
  for (const [index, group] of groups.entries()) {
    const next = firstChar(groups[index + 1]?.[0]) ?? after
    const value = styleAt(group[0], layer)
    if (!value) writeLayer(group, inner, out, next)
    else if (layer === 'href') writeLink(group, value as string, inner, out, next)
    else writeEmphasis(group, DELIMITERS[layer], inner, out, next)
  }
}

const styleAt = (run: InlineRun | undefined, layer: Layer): string | boolean =>
  isTextRun(run) ? run.style[layer as keyof InlineStyle] : false

const groupBy = (runs: readonly InlineRun[], layer: Layer): InlineRun[][] => {
  const groups: InlineRun[][] = []
  for (const run of runs) {
    const group = groups.at(-1)
    if (group && styleAt(group[0], layer) === styleAt(run, layer)) group.push(run)
    else groups.push([run])
  }
  return groups
}

const firstChar = (run: InlineRun | undefined): string | undefined => {
  if (run === undefined) return undefined
  if (isTextRun(run)) return charAfter(run.text, 0)
  return run.atom.kind === 'break' ? ' ' : '['
}

/** The last character before the emphasis that is just being opened. */
const lastChar = ({ pieces, opened }: Pieces): string => {
  const last = pieces.at(-1 - opened)?.text ?? ''
  return charBefore(last, last.length)
}

const writeEmphasis = (
  runs: readonly InlineRun[],
  delimiter: string,
  inner: readonly Layer[],
  out: Pieces,
  after: string,
): void => {
  const { head, body, tail } = fitEmphasis(runs, out.closed ? '*' : lastChar(out), after)
  writeLayer(head, inner, out, firstChar(body[0]) ?? firstChar(tail[0]) ?? after)
  const next = firstChar(tail[0]) ?? after
  const isPlain =
    !body.some(hasWords) ||
    out.closed ||
    isInAddress(out) ||
    (!isBlank(lastChar(out)) && beginsWithMarkup(body[0], inner)) ||
    (!isBlank(next) && beginsWithMarkup(body.at(-1), inner))
  if (isPlain) writeLayer(body, inner, out, next)
  else {
    out.pieces.push({ kind: 'markup', text: delimiter })
    out.opened++
    writeLayer(body, inner, out, next)
    out.pieces.push({ kind: 'markup', text: delimiter })
    out.closed = true
    out.opened = 0
  }
  writeLayer(tail, inner, out, after)
}

/** Emphasis on punctuation alone shows nothing, and parsers disagree about it. */
const hasWords = (run: InlineRun): boolean => isTextRun(run) && /[\p{L}\p{N}]/u.test(run.text)

/** Whether markup of another kind stands at the edge of an emphasis: only beside a blank is it plain then where it begins and ends. */
const beginsWithMarkup = (run: InlineRun | undefined, inner: readonly Layer[]): boolean =>
  isTextRun(run) && ((inner.includes('strike') && run.style.strike) || run.style.script !== '')

/** Renderers take everything up to the next blank for part of a bare address. */
const isInAddress = ({ pieces }: Pieces): boolean => {
  let tail = ''
  for (let index = pieces.length - 1; index >= 0 && tail.length < MAX_ADDRESS && !/\s/.test(tail); index--) {
    tail = (pieces[index]?.text ?? '').slice(-MAX_ADDRESS) + tail
  }
  return /(?:\/\/|www\.|@)\S*$/.test(tail)
}
const MAX_ADDRESS = 200

const isMark = (char: string): boolean => !isWord(char)
const CLAUSE_END = /^[.,;:!?)\]…]$/

/** Moves blanks out of an emphasis, and marks where no blank is outside: between two marks parsers see no clear beginning. */
const fitEmphasis = (runs: readonly InlineRun[], before: string, after: string) => {
  const start = cutStart(runs, isBlank(before) ? isBlank : isMark)
  // A plain end is clear also before a mark that ends a clause: `**so (or not)**.`
  const endsClause = start.rest.length === 1 && CLAUSE_END.test(after)
  const end = cutEnd(start.rest, isBlank(after) || endsClause ? isBlank : isMark)
  return { head: start.cut, body: end.rest, tail: end.cut }
}

const cutStart = (
  runs: readonly InlineRun[],
  isEdge: (char: string) => boolean,
): { cut: InlineRun[]; rest: InlineRun[] } => {
  const cut: InlineRun[] = []
  const rest = [...runs]
  for (let first = rest[0]; isTextRun(first); first = rest[0]) {
    const found = takeStart(first.text, isEdge)
    if (found === '') break
    cut.push({ text: found, style: first.style })
    rest.shift()
    if (found.length < first.text.length) {
      rest.unshift({ text: first.text.slice(found.length), style: first.style })
      break
    }
  }
  return { cut, rest }
}

const cutEnd = (
  runs: readonly InlineRun[],
  isEdge: (char: string) => boolean,
): { cut: InlineRun[]; rest: InlineRun[] } => {
  const cut: InlineRun[] = []
  const rest = [...runs]
  for (let last = rest.at(-1); isTextRun(last); last = rest.at(-1)) {
    const found = takeEnd(last.text, isEdge)
    if (found === '') break
    cut.unshift({ text: found, style: last.style })
    rest.pop()
    if (found.length < last.text.length) {
      rest.push({ text: last.text.slice(0, -found.length), style: last.style })
      break
    }
  }
  return { cut, rest }
}

const writeLink = (
  runs: readonly InlineRun[],
  href: string,
  inner: readonly Layer[],
  out: Pieces,
  after: string,
): void => {
  const address = safeHref(href)
  const { head, body, tail } = fitEmphasis(runs, ' ', ' ')
  const text = body.map((run) => (isTextRun(run) ? run.text : '')).join('')
  if (address === undefined || text === '' || out.inLink) {
    writeLayer(runs, inner, out, after)
    return
  }
  writeLayer(head, inner, out, '[')
  const scheme = /^mailto:/i.test(address) ? 'mailto:' : ''
  if (address === scheme + text && AUTOLINK.test(address)) {
    push(out, 'opaque', `<${text}>`)
  } else {
    push(out, 'markup', '[')
    out.inLink = true
    writeLayer(body, inner, out, ']')
    out.inLink = false
    push(out, 'markup', '](')
    push(out, 'opaque', `${escapeAddress(address)})`)
  }
  writeLayer(tail, inner, out, after)
}

const AUTOLINK = /^(?:(?:https?|ftp):\/\/|mailto:[\w.+-]+@)[^\s<>\\]+$/i

/** An address as it may stand in the parentheses of a link. */
export const escapeAddress = (address: string): string =>
  address.replace(/[\s<>()\\|`*_]/gu, (char) =>
    char === '_' || char === '*'
      ? char
      : encodeURIComponent(char).replace(/[()]/g, (paren) => (paren === '(' ? '%28' : '%29')),
  )

const writeRun = (run: InlineRun, out: Pieces): void => {
  if (!isTextRun(run)) writeAtom(run.atom, out)
  else if (run.style.code) writeCode(run.text, out)
  else if (run.style.script) writeScript(run.text, run.style.script, out)
  else push(out, 'text', run.text)
}

const writeCode = (text: string, out: Pieces): void => {
  const code = text.trim()
  // Neither can be said in markdown: code that touches a backtick, and a backslash before the bar of a cell.
  if (lastChar(out) === '`' || (out.line === 'cell' && code.includes('\\|'))) {
    push(out, 'text', text)
    return
  }
  const ticks = '`'.repeat(longestBacktickRun(code) + 1)
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : ''
  if (code === '' || isBlank(text[0] ?? '')) push(out, 'text', ' ')
  if (code === '') return
  push(out, 'markup', ticks)
  push(out, 'opaque', pad + code + pad)
  push(out, 'markup', ticks)
  if (isBlank(text.at(-1) ?? '')) push(out, 'text', ' ')
}

const writeScript = (text: string, script: 'super' | 'sub', out: Pieces): void => {
  const characters = toScriptCharacters(text, script)
  const tag = script === 'super' ? 'sup' : 'sub'
  if (characters === undefined) push(out, 'markup', `<${tag}>`)
  push(out, 'text', characters ?? text.trim())
  if (characters === undefined) push(out, 'markup', `</${tag}>`)
}

const writeAtom = (atom: Extract<InlineRun, { atom: unknown }>['atom'], out: Pieces): void => {
  switch (atom.kind) {
    case 'break':
      push(out, 'markup', BREAKS[out.line])
      break
    case 'note': {
      const label = out.context.noteLabels.get(atom.id)
      if (label !== undefined && !out.inLink) push(out, 'markup', `[^${label}]`)
      break
    }
    case 'image':
      writeImage(atom.image, atom.alt ?? '', out)
      break
    case 'formula':
      if (atom.latex) {
        push(out, 'markup', '$')
        push(out, 'opaque', cleanFormula(atom.latex))
        push(out, 'markup', '$')
      } else push(out, 'text', cleanFormula(atom.text))
  }
}

const BREAKS: Readonly<Record<LineContext, string>> = { paragraph: '  \n', item: '  \n', heading: ' ', cell: '<br>' }
const cleanFormula = (text: string): string => text.replace(/\s+/g, ' ').trim()

const writeImage = (id: string, alt: string, out: Pieces): void => {
  const href = out.context.imageHref(id)
  if (href === undefined) return
  push(out, 'markup', '![')
  const wasInLink = out.inLink
  out.inLink = true
  push(out, 'text', alt)
  out.inLink = wasInLink
  push(out, 'markup', '](')
  push(out, 'opaque', `${escapeAddress(href)})`)
}

/** An image on a line of its own; undefined where the result does not hold it. */
export const writeImageLine = (id: string, alt: string, context: MarkdownContext): string | undefined => {
  const out = createPieces(context, 'paragraph')
  writeImage(id, toPlainText([{ kind: 'text', text: alt }]), out)
  return out.pieces.length === 0 ? undefined : joinPieces(out.pieces, 'paragraph')
}
