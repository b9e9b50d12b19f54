import type { Inline, TextInline } from '../document/model.ts'
import { LINE_HYPHEN } from './hyphens.ts'
import { isSpaceless } from './scripts.ts'

export const textOf = (content: readonly Inline[]): string =>
  content.map((inline) => (inline.kind === 'text' ? inline.text : '')).join('')

/** Content without its first characters. */
export const dropCharacters = (content: readonly Inline[], count: number): Inline[] => {
  const rest: Inline[] = []
  let left = count
  for (const inline of content) {
    if (inline.kind !== 'text' || left <= 0) {
      rest.push(inline)
      continue
    }
    const text = inline.text.slice(left)
    left -= inline.text.length
    if (text !== '') rest.push({ ...inline, text })
  }
  const [first, ...others] = rest
  return first?.kind === 'text' ? [{ ...first, text: first.text.trimStart() }, ...others] : rest
}

/** Content of a paragraph and of what continues it in the next column. */
export const joinContent = (before: readonly Inline[], after: readonly Inline[]): Inline[] => {
  const last = before.at(-1)
  const first = after[0]
  if (last?.kind !== 'text' || first?.kind !== 'text') return [...before, ...after]
  const isBroken = /\p{L}[-\u2010\u00ad]$/u.test(last.text) && /^\p{L}/u.test(first.text)
  const isSpaced = !isBroken && !(isSpaceless(last.text.slice(-1)) && isSpaceless(first.text.charAt(0)))
  const head = isBroken ? `${last.text.slice(0, -1)}${LINE_HYPHEN}` : isSpaced ? `${last.text} ` : last.text
  if (isSameStyle(last, first))
    return [...before.slice(0, -1), { ...last, text: `${head}${first.text}` }, ...after.slice(1)]
  return [...before.slice(0, -1), { ...last, text: head }, ...after]
}

const isSameStyle = (a: TextInline, b: TextInline): boolean =>
  a.bold === b.bold && a.italic === b.italic && a.code === b.code && a.script === b.script && a.href === b.href

/** Content without emphasis, where the kind of block says as much. */
export const withoutEmphasis = (content: readonly Inline[]): Inline[] => {
  const plain: Inline[] = []
  for (const inline of content) {
    if (inline.kind !== 'text') {
      plain.push(inline)
      continue
    }
    const { bold: _bold, italic: _italic, code: _code, ...rest } = inline
    const last = plain.at(-1)
    if (last?.kind === 'text' && isSameStyle(last, rest))
      plain[plain.length - 1] = { ...last, text: last.text + rest.text }
    else plain.push(rest)
  }
  return plain
}
