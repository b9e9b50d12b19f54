import { bulletOf } from '../../shared/ooxml/symbol-fonts.ts'
import { childOf, childrenOf, type Element } from '../../shared/xml/tree.ts'

/** One level of a list style. */
export type ListLevel = {
  ordered: boolean
  /** Sign of an unordered level. */
  bullet: string
  /** `1`, `a`, `I` …; nothing for no number. */
  format: string
  prefix: string
  suffix: string
  /** How many levels the number shows. */
  shownLevels: number
  start: number
  /** `%1%.%2%)`: where it is given it wins over prefix, suffix and shown levels. */
  pattern: string | undefined
}

/** The levels of a list style by number, from 1. */
export type ListStyle = { name: string; levels: ReadonlyMap<number, ListLevel> }

const MAX_LEVELS = 20

/** Reads a list style, or the numbering of headings. */
export const readListStyle = (element: Element): ListStyle => {
  const levels = new Map<number, ListLevel>()
  for (const child of childrenOf(element)) {
    const level = Number(child.attributes['text:level'])
    if (!Number.isInteger(level) || level < 1 || level > MAX_LEVELS) continue
    const made = readLevel(child)
    if (made) levels.set(level, made)
  }
  return { name: element.attributes['style:name'] ?? '', levels }
}

const readLevel = (element: Element): ListLevel | undefined => {
  const { attributes } = element
  const plain = {
    bullet: '',
    format: '',
    prefix: attributes['style:num-prefix'] ?? '',
    suffix: attributes['style:num-suffix'] ?? '',
    shownLevels: 1,
    start: 1,
    pattern: undefined,
  }
  switch (element.name) {
    case 'text:list-level-style-bullet': {
      const font = childOf(element, 'style:text-properties')?.attributes
      const sign = attributes['text:bullet-char'] ?? ''
      return { ...plain, ordered: false, bullet: bulletOf(sign, font?.['fo:font-family'] ?? font?.['style:font-name']) }
    }
    case 'text:list-level-style-image':
      return { ...plain, ordered: false, bullet: '•' }
    case 'text:list-level-style-number':
    case 'text:outline-level-style': {
      const start = Number(attributes['text:start-value'] ?? 1)
      const shown = Number(attributes['text:display-levels'] ?? 1)
      return {
        ...plain,
        ordered: true,
        format: attributes['style:num-format'] ?? '',
        shownLevels: Number.isInteger(shown) && shown > 0 ? Math.min(shown, MAX_LEVELS) : 1,
        start: Number.isSafeInteger(start) ? start : 1,
        pattern: attributes['style:num-list-format'] ?? attributes['loext:num-list-format'],
      }
    }
    default:
      return undefined
  }
}
