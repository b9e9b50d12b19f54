import { escapeInline, inlineCode, writeCode } from '../shared/markdown.ts'
import { accent, isAccent, SYMBOLS, setType } from './latex-characters.ts'
import { collectMacros, expandMacro, LatexReader, type Macro, splitItems, stripComments } from './latex-source.ts'
import { convertTabular } from './latex-tables.ts'
import { CODE, DROPPED, HEADINGS, MATH, STYLES } from './latex-vocabulary.ts'

const MAX_DEPTH = 16
const MAX_EXPANSIONS = 20_000
const MAX_MATH_CHARACTERS = 20_000
const MAX_INLINE_CHARACTERS = 2_000

type State = {
  macros: Map<string, Macro>
  budget: { expansions: number; nestedCharacters: number }
  notes: string[]
  title: Record<string, string>
  depth: number
}

/** LaTeX as Markdown, block by block: what a reader would see, without the typesetting. */
export function* convertLatex(text: string): Generator<string> {
  const source = stripComments(text)
  const state: State = {
    macros: collectMacros(source),
    budget: { expansions: 0, nestedCharacters: 200_000 + source.length * 2 },
    notes: [],
    title: {},
    depth: 0,
  }
  for (const command of ['title', 'author', 'date']) {
    const found = source.search(new RegExp(String.raw`\\${command}\s*[\[{]`))
    if (found < 0) continue
    const reader = new LatexReader(source)
    reader.at = found + command.length + 1
    reader.readOptional()
    state.title[command] = reader.readArgument()
  }
  const begin = source.indexOf('\\begin{document}')
  const end = source.indexOf('\\end{document}')
  const body = begin < 0 ? source : source.slice(begin + 16, end > begin ? end : undefined)
  if (state.title.title && !body.includes('\\maketitle')) yield* writeTitle(state)
  yield* convertBlocks(new LatexReader(body), state)
  for (const [index, note] of state.notes.entries()) yield `[^${index + 1}]: ${note}`
}

function* writeTitle(state: State): Generator<string> {
  const shown = (name: string) =>
    convertText(state.title[name] ?? '', state)
      .replace(/\s+/g, ' ')
      .trim()
  if (state.title.title) yield `# ${shown('title')}`
  for (const name of ['author', 'date']) if (state.title[name]) yield shown(name)
}

/** Blocks of a stretch of source: paragraphs end at blank lines and at everything that is no running text. */
function* convertBlocks(reader: LatexReader, state: State): Generator<string> {
  let paragraph = ''
  const take = (): string => {
    const text = paragraph
      .replace(/[ \t]*\n[ \t]*/g, '\n')
      .replace(/[ \t]+/g, ' ')
      .trim()
    paragraph = ''
    return text
  }
  while (!reader.done) {
    const stop = findStop(reader)
    if (stop > reader.at) {
      const plain = reader.text.slice(reader.at, stop)
      reader.at = stop
      const parts = plain.split(/\n[ \t]*\n\s*/)
      for (const [index, part] of parts.entries()) {
        if (index > 0) yield take()
        paragraph += escapeInline(setType(part))
      }
      continue
    }
    const block = convertBlockAt(reader, state)
    if (block === undefined) {
      paragraph += convertInlineAt(reader, state)
      if (paragraph.length > 65_536) yield take()
    } else {
      yield take()
      yield* block
    }
  }
  yield take()
}

const findStop = (reader: LatexReader): number => {
  STOP.lastIndex = reader.at
  return STOP.exec(reader.text)?.index ?? reader.text.length
}
const STOP = /[\\${}]/g

/** What stands here as blocks of its own; undefined when it belongs into the running paragraph. */
const convertBlockAt = (reader: LatexReader, state: State): Iterable<string> | undefined => {
  const { text, at } = reader
  if (text.startsWith('$$', at)) {
    const close = findNear(text, '$$', at + 2, MAX_MATH_CHARACTERS)
    if (close < 0) return undefined
    reader.at = close + 2
    return [writeMath(text.slice(at + 2, close))]
  }
  if (text[at] !== '\\') return undefined
  if (text.startsWith('\\[', at)) {
    const close = findNear(text, '\\]', at + 2, MAX_MATH_CHARACTERS)
    if (close < 0) return undefined
    reader.at = close + 2
    return [writeMath(text.slice(at + 2, close))]
  }
  BLOCK_COMMAND.lastIndex = at
  const command = BLOCK_COMMAND.exec(text)?.[1]
  if (command === undefined) return undefined
  reader.at += command.length + 1
  if (command === 'begin') return convertEnvironment(reader, state)
  if (command === 'end') {
    reader.readArgument()
    return []
  }
  if (command === 'par') return []
  if (command === 'maketitle') return writeTitle(state)
  if (command === 'title' || command === 'author' || command === 'date') {
    reader.readOptional()
    reader.readArgument()
    return []
  }
  if (command === 'caption' || command === 'captionof') {
    if (command === 'captionof') reader.readArgument()
    reader.readOptional()
    return [convertText(reader.readArgument(), state).replace(/\s+/g, ' ')]
  }
  if (command === 'includegraphics') {
    reader.readOptional()
    return [`![](${reader.readArgument().trim()})`]
  }
  if (text[reader.at] === '*') reader.at++
  reader.readOptional()
  const title = convertText(reader.readArgument(), state).replace(/\s+/g, ' ').trim()
  return title === '' ? [] : [`${'#'.repeat(HEADINGS[command] ?? 6)} ${title}`]
}
const BLOCK_COMMAND = new RegExp(
  String.raw`\\(begin|end|par|maketitle|title|author|date|captionof|caption|includegraphics|${Object.keys(HEADINGS).join('|')})(?![A-Za-z])`,
  'y',
)

