import { escapeInline, writeCode } from '../shared/markdown.ts'
import { dedent, dedentBy, endOfIndented, splitLines } from './indented-lines.ts'
import { quote, type RstContext } from './rst-context.ts'
import { convertDirective } from './rst-directives.ts'
import { collectNames, convertInline } from './rst-inline.ts'
import { readGridTable, readSimpleTable, writeRstTable } from './rst-tables.ts'

const MAX_DEPTH = 12
/** A longer list is given in parts, so that no block keeps the thread for long. */
const MAX_ITEMS_IN_BLOCK = 1_000
const BULLET = /^([*+\-•‣⁃])(\s+)(?=\S)/
const ENUMERATOR =
  /^(?:\(?(\d{1,9}|#|[a-zA-Z]|[ivxlcIVXLC]{1,7})\)|(\d{1,9}|#|[a-zA-Z]|[ivxlcIVXLC]{1,7})\.)(\s+)(?=\S)/
const FIELD = /^:([^:\s](?:[^:]{0,80}[^:\s])?):(?:\s+(.*))?$/

/** reStructuredText as Markdown, block by block. */
export function* convertRst(text: string): Generator<string> {
  const lines = splitLines(text)
  yield* convertBlocks(lines, { ...collectNames(lines), styles: [], depth: 0, convertNested })
}

/** The Markdown of nested content. */
const convertNested = (lines: string[], context: RstContext): string => {
  if (context.depth >= MAX_DEPTH) return lines.join('\n')
  return [...convertBlocks(dedent(lines), { ...context, depth: context.depth + 1 })]
    .map((block) => block.trimEnd())
    .filter(Boolean)
    .join('\n\n')
}

function* convertBlocks(lines: string[], context: RstContext): Generator<string> {
  let at = 0
  while (at < lines.length) {
    if (lines[at] === '') {
      at++
      continue
    }
    const { markdown, next } = convertBlock(lines, at, context)
    at = Math.max(next, at + 1)
    if (markdown !== '') yield markdown
  }
}

type Block = { markdown: string; next: number }

const convertBlock = (lines: string[], at: number, context: RstContext): Block => {
  const line = lines[at] as string
  if (line.startsWith(' ')) {
    const end = endOfIndented(lines, at, 1)
    return { markdown: quote(convertNested(lines.slice(at, end), context)), next: end }
  }
  if (line === '..' || line.startsWith('.. ') || line.startsWith('__ ')) {
    const end = endOfIndented(lines, at + 1, 1)
    return { markdown: convertDirective(lines.slice(at, end), context), next: end }
  }
  return (
    readHeading(lines, at, context) ??
    readTable(lines, at, context) ??
    readRule(lines, at) ??
    readList(lines, at, context) ??
    readFields(lines, at, context) ??
    readLineBlock(lines, at, context) ??
    readDoctest(lines, at) ??
    readDefinition(lines, at, context) ??
    readParagraph(lines, at, context)
  )
}

const isRule = (line: string): boolean => line.length >= 2 && /^([!-/:-@[-`{-~])\1+$/.test(line)

const readHeading = (lines: string[], at: number, context: RstContext): Block | undefined => {
  const [first = '', second = '', third] = [lines[at], lines[at + 1], lines[at + 2]]
  if (isRule(first) && second.trim() !== '' && third === first)
    return heading(second.trim(), `${first[0]}${first[0]}`, at + 3, context)
  if (!isRule(second) || isRule(first) || second.length < Math.min(3, first.length)) return undefined
  // A short underline under long text is a paragraph with dashes.
  return second.length * 2 >= first.length ? heading(first.trim(), second[0] as string, at + 2, context) : undefined
}

const heading = (title: string, style: string, next: number, context: RstContext): Block => {
  if (!context.styles.includes(style)) context.styles.push(style)
  const level = Math.min(6, context.styles.indexOf(style) + 1)
  return { markdown: `${'#'.repeat(level)} ${convertInline(title, context)}`, next }
}

const readTable = (lines: string[], at: number, context: RstContext): Block | undefined => {
  const table = readGridTable(lines, at) ?? readSimpleTable(lines, at)
  return table && { markdown: writeRstTable(table, context), next: at + table.lineCount }
}

const readRule = (lines: string[], at: number): Block | undefined =>
  isRule(lines[at] ?? '') && (lines[at] as string).length >= 4 && (lines[at + 1] ?? '') === ''
    ? { markdown: '---', next: at + 1 }
    : undefined

const readList = (lines: string[], at: number, context: RstContext): Block | undefined => {
  const items: string[] = []
  let next = at
  let number = 0
  const isBullet = BULLET.test(lines[at] as string)
  while (next < lines.length && items.length < MAX_ITEMS_IN_BLOCK) {
    const line = lines[next] as string
    const marker = (isBullet ? BULLET : ENUMERATOR).exec(line)
    if (!marker) break
    const width = marker[0].length
    const end = endOfIndented(lines, next + 1, 1)
    // "A. Einstein was" is a sentence: the line after an item is blank, indented or another item.
    const following = lines[next + 1] ?? ''
    if (!isBullet && following !== '' && !following.startsWith(' ') && !ENUMERATOR.test(following)) break
    const label = marker[1] ?? marker[2] ?? ''
    number = /^\d+$/.test(label) && items.length === 0 ? Number(label) : number + 1
    const sign = isBullet ? '- ' : `${number}. `
    const body = convertNested([line.slice(width), ...dedentBy(lines.slice(next + 1, end), width)], context)
    items.push(sign + body.replace(/\n(?=.)/g, `\n${' '.repeat(sign.length)}`))
    next = end
    while (lines[next] === '') next++
  }
  return items.length > 0 ? { markdown: items.join('\n').replace(/\n\n(?=\s*(?:- |\d+\. ))/g, '\n'), next } : undefined
}

const readFields = (lines: string[], at: number, context: RstContext): Block | undefined => {
  const items: string[] = []
  let next = at
  for (let field = FIELD.exec(lines[next] ?? ''); field; field = FIELD.exec(lines[next] ?? '')) {
    const end = endOfIndented(lines, next + 1, 1)
    const value = [field[2] ?? '', ...lines.slice(next + 1, end).map((line) => line.trim())].filter(Boolean).join(' ')
    items.push(`- **${escapeInline(field[1] ?? '')}**: ${convertInline(value, context)}`.trimEnd())
    next = end
  }
  return items.length > 0 ? { markdown: items.join('\n'), next } : undefined
}

const readLineBlock = (lines: string[], at: number, context: RstContext): Block | undefined => {
  let next = at
  while (/^\|(?: |$)/.test(lines[next] ?? '')) next++
  if (next === at) return undefined
  const rows = lines.slice(at, next).map((line) => convertInline(line.slice(1).trim(), context))
  return { markdown: rows.join('  \n'), next }
}

const readDoctest = (lines: string[], at: number): Block | undefined => {
  if (!lines[at]?.startsWith('>>> ')) return undefined
  let next = at
  while (next < lines.length && lines[next] !== '') next++
  return { markdown: writeCode(lines.slice(at, next).join('\n'), 'python'), next }
}

const readDefinition = (lines: string[], at: number, context: RstContext): Block | undefined => {
  if (!(lines[at + 1] ?? '').startsWith(' ') || (lines[at] as string).endsWith('::')) return undefined
  const end = endOfIndented(lines, at + 1, 1)
  const body = convertNested(lines.slice(at + 1, end), context).replace(/\n(?=.)/g, '\n  ')
  return { markdown: `- **${convertInline(lines[at] as string, context)}**: ${body}`, next: end }
}

const readParagraph = (lines: string[], at: number, context: RstContext): Block => {
  let next = at + 1
  while (next < lines.length && lines[next] !== '' && !lines[next]?.startsWith('.. ')) next++
  const text = lines.slice(at, next).join('\n')
  if (!text.endsWith('::')) return { markdown: convertInline(text, context), next }
  const shown = text === '::' ? '' : text.endsWith(' ::') ? text.slice(0, -3) : text.slice(0, -1)
  const start = next + (lines[next] === '' ? 1 : 0)
  const end = endOfIndented(lines, start, 1)
  const code = dedent(lines.slice(start, end)).join('\n').replace(/^\n+/, '')
  const parts = [convertInline(shown, context), code.trim() === '' ? '' : writeCode(code)].filter(Boolean)
  return { markdown: parts.join('\n\n'), next: end }
}
