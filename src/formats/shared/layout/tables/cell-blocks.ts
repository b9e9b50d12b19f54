import type { Block, Inline, TextInline } from '../../document/model.ts'
import { toLogicalOrder } from '../right-to-left.ts'
import { isMostlyRtl, isSpaceless } from '../scripts.ts'
import type { PageWord } from './page-words.ts'

type Words = readonly PageWord[]

const BULLET = /^[•‣◦▪▫■□●○⁃∙·➢✓✔►▶]$/

/** What a cell holds: one paragraph, or the items of a list where lines begin with bullets. */
export const toBlocks = (lines: readonly Words[], header: boolean): Block[] => {
  if (lines.length === 0) return []
  const isItem = (words: Words | undefined): boolean => BULLET.test(words?.[0]?.text ?? '')
  if (lines.filter(isItem).length < 2) return [{ kind: 'paragraph', content: toInlines(lines, header) }]
  const groups: Words[][] = []
  for (const words of lines) {
    const group = groups.at(-1)
    if (group && !isItem(words)) group.push(words)
    else groups.push([words])
  }
  return groups.map((group): Block => {
    const [first, ...rest] = group
    if (!isItem(first)) return { kind: 'paragraph', content: toInlines(group, header) }
    const content = toInlines([first?.slice(1) ?? [], ...rest], header)
    return { kind: 'item', depth: 0, ordered: false, marker: first?.[0]?.text ?? '', content }
  })
}

/** The text of lines as one paragraph; a head's bold type says only that it is one, and is left out. */
const toInlines = (lines: readonly Words[], header: boolean): Inline[] => {
  const inlines: TextInline[] = []
  for (const [index, line] of lines.entries()) {
    const words = isMostlyRtl(line.map(({ text }) => text).join(' ')) ? toLogicalOrder(line) : line
    for (const [place, word] of words.entries()) {
      const style = styleOf(word, line, header)
      const last = inlines.at(-1)
      const before = place > 0 ? words[place - 1] : undefined
      const joint = !last ? '' : before ? spaceBetween(before, word) : index > 0 ? jointOfLines(last, word) : ''
      if (last && isAlike(last, style)) last.text += joint + word.text
      else {
        if (last) last.text += joint
        inlines.push({ kind: 'text', text: word.text, ...style })
      }
    }
  }
  return inlines
}

type Style = Pick<TextInline, 'bold' | 'italic' | 'script'>

const styleOf = (word: PageWord, line: Words, header: boolean): Style => ({
  ...(word.bold && !header ? { bold: true } : {}),
  ...(word.italic ? { italic: true } : {}),
  ...scriptOf(word, line),
})

/** A small word that stands higher or lower than those beside it. */
const scriptOf = (word: PageWord, line: Words): Pick<TextInline, 'script'> => {
  const main = line.find(({ size }) => word.size < 0.8 * size)
  if (!main || word.text.length > 6) return {}
  if (main.y1 - word.y1 > 0.15 * main.size) return { script: 'super' }
  return word.y0 - main.y0 > 0.3 * main.size ? { script: 'sub' } : {}
}

const isAlike = (a: Style, b: Style): boolean => !a.bold === !b.bold && !a.italic === !b.italic && a.script === b.script

const spaceBetween = (before: PageWord, word: PageWord): string => {
  const gap = Math.max(word.x0 - before.x1, before.x0 - word.x1)
  const isTight = isSpaceless(before.text.at(-1) ?? '') && isSpaceless(word.text.charAt(0))
  return gap > (isTight ? 1 : 0.12) * Math.min(before.size, word.size) ? ' ' : ''
}

/** What joins the lines of a paragraph; a word broken by a hyphen is put together again. */
const jointOfLines = (last: TextInline, word: PageWord): string => {
  if (/\p{L}\p{L}[-\u2010\u00ad]$/u.test(last.text) && /^\p{Ll}/u.test(word.text)) {
    last.text = last.text.slice(0, -1)
    return ''
  }
  return isSpaceless(last.text.at(-1) ?? '') && isSpaceless(word.text.charAt(0)) ? '' : ' '
}