// Looking to the end of the file for every bracket that is never closed would take forever.
const findNear = (text: string, wanted: string, from: number, within: number): number => {
  const found = text.slice(from, from + within).indexOf(wanted)
  return found < 0 ? -1 : from + found
}

const writeMath = (math: string): string =>
  `$$\n${math
    .replace(/\\label\{[^{}]*\}/g, '')
    .replace(/\n\s*\n/g, '\n')
    .trim()}\n$$`

function* convertEnvironment(reader: LatexReader, state: State): Generator<string> {
  const name = reader.readArgument()
  if (state.depth >= MAX_DEPTH) return
  const inner = { ...state, depth: state.depth + 1 }
  // Lists in lists in lists are read once for every level.
  const nested = (body: string): string => {
    inner.budget.nestedCharacters -= body.length
    if (inner.budget.nestedCharacters < 0) return ''
    return [...convertBlocks(new LatexReader(body), inner)]
      .map((block) => block.trim())
      .filter(Boolean)
      .join('\n\n')
  }
  if (CODE.test(name)) {
    const options = reader.readOptional()
    const language = name === 'minted' ? reader.readArgument() : (/language=\{?(\w+)/.exec(options ?? '')?.[1] ?? '')
    const body = reader.readEnvironment(name)
    if (name !== 'comment') yield writeCode(body.replace(/^\s*\n/, ''), language.toLowerCase())
    return
  }
  if (MATH.test(name)) {
    const body = reader.readEnvironment(name)
    yield writeMath(/^(?:equation|displaymath|math)/.test(name) ? body : `\\begin{aligned}${body}\\end{aligned}`)
    return
  }
  if (/^(?:tabular[xy*]?|longtable|array|tabulary)$/.test(name)) {
    if (/[xy*]$/.test(name)) reader.readArgument()
    reader.readOptional()
    reader.readArgument()
    yield convertTabular(reader.readEnvironment(name), (cell) => convertText(cell, inner).replace(/\s+/g, ' ').trim())
    return
  }
  if (/^(?:itemize|enumerate|description|compactitem|compactenum|enumerate\*|itemize\*)$/.test(name)) {
    reader.readOptional()
    yield convertItems(reader.readEnvironment(name), name.includes('enum'), nested)
    return
  }
  if (name === 'thebibliography') {
    reader.readArgument()
    const entries = reader.readEnvironment(name).split(/\\bibitem\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}/)
    yield '## References'
    yield entries
      .slice(1)
      .map((entry) => `- ${nested(entry).replace(/\s+/g, ' ')}`)
      .join('\n')
    return
  }
  if (/^(?:tikzpicture|pgfpicture|picture|filecontents\*?)$/.test(name)) {
    reader.readEnvironment(name)
    return
  }
  if (name === 'abstract') yield '## Abstract'
  if (/^(?:quote|quotation|verse)$/.test(name)) {
    yield nested(reader.readEnvironment(name)).replace(/^/gm, '> ')
    return
  }
  // Of minipage, figure and the like only what is in them is shown.
  if (/^(?:minipage|multicols|wrapfigure|subfigure|adjustbox|column)$/.test(name)) {
    reader.readOptional()
    reader.readArgument()
  } else reader.readOptional()
  const label = /^(?:theorem|lemma|proof|definition|corollary|proposition|remark|example)$/.test(name)
  if (label) yield `**${name[0]?.toUpperCase()}${name.slice(1)}.**`
}

const convertItems = (body: string, numbered: boolean, nested: (body: string) => string): string => {
  const items = splitItems(body)
  const rows = items.map(({ label, text }, index) => {
    const sign = numbered ? `${index + 1}. ` : '- '
    const name = label === undefined ? '' : `**${nested(label)}** `
    return sign + name + nested(text).replace(/\n(?=.)/g, `\n${' '.repeat(sign.length)}`)
  })
  return rows.join('\n').replace(/\n\n(?=\s*(?:- |\d+\. ))/g, '\n')
}

/** Running text inside an argument. */
const convertText = (text: string, state: State): string => {
  if (state.depth >= MAX_DEPTH) return escapeInline(text)
  const reader = new LatexReader(text)
  const inner = { ...state, depth: state.depth + 1 }
  let out = ''
  while (!reader.done) {
    const stop = findStop(reader)
    out += escapeInline(setType(text.slice(reader.at, stop)))
    reader.at = stop
    if (!reader.done) out += convertInlineAt(reader, inner)
  }
  return out
}

