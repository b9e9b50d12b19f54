import type { Element } from '../../shared/xml/tree.ts'

const MAX_BLANKS = 1_000
const LEFT_OUT = new Set([
  'text:note',
  'office:annotation',
  'text:ruby-text',
  'office:binary-data',
  'svg:title',
  'svg:desc',
])

/** How many blanks `text:s` stands for. */
export const countBlanks = ({ attributes }: Element): number => {
  const count = Number(attributes['text:c'] ?? 1)
  return Number.isInteger(count) && count > 0 ? Math.min(count, MAX_BLANKS) : 1
}

/** The text of all paragraphs below an element, a line each, without notes and remarks. */
export const plainLines = (element: Element): string => {
  const lines: string[] = []
  let line = ''
  const visit = (node: Element): void => {
    for (const child of node.children) {
      if (typeof child === 'string') line += child.replace(/\s+/g, ' ')
      else if (child.name === 'text:s') line += ' '.repeat(countBlanks(child))
      else if (child.name === 'text:tab' || child.name === 'text:line-break') line += ' '
      else if (!LEFT_OUT.has(child.name)) visit(child)
    }
  }
  const seek = (node: Element): void => {
    for (const child of node.children) {
      if (typeof child === 'string' || LEFT_OUT.has(child.name)) continue
      if (child.name !== 'text:p' && child.name !== 'text:h') {
        seek(child)
        continue
      }
      line = ''
      visit(child)
      if (line.trim() !== '') lines.push(line.trim())
    }
  }
  seek(element)
  return lines.join('\n')
}
