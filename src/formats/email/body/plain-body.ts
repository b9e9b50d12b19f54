import type { Block, Inline } from '../../shared/document/model.ts'

type Line = {
  depth: number
  text: string
  /** It ended in a space. */
  isOpen: boolean
}

const MAX_QUOTE_DEPTH = 20
/** A text of more lines is a log or a list, and is kept as it is. */
const MAX_LINES = 50_000
const MIN_WRAP = 55
const MAX_WRAP = 100

/** A plain text body as blocks: quotes nested by their marks, lists, and lines that were only wrapped joined again. */
export const readPlainBody = (raw: string, flowed?: 'keep-space' | 'delete-space'): Block[] => {
  const all = raw.split('\n')
  if (all.length > MAX_LINES) return [{ kind: 'code', text: raw }]
  const lines = all.map(readLine)
  const joined = flowed ? joinFlowed(lines, flowed === 'delete-space') : lines
  return toBlocks(joined, 0, flowed ? 0 : findWrap(joined))
}

const QUOTE = /^(?:>[ ]?)+/

/** A line without its quote marks. */
const readLine = (line: string): Line => {
  const marks = QUOTE.exec(line)?.[0]
  // `>From` at the start of a line is a mail store's way to write `From`.
  const isOpen = line.endsWith(' ')
  if (!marks || /^>From /.test(line)) return { depth: 0, text: line.replace(/^>(?=From )/, '').trimEnd(), isOpen }
  const depth = Math.min(MAX_QUOTE_DEPTH, marks.replaceAll(' ', '').length)
  return { depth, text: line.slice(marks.length).trimEnd(), isOpen }
}

/** Lines of `format=flowed`: one that ends in a space goes on in the next. */
const joinFlowed = (lines: readonly Line[], deletesSpace: boolean): Line[] => {
  const joined: Line[] = []
  let isOpen = false
  for (const line of lines) {
    const last = joined.at(-1)
    const text = line.text.startsWith(' ') ? line.text.slice(1) : line.text
    if (isOpen && last && last.depth === line.depth && text !== '--') {
      last.text += (deletesSpace ? '' : ' ') + text
    } else joined.push({ ...line, text })
    isOpen = line.isOpen && text !== '--'
  }
  return joined
}

/** The width at which the writer's program broke lines; 0 where it did not. */
const findWrap = (lines: readonly Line[]): number => {
  const longest = lines
    .filter(({ text }) => text.length <= MAX_WRAP && !/\S{60}/.test(text))
    .reduce((most, { text }) => Math.max(most, text.length), 0)
  const overlong = lines.filter(({ text }) => text.length > MAX_WRAP && /\s/.test(text.trim())).length
  return longest >= MIN_WRAP && overlong <= lines.length * 0.02 ? longest : 0
}

const toBlocks = (lines: readonly Line[], depth: number, wrap: number): Block[] => {
  const blocks: Block[] = []
  let own: string[] = []
  const finish = (): void => {
    for (const block of toParagraphs(own, wrap)) blocks.push(block)
    own = []
  }
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as Line
    if (line.depth <= depth) {
      own.push(line.text)
      continue
    }
    finish()
    const end = findQuoteEnd(lines, i, depth)
    const quoted = toBlocks(lines.slice(i, end), depth + 1, wrap)
    if (quoted.length > 0) blocks.push({ kind: 'quote', blocks: quoted })
    i = end - 1
  }
  finish()
  return blocks
}

const findQuoteEnd = (lines: readonly Line[], from: number, depth: number): number => {
  let end = from
  while (end < lines.length && (lines[end] as Line).depth > depth) end++
  return end
}

const ITEM = /^( {0,8})([-*+•·–o]|\d{1,3}[.)])[ \t]+(?=\S)/
const MAX_RULE_CHARACTERS = 200
const SIGNATURE = /^-- ?$/

