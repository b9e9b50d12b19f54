import { plainText, trimInlines } from './inline-content.ts'
import type { Block, Inline, Item } from './model.ts'

/** Signs that stand for a box to tick, and whether it is ticked. */
const CHECK_BOXES: ReadonlyMap<string, boolean> = new Map([
  ['☐', false],
  ['☑', true],
  ['☒', true],
])

type Direction = { direction?: 'rtl' }

/** An item of a list; a box to tick, as its label or at its beginning, becomes its state. */
export const toItem = (
  content: Inline[],
  label: { text: string; ordered: boolean },
  depth: number,
  direction: Direction,
): Item => {
  const box = findStartingBox(content)
  const checked = box?.checked ?? CHECK_BOXES.get(label.text)
  return {
    kind: 'item',
    depth,
    ordered: label.ordered,
    marker: label.text,
    ...(checked === undefined ? {} : { checked }),
    content: box?.rest ?? content,
    ...direction,
  }
}

/**
 * What a paragraph is that the source holds neither for a heading nor for an item of a list, by the kind of its style.
 * A box to tick makes it an item all the same.
 */
export const toParagraph = (kind: string | undefined, content: Inline[], direction: Direction): Block => {
  switch (kind) {
    case 'title':
    case 'subtitle':
    case 'caption':
      return { kind: 'paragraph', content, role: kind, ...direction }
    case 'quote':
      return { kind: 'quote', blocks: [{ kind: 'paragraph', content, ...direction }] }
    default:
      return toBoxedItem(content, direction) ?? { kind: 'paragraph', content, ...direction }
  }
}

const toBoxedItem = (content: Inline[], direction: Direction): Item | undefined => {
  const box = findStartingBox(content)
  if (!box) return undefined
  const { sign: marker, checked, rest } = box
  return { kind: 'item', depth: 0, ordered: false, marker, checked, content: rest, ...direction }
}

/** A box to tick at the beginning, where it is the only one: two in a line are a choice, not an item. */
const findStartingBox = (
  content: readonly Inline[],
): { sign: string; checked: boolean; rest: Inline[] } | undefined => {
  const [first, ...others] = content
  if (first?.kind !== 'text') return undefined
  const sign = first.text.charAt(0)
  const checked = CHECK_BOXES.get(sign)
  if (checked === undefined || /[☐☑☒]/.test(plainText(content).slice(1))) return undefined
  const rest = trimInlines([{ ...first, text: first.text.slice(1) }, ...others])
  return rest.length === 0 ? undefined : { sign, checked, rest }
}
