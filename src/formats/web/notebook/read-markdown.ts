import type { Block, Cell, Item } from '../../shared/document/model.ts'
import { type InlineReading, readInlines } from './read-markdown-inline.ts'

const MAX_DEPTH = 12
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/
const FENCE = /^( {0,3})(`{3,}|~{3,})[ \t]*([^`\s]*)[^`]*$/
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/
const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/
const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

export type MarkdownReading = InlineReading & {
  /** Blocks of HTML that stands in the markdown. */
  html(text: string): Block[]
}

/** The blocks of a markdown text, so far as notebooks use them. */
export const readMarkdown = (text: string, reading: MarkdownReading, depth = 0): Block[] => {
  const lines = text.replaceAll('\t', '    ').split('\n')
  const blocks: Block[] = []
  let paragraph: string[] = []
  const finish = (): void => {
    const content = readInlines(paragraph.map((line) => line.trimStart()).join('\n'), reading)
    paragraph = []
    if (content.length > 0) blocks.push({ kind: 'paragraph', content })
  }
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string
    const next = lines[i + 1] ?? ''
    const heading = HEADING.exec(line)
    const fence = FENCE.exec(line)
    if (line.trim() === '') finish()
    else if (heading) {
      finish()
      addHeading(blocks, (heading[1] as string).length, heading[2] ?? '', reading)
    } else if (paragraph.length > 0 && /^ {0,3}(?:=+|-+)[ \t]*$/.test(line)) {
      const level = line.includes('=') ? 1 : 2
      const title = paragraph.join(' ')
      paragraph = []
      addHeading(blocks, level, title, reading)
    } else if (fence) {
      finish()
      i = addFence(blocks, lines, i, fence)
    } else if (/^ {0,3}\$\$/.test(line)) {
      finish()
      i = addFormula(blocks, lines, i)
    } else if (RULE.test(line)) {
      finish()
      blocks.push({ kind: 'rule' })
    } else if (line.includes('|') && next.includes('-') && TABLE_RULE.test(next) && paragraph.length === 0) {
      i = addTable(blocks, lines, i, reading)
    } else if (/^ {0,3}>/.test(line) && depth < MAX_DEPTH) {
      finish()
      const end = findEnd(lines, i, (each) => each.trim() !== '')
      const inner = lines.slice(i, end).map((each) => each.replace(/^ {0,3}> ?/, ''))
      blocks.push({ kind: 'quote', blocks: readMarkdown(inner.join('\n'), reading, depth + 1) })
      i = end - 1
    } else if (
      ITEM.test(line) &&
      (paragraph.length === 0 || /^ {0,3}(?:[-*+]|1[.)]) +\S/.test(line)) &&
      depth < MAX_DEPTH
    ) {
      finish()
      const end = findListEnd(lines, i)
      blocks.push(...readItems(lines.slice(i, end), reading, depth))
      i = end - 1
    } else if (/^ {0,3}<(?:[a-zA-Z]|\/[a-zA-Z]|!--)/.test(line) && paragraph.length === 0) {
      const end = findEnd(lines, i, (each) => each.trim() !== '')
      blocks.push(...reading.html(lines.slice(i, end).join('\n')))
      i = end - 1
    } else if (/^ {4}/.test(line) && paragraph.length === 0) {
      const end = findEnd(lines, i, (each) => each.startsWith('    ') || each.trim() === '')
      blocks.push({
        kind: 'code',
        text: lines
          .slice(i, end)
          .map((each) => each.slice(4))
          .join('\n')
          .trimEnd(),
      })
      i = end - 1
    } else paragraph.push(line)
  }
  finish()
  return blocks
}

const addHeading = (blocks: Block[], level: number, title: string, reading: MarkdownReading): void => {
  const content = readInlines(title.trim(), reading)
  if (content.length > 0) blocks.push({ kind: 'heading', level: level as 1 | 2 | 3 | 4 | 5 | 6, content })
}

const findEnd = (lines: readonly string[], from: number, goesOn: (line: string) => boolean): number => {
  let end = from + 1
  while (end < lines.length && goesOn(lines[end] as string)) end++
  return end
}

/** Answers the line that the code ends on. */
const addFence = (blocks: Block[], lines: readonly string[], at: number, fence: RegExpExecArray): number => {
  const [, indent = '', marks = '', language = ''] = fence
  const isClosing = (line: string): boolean => {
    const text = line.trim()
    return text.length >= marks.length && text === (marks[0] as string).repeat(text.length)
  }
  const end = findEnd(lines, at, (line) => !isClosing(line))
  const code = lines.slice(at + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
  blocks.push({ kind: 'code', text: code.join('\n'), ...(language ? { language: language.toLowerCase() } : {}) })
  return end
}

const addFormula = (blocks: Block[], lines: readonly string[], at: number): number => {
  const first = (lines[at] as string).trim().slice(2)
  const isWhole = first.includes('$$')
  const end = isWhole ? at : findEnd(lines, at, (line) => !line.includes('$$'))
  const latex = (isWhole ? first : [first, ...lines.slice(at + 1, end + 1)].join('\n'))
    .replace(/\$\$[\s\S]*$/, '')
    .trim()
  if (latex !== '') blocks.push({ kind: 'formula', text: latex, latex })
  return end
}

const splitRow = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

const addTable = (blocks: Block[], lines: readonly string[], at: number, reading: MarkdownReading): number => {
  const end = findEnd(lines, at + 1, (line) => line.includes('|') && line.trim() !== '')
  const rows = [lines[at] as string, ...lines.slice(at + 2, end)].map(splitRow)
  const width = rows[0]?.length ?? 0
  const toCell = (text: string, isHeader: boolean): Cell => {
    const content = readInlines(text, reading)
    return { blocks: content.length > 0 ? [{ kind: 'paragraph', content }] : [], ...(isHeader ? { header: true } : {}) }
  }
  blocks.push({
    kind: 'table',
    headerRows: 1,
    rows: rows.map((row, index) => Array.from({ length: width }, (_, x) => toCell(row[x] ?? '', index === 0))),
  })
  return end - 1
}

/** A list goes on over blank lines while what follows is set in or is an item. */
const findListEnd = (lines: readonly string[], at: number): number => {
  let end = at + 1
  while (end < lines.length) {
    const line = lines[end] as string
    if (line.trim() === '') {
      const after = lines.slice(end + 1).find((each) => each.trim() !== '')
      if (after === undefined || !(ITEM.test(after) || /^ {2,}/.test(after))) break
    } else if (HEADING.test(line) || (!ITEM.test(line) && !/^ /.test(line) && (lines[end - 1] as string).trim() === ''))
      break
    end++
  }
  return end
}

const readItems = (lines: readonly string[], reading: MarkdownReading, depth: number): Block[] => {
  const items: Block[] = []
  const base = (ITEM.exec(lines[0] as string)?.[1] ?? '').length
  let from = 0
  const isNext = (line: string): boolean => {
    const item = ITEM.exec(line)
    return item !== null && (item[1] as string).length <= base + 1
  }
  for (let i = 1; i <= lines.length; i++) {
    if (i < lines.length && !isNext(lines[i] as string)) continue
    items.push(...readItem(lines.slice(from, i), reading, depth))
    from = i
  }
  return items
}

const readItem = (lines: readonly string[], reading: MarkdownReading, depth: number): Block[] => {
  const item = ITEM.exec(lines[0] as string)
  if (!item) return readMarkdown(lines.join('\n'), reading, depth + 1)
  const indent = item[0].length
  const dedented = lines.map((line, index) =>
    index === 0 ? line.slice(indent) : line.replace(new RegExp(`^ {0,${indent}}`), ''),
  )
  const [, checked] = /^\[([ xX])\] /.exec(dedented[0] as string) ?? []
  if (checked !== undefined) dedented[0] = (dedented[0] as string).slice(4)
  const [first, ...rest] = readMarkdown(dedented.join('\n'), reading, depth + 1)
  const marker = item[2] as string
  const made: Item = {
    kind: 'item',
    depth: 0,
    ordered: /\d/.test(marker),
    marker: /\d/.test(marker) ? marker : '•',
    ...(checked === undefined ? {} : { checked: checked !== ' ' }),
    content: first?.kind === 'paragraph' ? first.content : [],
  }
  const others = first === undefined || first.kind === 'paragraph' ? rest : [first, ...rest]
  const nestedAt = others.findIndex(({ kind }) => kind === 'item')
  const more = nestedAt < 0 ? others : others.slice(0, nestedAt)
  const nested = nestedAt < 0 ? [] : others.slice(nestedAt)
  return [
    more.length > 0 ? { ...made, more } : made,
    ...nested.map((block) => (block.kind === 'item' ? { ...block, depth: block.depth + 1 } : block)),
  ]
}