/** Lines of one depth as paragraphs, lists and a signature. */
const toParagraphs = (lines: readonly string[], wrap: number): Block[] => {
  const blocks: Block[] = []
  let pending: string[] = []
  const finish = (): void => {
    const inlines = joinLines(pending, wrap)
    pending = []
    if (inlines.length > 0) blocks.push({ kind: 'paragraph', content: inlines })
  }
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string
    const item = ITEM.exec(line)
    if (line.trim() === '') finish()
    else if (SIGNATURE.test(line)) {
      finish()
      if (lines.slice(i + 1).some((each) => each.trim() !== '')) blocks.push({ kind: 'rule' })
    } else if (line.length <= MAX_RULE_CHARACTERS && /^[-_=*]{5,}$/.test(line.trim())) {
      finish()
      blocks.push({ kind: 'rule' })
    } else if (item && isListStart(lines, i, pending)) {
      finish()
      const end = findItemEnd(lines, i, (item[0] as string).length)
      const [first = '', ...rest] = lines.slice(i, end)
      const content = joinLines([first.slice(item[0].length), ...rest.map((each) => each.trim())], wrap)
      const marker = item[2] as string
      blocks.push({
        kind: 'item',
        depth: Math.min(3, Math.floor((item[1] as string).length / 4)),
        ordered: /\d/.test(marker),
        marker,
        content,
      })
      i = end - 1
    } else pending.push(line)
  }
  finish()
  return evenDepths(blocks)
}

/** Items that are all set in from the margin are not nested in anything. */
const evenDepths = (blocks: readonly Block[]): Block[] => {
  let base = 0
  let previous = -1
  return blocks.map((block) => {
    if (block.kind !== 'item') {
      previous = -1
      return block
    }
    if (previous < 0) base = block.depth
    const depth = Math.min(previous + 1, Math.max(0, block.depth - base))
    previous = depth
    return { ...block, depth }
  })
}

/** A dash inside a paragraph is a dash; a list begins after a gap, a colon, or another item. */
const isListStart = (lines: readonly string[], at: number, pending: readonly string[]): boolean => {
  const item = ITEM.exec(lines[at] as string)
  if (item?.[2] === 'o' && (item[1] as string).length === 0) return false
  if (pending.length === 0) return true
  const next = lines[at + 1] ?? ''
  return (pending.at(-1) ?? '').trimEnd().endsWith(':') || ITEM.test(next)
}

const findItemEnd = (lines: readonly string[], at: number, indent: number): number => {
  let end = at + 1
  while (end < lines.length) {
    const line = lines[end] as string
    if (line.trim() === '' || ITEM.test(line) || SIGNATURE.test(line)) break
    if (!line.startsWith(' '.repeat(Math.min(indent, 2))) && !line.startsWith('\t')) break
    end++
  }
  return end
}

/** Joins lines that were broken only because the next word did not fit. */
const joinLines = (lines: readonly string[], wrap: number): Inline[] => {
  const content: Inline[] = []
  for (const [i, line] of lines.entries()) {
    const previous = lines[i - 1]
    const shown = i === 0 || !/^\s{2,}|\t/.test(line) ? line.trim() : line
    const text = previous !== undefined && isWrapped(previous, line, wrap) ? ` ${line.trim()}` : shown
    const last = content.at(-1)
    if (previous !== undefined && text === shown) content.push({ kind: 'break' }, { kind: 'text', text })
    else if (last?.kind === 'text') last.text += text
    else content.push({ kind: 'text', text })
  }
  return content
}

const isWrapped = (line: string, next: string, wrap: number): boolean => {
  if (wrap === 0 || /^[\s|+]/.test(next) || /\S {3,}\S|\t/.test(line) || /[|+]$/.test(line)) return false
  const word = /^\S+/.exec(next)?.[0] ?? ''
  return line.length + 1 + word.length > wrap && line.length >= MIN_WRAP * 0.6
}
