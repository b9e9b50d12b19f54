import { escapeInline, inlineCode, writeCode } from '../shared/markdown.ts'
import { splitLines } from './indented-lines.ts'

const MAX_DEPTH = 12
/** A longer list is given in parts, so that no block keeps the thread for long. */
const MAX_ITEMS_IN_BLOCK = 1_000
// Without a bound, drawers that are never closed would each be searched for to the end of the file.
const MAX_DRAWER_LINES = 500

/** Org as Markdown, block by block. */
export function* convertOrg(text: string): Generator<string> {
  yield* convertLines(splitLines(text), 0)
}

type Block = { markdown: string; next: number }

function* convertLines(lines: string[], depth: number): Generator<string> {
  let at = 0
  while (at < lines.length) {
    if (lines[at] === '') {
      at++
      continue
    }
    const block =
      readHeadline(lines, at) ??
      readKeyword(lines, at) ??
      readBegin(lines, at, depth) ??
      readDrawer(lines, at) ??
      readTable(lines, at) ??
      readFixed(lines, at) ??
      readList(lines, at, depth) ??
      readParagraph(lines, at)
    at = Math.max(block.next, at + 1)
    if (block.markdown !== '') yield block.markdown
  }
}

const nest = (lines: string[], depth: number): string =>
  depth >= MAX_DEPTH
    ? lines.join('\n')
    : [...convertLines(lines, depth + 1)]
        .map((block) => block.trimEnd())
        .filter(Boolean)
        .join('\n\n')

