import type { Inline, TextInline } from '../document/model.ts'
import type { Fragment } from './fragments.ts'
import { median } from './geometry.ts'
import { LINE_HYPHEN } from './hyphens.ts'
import type { Line } from './lines.ts'
import type { LinkArea, Word } from './page-content.ts'
import { toLogicalOrder } from './right-to-left.ts'
import { isSpaceless } from './scripts.ts'

/** Text of one style, as it follows the one before it. */
export type Piece = Omit<TextInline, 'kind'> & { spaced: boolean }

/** A gap wider than this, in sizes, parts words. */
const WORD_GAP = 0.13

/** The text of a line as it is read, without styles. */
export const textOfPieces = (pieces: readonly Piece[]): string => {
  let text = ''
  for (const piece of pieces) text += piece.spaced ? ` ${piece.text}` : piece.text
  return text
}

/** Lines of a paragraph as inlines; where a line ends in a hyphen a mark is left, for the whole document to settle. */
export const inlinesOf = (lines: readonly (Line & { pieces: readonly Piece[] })[]): Inline[] => {
  const pieces: Piece[] = []
  for (const [index, line] of lines.entries()) {
    const own = index < lines.length - 1 ? cutLeadIn(line.pieces, line, lines[index + 1]) : line.pieces
    const [first, ...others] = own
    if (!first) continue
    const last = pieces.at(-1)
    if (!last) pieces.push({ ...first })
    else if (endsInHyphen(last.text) && /^[\p{L}]/u.test(first.text)) {
      last.text = last.text.replace(/[-\u2010\u00ad]$/, LINE_HYPHEN)
      pieces.push({ ...first, spaced: false })
    } else pieces.push({ ...first, spaced: !joinsWithoutSpace(last.text, first.text) })
    for (const piece of others) pieces.push({ ...piece })
  }
  return mergePieces(pieces)
}

const endsInHyphen = (text: string): boolean => /\p{L}[-\u2010\u00ad]$/u.test(text)

const joinsWithoutSpace = (before: string, after: string): boolean =>
  (isSpaceless(before.charAt(before.length - 1)) && isSpaceless(after.charAt(0))) || /[\u200b]$/.test(before)

const mergePieces = (pieces: readonly Piece[]): Inline[] => {
  const inlines: TextInline[] = []
  for (const { spaced, ...style } of pieces) {
    const last = inlines.at(-1)
    const text = style.text
    if (last && isSameStyle(last, style)) {
      last.text += spaced ? ` ${text}` : text
      continue
    }
    // A space between styles belongs to the plainer text.
    if (last && spaced && !isPlain(style) && (isPlain(last) || last.script)) last.text += ' '
    inlines.push({
      kind: 'text',
      ...style,
      text: last && spaced && (isPlain(style) || !(isPlain(last) || last.script)) ? ` ${text}` : text,
    })
  }
  return inlines
}

type Style = Omit<TextInline, 'kind'>

const isPlain = ({ bold, italic, script, href, code }: Style): boolean => !bold && !italic && !script && !href && !code

const isSameStyle = (a: Style, b: Style): boolean =>
  !a.bold === !b.bold && !a.italic === !b.italic && !a.code === !b.code && a.script === b.script && a.href === b.href

/** A line by its styles, in the order it is read. */
export const piecesOf = (line: Line, isRightToLeft: boolean): Piece[] => {
  if (isRightToLeft) return rightToLeftPieces(line)
  const raised = findRaised(line)
  const pieces: Piece[] = []
  let before: Fragment | undefined
  for (const fragment of line.fragments) {
    const spaced = before !== undefined && isSpaced(before, fragment)
    const split = raised || fragment.links ? splitFragment(fragment, raised) : undefined
    if (split) pieces.push(...split.map((piece, index) => (index === 0 ? { ...piece, spaced } : piece)))
    else pieces.push({ ...styleOf(fragment, line), text: fragment.text.trim(), spaced })
    before = fragment
  }
  return pieces.filter((piece) => piece.text !== '')
}

const isSpaced = (before: Fragment, after: Fragment): boolean => {
  if (/\s$/.test(before.text) || /^\s/.test(after.text)) return true
  const gap = after.x - before.right
  const size = Math.min(before.size, after.size)
  if (isSpaceless(before.text.charAt(before.text.length - 1)) && isSpaceless(after.text.charAt(0))) return gap > size
  return gap > size * WORD_GAP
}

const styleOf = (fragment: Fragment, line: Line): Style => ({
  text: '',
  ...(fragment.bold ? { bold: true } : {}),
  ...(fragment.italic ? { italic: true } : {}),
  ...(fragment.monospace ? { code: true } : {}),
  ...scriptOf(fragment, line),
})

