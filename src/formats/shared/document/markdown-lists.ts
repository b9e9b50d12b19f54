import type { MarkdownContext } from './markdown-context.ts'
import { writeInlines } from './markdown-inline.ts'
import type { Block, Inline, Item } from './model.ts'

/**
 * Items that follow each other as markdown lists, each level as deep as the marker above it is wide. Each string is one
 * item with the line break that parts it from the next.
 */
export const writeItems = (
  items: readonly Item[],
  context: MarkdownContext,
  writeBlocks: (blocks: readonly Block[]) => string,
): string[] => {
  const levels: { depth: number; indent: number }[] = []
  const written = items.map((item) => writeItemLine(item, context))
  return items.map(({ depth, more = [] }, index) => {
    while (levels.length > 0 && (levels.at(-1)?.depth ?? 0) >= depth) levels.pop()
    const indent = levels.at(-1)?.indent ?? 0
    const { marker, line } = written[index] as WrittenItem
    const width = marker.length + 1
    levels.push({ depth, indent: indent + width })
    const blocks = writeBlocks(more)
    const body = [line, blocks].filter((part) => part !== '').join('\n\n')
    const text = `${' '.repeat(indent)}${marker} ${indentLines(body, indent + width)}`.trimEnd()
    const next = (items[index + 1]?.depth ?? 0) > depth ? written[index + 1] : undefined
    return blocks === '' && !(line !== '' && next && isReadAsText(next)) ? `${text}\n` : `${text}\n\n`
  })
}

type WrittenItem = { marker: string; line: string }

const writeItemLine = (item: Item, context: MarkdownContext): WrittenItem => {
  const { marker, lead } = chooseMarker(item)
  const content: readonly Inline[] = lead ? [{ kind: 'text', text: `${lead} ` }, ...item.content] : item.content
  return { marker, line: `${writeCheckBox(item)}${writeInlines(content, context, 'item')}`.trimEnd() }
}

/** `[x] ` or `[ ] ` before an item that can be ticked off. */
export const writeCheckBox = ({ checked }: Item): string => (checked === undefined ? '' : checked ? '[x] ' : '[ ] ')

/** Right below text only a bullet or a one begins a list inside an item, and an empty item never does. */
const isReadAsText = ({ marker, line }: WrittenItem): boolean => line === '' || !/^(?:-|1[.)])$/.test(marker)

const BULLET = '-'
const NUMBER = /^(\d{1,9})([.)])?$/
const SIGN = /^[\p{P}\p{S}\p{Co}o]*$/u

/** Numbers that markdown can say are markers; other numbers, letters and names stay in the text of a bullet item. */
const chooseMarker = ({ ordered, marker, checked }: Item): { marker: string; lead: string } => {
  const given = marker.trim()
  const number = NUMBER.exec(given)
  if (number) return { marker: `${Number(number[1])}${number[2] ?? '.'}`, lead: '' }
  if (checked !== undefined || (!ordered && SIGN.test(given))) return { marker: BULLET, lead: '' }
  return { marker: BULLET, lead: given }
}

/** Every line but the first gets `width` blanks before it; empty lines stay empty. */
export const indentLines = (text: string, width: number): string =>
  text.includes('\n') ? text.replace(/\n(?!\n|$)/g, `\n${' '.repeat(width)}`) : text