const convertInlineAt = (reader: LatexReader, state: State): string => {
  const character = reader.text[reader.at]
  if (character === '$') {
    const close = findMathEnd(reader.text, reader.at + 1)
    const math = close < 0 ? '' : reader.text.slice(reader.at, close + 1)
    reader.at += math.length || 1
    return math === '' ? '\\$' : math.replace(/\s+/g, ' ')
  }
  reader.at++
  if (character !== '\\') return ''
  const command = reader.readCommand()
  return convertCommand(command, reader, state)
}

const findMathEnd = (text: string, from: number): number => {
  for (let i = from; i < Math.min(text.length, from + MAX_INLINE_CHARACTERS); i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '$') return i
    else if (text[i] === '\n' && text[i + 1] === '\n') return -1
  }
  return -1
}

const convertCommand = (command: string, reader: LatexReader, state: State): string => {
  const name = command.replace(/(?<=.)\*$/, '')
  const argument = () => convertText(reader.readArgument(), state)
  if (name === '\\') {
    reader.readOptional()
    return '\n'
  }
  if (name === '(') {
    const close = findNear(reader.text, '\\)', reader.at, MAX_INLINE_CHARACTERS)
    if (close < 0) return '('
    const math = reader.text.slice(reader.at, close)
    reader.at = close + 2
    return `$${math.trim()}$`
  }
  const macro = state.macros.get(name)
  if (macro) {
    // Macros that use themselves would never end.
    if (++state.budget.expansions > MAX_EXPANSIONS || state.depth > 12) return ''
    return convertText(expandMacro(macro, reader).slice(0, 20_000), { ...state, depth: state.depth + 3 })
  }
  if (isAccent(name) && (name.length > 1 || !/[a-zA-Z]/.test(name) || /[\s{\\]/.test(reader.text[reader.at] ?? ''))) {
    return accent(name, reader.readArgument())
  }
  if (Object.hasOwn(SYMBOLS, name)) {
    if (/[A-Za-z]$/.test(name)) reader.readBracketed('{', '}')
    return escapeInline(SYMBOLS[name] ?? '')
  }
  if (Object.hasOwn(DROPPED, name)) {
    reader.readOptional()
    for (let left = DROPPED[name] ?? 0; left > 0; left--) {
      reader.readArgument()
      reader.readOptional()
    }
    return ''
  }
  if (Object.hasOwn(STYLES, name)) {
    const inner = argument()
    const mark = STYLES[name] ?? ''
    return inner.trim() === ''
      ? inner
      : inner.replace(/^(\s*)(?=\S)/, `$1${mark}`).trimEnd() + mark + inner.slice(inner.trimEnd().length)
  }
  switch (name) {
    case 'texttt':
    case 'code':
    case 'lstinline':
      return inlineCode(reader.readArgument().replace(/\\([_%&#${}])/g, '$1'))
    case 'verb': {
      const delimiter = reader.text[reader.at] ?? '|'
      const close = findNear(reader.text, delimiter, reader.at + 1, MAX_INLINE_CHARACTERS)
      if (close < 0) return ''
      const code = reader.text.slice(reader.at + 1, close)
      reader.at = close + 1
      return inlineCode(code)
    }
    case 'url':
    case 'path': {
      const url = reader.readArgument().replace(/\\([_%&#~])/g, '$1')
      return `<${url}>`
    }
    case 'href': {
      const url = reader.readArgument().replace(/\\([_%&#~])/g, '$1')
      return `[${argument()}](${url})`
    }
    case 'footnote':
    case 'thanks': {
      const note = argument().replace(/\s+/g, ' ').trim()
      state.notes.push(note)
      return `[^${state.notes.length}]`
    }
    case 'footnotemark':
    case 'item':
      reader.readOptional()
      return name === 'item' ? '\n- ' : ''
    case 'ref':
    case 'eqref':
    case 'autoref':
    case 'cref':
    case 'Cref':
    case 'pageref':
      return `[${escapeInline(reader.readArgument())}]`
    case 'textcolor':
    case 'colorbox':
    case 'parbox':
    case 'resizebox':
    case 'scalebox':
    case 'raisebox':
    case 'foreignlanguage':
      reader.readOptional()
      reader.readArgument()
      if (name === 'resizebox') reader.readArgument()
      return argument()
    case 'textsuperscript':
      return `<sup>${argument()}</sup>`
    case 'textsubscript':
      return `<sub>${argument()}</sub>`
    default:
      return convertUnknown(name, reader, argument)
  }
}

/** Citations keep their keys; of anything else the argument is shown and the command is not. */
const convertUnknown = (name: string, reader: LatexReader, argument: () => string): string => {
  if (/^(?:no)?[cC]ite/.test(name) || /^(?:text|paren|auto|foot)cite/.test(name)) {
    reader.readOptional()
    reader.readOptional()
    return `[${reader
      .readArgument()
      .split(',')
      .map((key) => `@${escapeInline(key.trim())}`)
      .join('; ')}]`
  }
  reader.readOptional()
  return reader.text[reader.at] === '{' ? argument() : ''
}