/** A small fragment that stands higher or lower than its line. */
const scriptOf = (fragment: Fragment, line: Line): { script?: 'super' | 'sub' } => {
  if (fragment.size > line.size * 0.8 || line.fragments.length < 2 || fragment.text.length > 12) return {}
  const lineMain = line.fragments.find((other) => other.size > line.size * 0.9)
  if (!lineMain) return {}
  if (lineMain.bottom - fragment.bottom > line.size * 0.15) return { script: 'super' }
  if (fragment.y - lineMain.y > line.size * 0.3) return { script: 'sub' }
  return {}
}

/** The top of ordinary words, where some words of the line reach higher: a raised mark is a part of their box. */
const findRaised = (line: Line): number | undefined => {
  if (line.fragments.length < 2 && (line.fragments[0]?.words?.length ?? 0) < 2) return undefined
  if (lowestTop(line) < line.y + line.size * 0.1) return undefined
  const tops = line.fragments.flatMap((fragment) => fragment.words?.map((word) => word.y) ?? [fragment.y])
  const top = median(tops)
  return line.y < top - line.size * 0.1 ? top : undefined
}

const lowestTop = (line: Line): number => {
  let lowest = line.y
  for (const { y, words } of line.fragments) {
    if (y > lowest) lowest = y
    if (words) for (const word of words) if (word.y > lowest) lowest = word.y
  }
  return lowest
}

const RAISED_END = /^(.*[\p{L}\p{P}])(\d{1,3}(?:[,–-]\d{1,3})*|[*∗†‡§¶]+)([,.;:]?)$/u

const RAISED_START = /^(\d{1,3}|[*∗†‡§¶]+)(\p{L}.*)$/u

/** A fragment by its words where links or raised marks tell them apart; nothing where they do not. */
const splitFragment = (fragment: Fragment, raised: number | undefined): Piece[] | undefined => {
  const words: readonly Word[] = fragment.words ?? [
    {
      text: fragment.text,
      x: fragment.x,
      y: fragment.y,
      width: fragment.right - fragment.x,
      height: fragment.bottom - fragment.y,
    },
  ]
  const style: Style = {
    text: '',
    ...(fragment.bold ? { bold: true } : {}),
    ...(fragment.italic ? { italic: true } : {}),
    ...(fragment.monospace ? { code: true } : {}),
  }
  const pieces: Piece[] = []
  let at = 0
  for (const word of words) {
    const from = fragment.text.indexOf(word.text, at)
    if (from < 0) return undefined
    const spaced = pieces.length > 0 && from > at
    at = from + word.text.length
    const href = fragment.links?.find((link) => isUnder(word, link))?.uri
    const linked = href === undefined ? {} : { href }
    const isRaised = raised !== undefined && word.y < raised - fragment.size * 0.1
    const marked = isRaised ? RAISED_END.exec(word.text) : null
    if (!marked) {
      const led = isRaised && pieces.length === 0 ? RAISED_START.exec(word.text) : null
      if (led) pieces.push({ ...style, text: led[1] as string, script: 'super', spaced: false })
      pieces.push({ ...style, ...linked, text: led?.[2] ?? word.text, spaced: spaced && !led })
      continue
    }
    const [, text = '', mark = '', tail = ''] = marked
    pieces.push({ ...style, ...linked, text, spaced })
    pieces.push({ ...style, ...linked, text: mark, script: 'super', spaced: false })
    if (tail) pieces.push({ ...style, text: tail, spaced: false })
  }
  return pieces
}

const isUnder = (word: Word, link: LinkArea): boolean => {
  const x = word.x + word.width / 2
  const y = word.y + word.height / 2
  return x >= link.x - 1 && x <= link.x + link.width + 1 && y >= link.y - 1 && y <= link.y + link.height + 1
}

const rightToLeftPieces = (line: Line): Piece[] => {
  const words = line.fragments.flatMap((fragment) =>
    fragment.text
      .split(/\s+/)
      .filter((text) => text !== '')
      .map((text) => ({ ...styleOf(fragment, line), text })),
  )
  return toLogicalOrder(words).map((word, index) => ({ ...word, spaced: index > 0 }))
}

/**
 * A run is given the style of its first words, so a bold line may be bold only at its beginning. Where the next line is
 * not bold, the emphasis ends with the lead-in, at a colon or full stop; without one it is not believed.
 */
const cutLeadIn = (pieces: readonly Piece[], line: Line, next: Line | undefined): readonly Piece[] => {
  const last = pieces.at(-1)
  const following = next?.fragments[0]
  if (!last || !following || !(last.bold || last.italic) || last.script) return pieces
  if ((!last.bold || following.bold) && (!last.italic || following.italic)) return pieces
  const { bold: _bold, italic: _italic, ...plain } = last
  const end = /^.{1,80}?[.:](?=\s)/u.exec(last.text)
  if (!end || line.fragments.length > 1) return [...pieces.slice(0, -1), plain]
  const head = end[0]
  return [
    ...pieces.slice(0, -1),
    { ...last, text: head },
    { ...plain, text: last.text.slice(head.length).trim(), spaced: true },
  ]
}
