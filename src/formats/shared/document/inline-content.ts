import type { Inline, TextInline } from './model.ts'

/** How text is set; an empty object is plain text. */
export type InlineStyle = Omit<TextInline, 'kind' | 'text'>

const isSameStyle = (a: InlineStyle, b: InlineStyle): boolean =>
  a === b ||
  (a.bold === b.bold &&
    a.italic === b.italic &&
    a.underline === b.underline &&
    a.strike === b.strike &&
    a.code === b.code &&
    a.script === b.script &&
    a.href === b.href)

/** Adds text to inlines; text of one style stays one piece, however many runs it came in. */
export const addText = (content: Inline[], text: string, style: InlineStyle): void => {
  if (text === '') return
  const last = content.at(-1)
  if (last?.kind === 'text' && isSameStyle(last, style)) last.text += text
  else content.push({ kind: 'text', text, ...style })
}

/** Whether inlines show nothing but blanks. */
export const isBlank = (content: readonly Inline[]): boolean =>
  content.every((inline) => inline.kind === 'break' || (inline.kind === 'text' && inline.text.trim() === ''))

/** Takes blanks and line breaks off both ends. */
export const trimInlines = (content: readonly Inline[]): Inline[] => {
  const isEmpty = (inline: Inline | undefined): boolean =>
    inline?.kind === 'break' || (inline?.kind === 'text' && inline.text.trim() === '')
  let from = 0
  let to = content.length
  while (from < to && isEmpty(content[from])) from++
  while (to > from && isEmpty(content[to - 1])) to--
  return content.slice(from, to).map((inline, index, all) => {
    if (inline.kind !== 'text' || (index > 0 && index < all.length - 1)) return inline
    const start = index === 0 ? inline.text.trimStart() : inline.text
    const text = index === all.length - 1 ? start.trimEnd() : start
    return text === inline.text ? inline : { ...inline, text }
  })
}

/** The text of inlines alone, breaks as blanks. */
export const plainText = (content: readonly Inline[]): string =>
  content
    .map((inline) =>
      inline.kind === 'text' || inline.kind === 'formula' ? inline.text : inline.kind === 'break' ? ' ' : '',
    )
    .join('')