const readHeadline = (lines: string[], at: number): Block | undefined => {
  const stars = /^(\*{1,50}) (.*)$/.exec(lines[at] as string)
  if (!stars) return undefined
  const title = (stars[2] ?? '')
    .trim()
    .replace(/^(?:TODO|DONE|NEXT|WAITING|CANCELLED) /, '')
    .replace(/^\[#[A-Z0-9]\] /, '')
  const tags = /[ \t](:[\w@#%:]+:)$/.exec(title.slice(-200))
  const shown = tags ? title.slice(0, -(tags[1]?.length ?? 0)).trim() : title
  return { markdown: `${'#'.repeat(Math.min(6, stars[1]?.length ?? 1))} ${convertInline(shown)}`, next: at + 1 }
}

const readKeyword = (lines: string[], at: number): Block | undefined => {
  const line = lines[at] as string
  if (/^\s*#(?: |$)/.test(line)) return { markdown: '', next: at + 1 }
  const keyword = /^\s*#\+(\w+):\s*(.*)$/.exec(line)
  if (!keyword) {
    if (/^\s*-{5,}$/.test(line)) return { markdown: '---', next: at + 1 }
    return /^(?:CLOSED|DEADLINE|SCHEDULED|CLOCK):/.test(line.trimStart()) ? { markdown: '', next: at + 1 } : undefined
  }
  const value = keyword[2] ?? ''
  switch (keyword[1]?.toLowerCase()) {
    case 'title':
      return { markdown: `# ${convertInline(value)}`, next: at + 1 }
    case 'author':
    case 'date':
    case 'subtitle':
    case 'caption':
      return { markdown: convertInline(value), next: at + 1 }
    default:
      return { markdown: '', next: at + 1 }
  }
}

const readBegin = (lines: string[], at: number, depth: number): Block | undefined => {
  const begin = /^(\s*)#\+begin_(\w+)(?:\s+(.*))?$/i.exec(lines[at] as string)
  if (!begin) return undefined
  const name = begin[2]?.toLowerCase() ?? ''
  const isEdge = (line: string, edge: string) => line.trimStart().toLowerCase().startsWith(`#+${edge}_${name}`)
  const isCode = ['src', 'example', 'export', 'comment', 'verse'].includes(name)
  let open = 1
  let end = at + 1
  for (; end < lines.length; end++) {
    const line = lines[end] as string
    if (!isCode && isEdge(line, 'begin')) open++
    if (isEdge(line, 'end') && --open === 0) break
  }
  const indent = begin[1]?.length ?? 0
  const body = lines
    .slice(at + 1, end)
    .map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length)))
  return { markdown: convertBegin(name, begin[3] ?? '', body, depth), next: end + 1 }
}

const convertBegin = (name: string, argument: string, body: string[], depth: number): string => {
  // A comma protects a line that would look like a headline.
  const code = () => body.map((line) => line.replace(/^(\s*),(?=[*,]|#\+)/, '$1')).join('\n')
  switch (name) {
    case 'src':
      return writeCode(code(), argument.split(/\s/)[0] ?? '')
    case 'example':
      return writeCode(code())
    case 'comment':
      return ''
    case 'export':
      return /^markdown|^md/.test(argument) ? body.join('\n') : ''
    case 'quote':
      return quote(nest(body, depth))
    case 'verse':
      return body.map((line) => convertInline(line)).join('  \n')
    default:
      return nest(body, depth)
  }
}

const quote = (markdown: string): string =>
  markdown
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')

const readDrawer = (lines: string[], at: number): Block | undefined => {
  if (!/^\s*:(?:PROPERTIES|LOGBOOK|RESULTS|CLOCK):$/i.test(lines[at] as string)) return undefined
  const end = lines.slice(at, at + MAX_DRAWER_LINES).findIndex((line) => /^\s*:END:$/i.test(line))
  return end < 0 ? undefined : { markdown: '', next: at + end + 1 }
}

const readTable = (lines: string[], at: number): Block | undefined => {
  let next = at
  while (/^\s*\|/.test(lines[next] ?? '')) next++
  if (next === at) return undefined
  const taken = lines.slice(at, next).map((line) => line.trim())
  const isRule = (line: string) => line.startsWith('|-')
  const split = (line: string) =>
    line
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => convertInline(cell.trim()))
  const rows = taken.filter((line) => !isRule(line) && !/^\|\s*<[lrc]?\d*>/.test(line)).map(split)
  if (rows.length === 0) return { markdown: '', next }
  const ruleAt = taken.findIndex((line, i) => i > 0 && isRule(line))
  const hasHead = ruleAt > 0 && taken.slice(0, ruleAt).some((line) => !isRule(line)) && ruleAt < taken.length - 1
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const write = (row: string[]) => `| ${Array.from({ length: columns }, (_, c) => row[c] ?? '').join(' | ')} |`
  const [head, body] = hasHead ? [rows[0] ?? [], rows.slice(1)] : [[], rows]
  return { markdown: [write(head), write(Array(columns).fill('-')), ...body.map(write)].join('\n'), next }
}

const readFixed = (lines: string[], at: number): Block | undefined => {
  let next = at
  while (/^\s*:(?: |$)/.test(lines[next] ?? '')) next++
  if (next === at) return undefined
  return {
    markdown: writeCode(
      lines
        .slice(at, next)
        .map((line) => line.replace(/^\s*: ?/, ''))
        .join('\n'),
    ),
    next,
  }
}

const ITEM = /^(\s*)(?:([-+]|\s\*)|(\d{1,9})[.)])(?:\s+|$)(?:\[@\d+\]\s+)?(?:\[([ xX-])\]\s+)?/

const readList = (lines: string[], at: number, depth: number): Block | undefined => {
  const indent = (line: string) => line.length - line.trimStart().length
  const first = ITEM.exec(lines[at] as string)
  if (!first) return undefined
  const level = indent(lines[at] as string)
  const items: string[] = []
  let next = at
  let number = 0
  while (next < lines.length && items.length < MAX_ITEMS_IN_BLOCK) {
    const line = lines[next] as string
    const marker = ITEM.exec(line)
    if (!marker || indent(line) !== level || (marker[3] === undefined) !== (first[3] === undefined)) break
    let end = next + 1
    // Two blank lines, or a line not indented further, end an item.
    while (end < lines.length) {
      const following = lines[end] as string
      if (following === '' ? (lines[end + 1] ?? '') === '' : indent(following) <= level) break
      end++
    }
    const rest = lines.slice(next + 1, end)
    const shared = rest.reduce((least, text) => (text === '' ? least : Math.min(least, indent(text))), 1_000)
    number = marker[3] && items.length === 0 ? Number(marker[3]) || 1 : number + 1
    const sign = marker[3] ? `${number}. ` : '- '
    const box = marker[4] === undefined ? '' : `[${marker[4] === '-' ? ' ' : marker[4].toLowerCase()}] `
    const [term, definition] = splitTerm(line.slice(marker[0].length))
    const head = term === undefined ? definition : `*${term}*: ${definition}`
    const body = nest([head, ...rest.map((text) => text.slice(Math.min(shared, indent(text))))], depth)
    items.push(sign + box + body.replace(/\n(?=.)/g, `\n${' '.repeat(sign.length)}`))
    next = end
    if (lines[next] === '' && ITEM.test(lines[next + 1] ?? '')) next++
  }
  return { markdown: items.join('\n').replace(/\n\n(?=\s*(?:- |\d+\. ))/g, '\n'), next }
}

const splitTerm = (text: string): [string | undefined, string] => {
  const at = text.indexOf(' ::')
  return at > 0 ? [text.slice(0, at).trim(), text.slice(at + 3).trim()] : [undefined, text]
}

const readParagraph = (lines: string[], at: number): Block => {
  const starts = (line: string) => /^(?:\*{1,50} |\s*(?:\||#\+\w+|#(?: |$)|: ))/.test(line) || ITEM.test(line)
  let next = at + 1
  while (next < lines.length && lines[next] !== '' && !starts(lines[next] as string)) next++
  const text = lines
    .slice(at, next)
    .map((line) => line.trim())
    .join('\n')
  const footnote = /^\[fn:([\w-]+)\]\s*/.exec(text)
  if (footnote) return { markdown: `[^${footnote[1]}]: ${convertInline(text.slice(footnote[0].length))}`, next }
  return { markdown: convertInline(text), next }
}

const EDGE_BEFORE = String.raw`(?<![\p{L}\p{N}/*+=~_])`
const EDGE_AFTER = String.raw`(?![\p{L}\p{N}])`
const span = (mark: string, name: string) =>
  String.raw`${EDGE_BEFORE}${mark}(?<${name}>[^\s${mark}](?:[^${mark}\n]{0,2000}?[^\s${mark}])?)${mark}${EDGE_AFTER}`
const INLINE = new RegExp(
  [
    String.raw`\[\[(?<url>[^\][]+)\](?:\[(?<text>[^\][]+)\])?\]`,
    String.raw`\[fn:(?<note>[\w-]+)\]`,
    span('=', 'verbatim'),
    span('~', 'code'),
    span('\\*', 'bold'),
    span('/', 'italic'),
    span('\\+', 'strike'),
    span('_', 'underline'),
    String.raw`(?<math>\$\$[^$]+\$\$|\\\([^()]*\\\)|\\\[[^\][]*\\\])`,
    String.raw`(?<link>https?://[^\s<>()\][]+)`,
    String.raw`(?<break>\\\\)(?=\n|$)`,
  ].join('|'),
  'gu',
)

const convertInline = (text: string, depth = 0): string => {
  let out = ''
  let at = 0
  for (const match of text.matchAll(INLINE)) {
    out += escapeInline(text.slice(at, match.index))
    const found = match.groups ?? {}
    const inner = (value: string) => (depth < 4 ? convertInline(value, depth + 1) : escapeInline(value))
    if (found.url !== undefined) out += convertLink(found.url, found.text, inner)
    else if (found.note !== undefined) out += `[^${found.note}]`
    else if (found.verbatim !== undefined) out += inlineCode(found.verbatim)
    else if (found.code !== undefined) out += inlineCode(found.code)
    else if (found.bold !== undefined) out += `**${inner(found.bold)}**`
    else if (found.italic !== undefined) out += `*${inner(found.italic)}*`
    else if (found.strike !== undefined) out += `~~${inner(found.strike)}~~`
    else if (found.underline !== undefined) out += inner(found.underline)
    else if (found.break !== undefined) out += '  '
    else out += match[0]
    at = match.index + match[0].length
  }
  return out + escapeInline(text.slice(at))
}

const convertLink = (url: string, text: string | undefined, inner: (value: string) => string): string => {
  const target = url.replace(/^file:/, '')
  if (/\.(?:png|jpe?g|gif|svg|webp)$/i.test(target) && text === undefined) return `![](${target})`
  // A link to a headline of the same file has no place to go to in Markdown.
  if (/^[*#]/.test(target)) return inner(text ?? target.slice(1))
  return `[${text === undefined ? escapeInline(target) : inner(text)}](${target.replaceAll(' ', '%20')})`
}
