import type { Letter } from './decode.ts'
import type { Picture } from './picture.ts'

/** Letters of scripts that put spaces between words. */
const SPACED = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}]/u
/** A gap between words is at least this share of the line's height, and this many times a gap between letters. */
const MIN_GAP = 0.16
const MIN_TIMES_LETTER_GAP = 2.2
/** Part of the spaces that were read which another must reach. */
const MIN_SHARE_OF_SPACE = 0.7

/**
 * Parts the letters of a line into words: at the spaces that were read, and at gaps in the ink as wide as spaces, for
 * the model often sees the letters and not the space.
 */
export const splitWords = (letters: readonly Letter[], line: Picture, stepPixels: number): Letter[][] => {
  const written = letters.filter(({ text }) => text.trim() !== '')
  const isEmpty = findEmptyColumns(line)
  const gaps = written.slice(1).map((letter, i): Gap => {
    const previous = written[i] as Letter
    const isRead = letters.some(({ text, step }) => text.trim() === '' && step > previous.step && step < letter.step)
    return { isRead, pixels: widestGap(isEmpty, (previous.step + 0.5) * stepPixels, (letter.step + 0.5) * stepPixels) }
  })
  const widths = (isRead: boolean) => gaps.flatMap((gap) => (gap.isRead === isRead ? [gap.pixels] : []))
  const threshold = Math.max(
    MIN_GAP * line.height,
    MIN_TIMES_LETTER_GAP * median(widths(false)),
    MIN_SHARE_OF_SPACE * median(widths(true)),
  )
  const words: Letter[][] = []
  for (const [i, letter] of written.entries()) {
    const previous = written[i - 1]
    const gap = gaps[i - 1]
    if (!previous || !gap || gap.isRead || (gap.pixels >= threshold && mayPart(previous, letter))) words.push([])
    words.at(-1)?.push(letter)
  }
  return words
}

/** Marks that close what is before them; in figures they stand far from it. */
const CLOSING = /^[.,;:!?%)\]}'’”]$/u
const DIGIT = /^\p{Nd}$/u

/** Figures are spaced so unevenly that a gap in them says nothing. */
const mayPart = ({ text: before }: Letter, { text: after }: Letter): boolean =>
  SPACED.test(before) &&
  SPACED.test(after) &&
  !CLOSING.test(after) &&
  !(DIGIT.test(after) && /^[\d.,:/-]$/.test(before))

/** Between a letter and the next: whether a space was read there, and the widest stretch without ink. */
type Gap = { isRead: boolean; pixels: number }

const widestGap = (isEmpty: readonly boolean[], from: number, to: number): number => {
  let widest = 0
  let current = 0
  for (let x = Math.round(from); x < Math.min(isEmpty.length, Math.round(to)); x++) {
    current = isEmpty[x] ? current + 1 : 0
    widest = Math.max(widest, current)
  }
  return widest
}

/** A column is empty where it is as even as paper: much more so than the columns that hold ink. */
const EMPTY_SHARE = 0.3
/** Rows at the top and foot may show parts of the lines above and below. */
const MARGIN = 0.05

const findEmptyColumns = ({ width, height, data }: Picture): boolean[] => {
  const from = Math.round(height * MARGIN)
  const to = Math.round(height * (1 - MARGIN))
  const contrasts = Array.from({ length: width }, (_, x) => {
    let darkest = 255
    let lightest = 0
    for (let y = from; y < to; y++) {
      const at = (y * width + x) * 3
      const grey = ((data[at] as number) + (data[at + 1] as number) + (data[at + 2] as number)) / 3
      if (grey < darkest) darkest = grey
      if (grey > lightest) lightest = grey
    }
    return lightest - darkest
  })
  const sorted = contrasts.toSorted((a, b) => a - b)
  const least = sorted[Math.floor(width * 0.05)] ?? 0
  const most = sorted[Math.floor(width * 0.9)] ?? 0
  return contrasts.map((contrast) => contrast < least + (most - least) * EMPTY_SHARE)
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
