import type { Block, Inline } from '../../shared/document/model.ts'
import { textOfBlocks } from '../../shared/document/text-of-blocks.ts'

const FROM =
  /^\*?(?:From|Von|De|Da|Van|Från|Fra|Od|Lähettäjä|Kimden|Feladó|Από|От|Від|מאת|من|发件人|寄件者|差出人|送信者|보낸 사람)\*?\s*[:：]/iu
const LABELLED = /^\*?[\p{L}][\p{L} .-]{1,25}\*?\s*[:：]\s*\S?/u
const SEPARATOR =
  /^[-_—\s]{3,}.{0,60}\b(?:Original|Forwarded|Ursprüngliche|Weitergeleitete|origine|transféré|original|reenviado|inoltrato|oorspronkelijk)\b.{0,60}$|^[-_—]{10,}\s*[^-_—]{3,60}[-_—]{5,}$/iu
const SCANNED_LINES = 8
const MAX_HEAD_CHARACTERS = 500
const MAX_DEPTH = 20

/** Marks what a reply or a forward carries below it, where the program that wrote it did not. */
export const markQuoted = (blocks: readonly Block[]): Block[] => markFrom(blocks.flatMap(splitAtHeads), 0)

const markFrom = (blocks: readonly Block[], depth: number): Block[] => {
  const start = depth > MAX_DEPTH ? -1 : blocks.findIndex((_, index) => startsQuote(blocks, index))
  if (start < 0) return [...blocks]
  const headEnd = findHeadEnd(blocks, start)
  const quoted = [...blocks.slice(start, headEnd), ...markFrom(blocks.slice(headEnd), depth + 1)]
  const before = blocks.slice(0, start)
  // The line above the block belongs to it.
  while (before.at(-1)?.kind === 'rule') before.pop()
  return [...before, { kind: 'quote', blocks: quoted }]
}

/** A paragraph in which the head of an earlier message begins, as two. */
const splitAtHeads = (block: Block): Block[] => {
  if (block.kind !== 'paragraph') return [block]
  const lines: Inline[][] = [[]]
  for (const inline of block.content) {
    if (inline.kind === 'break') lines.push([])
    else lines.at(-1)?.push(inline)
  }
  const texts = lines.map(textOfLine)
  if (beginsHead(texts.slice(0, SCANNED_LINES))) return [block]
  const at = texts.findIndex((_, index) => index > 0 && beginsHead(texts.slice(index, index + SCANNED_LINES)))
  if (at < 0) return [block]
  const join = (part: readonly Inline[][]): Inline[] =>
    part.flatMap((line, index) => (index > 0 ? [{ kind: 'break' as const }, ...line] : line))
  return [
    { ...block, content: join(lines.slice(0, at)) },
    { ...block, content: join(lines.slice(at)) },
  ]
}

const textOfLine = (line: readonly Inline[]): string =>
  line
    .map((inline) => (inline.kind === 'text' ? inline.text : ''))
    .join('')
    .trim()

const beginsHead = (lines: readonly string[]): boolean => {
  const [first = ''] = lines
  if (first.length > MAX_HEAD_CHARACTERS) return false
  return SEPARATOR.test(first) ? isHead(lines.slice(1), 1) : isHead(lines, 2)
}

const linesOf = (block: Block | undefined): string[] => {
  if (block?.kind !== 'paragraph') return []
  const lines = ['']
  for (const inline of block.content as readonly Inline[]) {
    if (inline.kind === 'break') lines.push('')
    else if (inline.kind === 'text') lines[lines.length - 1] += inline.text
  }
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}

const startsQuote = (blocks: readonly Block[], index: number): boolean => beginsHead(gatherLines(blocks, index))

const gatherLines = (blocks: readonly Block[], from: number): string[] => {
  const lines: string[] = []
  for (let i = from; i < blocks.length && lines.length < SCANNED_LINES; i++) {
    const found = linesOf(blocks[i])
    if (found.length === 0) break
    lines.push(...found.slice(0, SCANNED_LINES))
  }
  return lines.slice(0, SCANNED_LINES)
}

/** `From:` and more lines of the kind, right after it. */
const isHead = ([first = '', ...others]: readonly string[], more: number): boolean =>
  FROM.test(first) && others.slice(0, more).filter((line) => LABELLED.test(line)).length === more

const findHeadEnd = (blocks: readonly Block[], start: number): number => {
  let end = start + 1
  while (end < blocks.length && end < start + SCANNED_LINES) {
    const lines = linesOf(blocks[end])
    if (lines.length === 0 || !lines.every((line) => LABELLED.test(line))) break
    end++
  }
  return end
}

/** The blocks without what is quoted, and without the line that leads to it. */
export const dropQuoted = (blocks: readonly Block[]): Block[] =>
  blocks.filter(
    (block, index) => block.kind !== 'quote' && !(leadsToQuote(block) && blocks[index + 1]?.kind === 'quote'),
  )

const leadsToQuote = (block: Block): boolean => {
  if (block.kind !== 'paragraph') return false
  const text = textOfBlocks([block]).trim()
  return text.length < 400 && /[:：]$/.test(text) && /@|\d{4}|\d{1,2}[:.]\d{2}/.test(text)
}
