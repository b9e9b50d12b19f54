import { plainText, trimInlines } from './inline-content.ts'
import type { Inline } from './model.ts'

/** Signs that stand for a box to tick, and whether it is ticked. */
export const CHECK_BOXES: ReadonlyMap<string, boolean> = new Map([
  ['☐', false],
  ['☑', true],
  ['☒', true],
])

/** A box to tick at the beginning, where it is the only one: two in a line are a choice, not an item. */
export const findStartingBox = (
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
