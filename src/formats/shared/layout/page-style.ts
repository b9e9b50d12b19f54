import { edgesAround, overlapOf } from './geometry.ts'
import type { Line } from './lines.ts'
import type { TextRun } from './page-content.ts'
import { hasRtl, isMostlyRtl } from './scripts.ts'

/** How most of the text of a page is set. */
export type PageStyle = {
  size: number
  isBold: boolean
  /** How much of it is of a script that runs from right to left: where none is, nothing need be looked for. */
  rightToLeft: 'none' | 'some' | 'most'
}

/** Lines of a heading stand this far apart at most, from middle to middle, in sizes of their text. */
export const DISPLAY_LEADING = 1.65
export const DISPLAY_LINES_LIMIT = 5
const NEAR_LINES = 20

/** The size that half of the characters of a page do not pass, and whether most are bold. */
export const readPageStyle = (runs: readonly TextRun[]): PageStyle => {
  let characters = 0
  let bold = 0
  let rightToLeft = 0
  const sizes = new Map<number, number>()
  for (const { text, fontSize, bold: isBold } of runs) {
    characters += text.length
    if (isBold) bold += text.length
    if (hasRtl(text)) rightToLeft += text.length
    const size = Math.round(fontSize * 4) / 4
    sizes.set(size, (sizes.get(size) ?? 0) + text.length)
  }
  let passed = 0
  const sorted = [...sizes].sort(([a], [b]) => a - b)
  const size = sorted.find(([, own]) => {
    passed += own
    return passed >= characters / 2
  })?.[0]
  return {
    size: size ?? 0,
    isBold: bold > characters * 0.6,
    rightToLeft: rightToLeft === 0 ? 'none' : rightToLeft > characters * 0.5 ? 'most' : 'some',
  }
}

/** Whether a line is set to stand out from the text of its page, as headings are. */
export const isDisplay = (line: Line, style: PageStyle): boolean =>
  line.size > style.size * 1.12 || (line.bold > 0.9 && !style.isBold && line.size > style.size * 0.9)

export const isAlike = (a: Line, b: Line): boolean =>
  Math.abs(a.size - b.size) < Math.max(a.size, b.size) * 0.08 && a.bold > 0.9 === b.bold > 0.9

/** Brings together the lines of headings, so that one line across columns does not leave the next behind; others alone. */
export const groupDisplayLines = (lines: readonly Line[], style: PageStyle): Line[][] => {
  const groups: Line[][] = []
  const open: Line[][] = []
  for (const line of [...lines].sort((a, b) => a.y - b.y)) {
    // What is shorter than a word is a number or a sign in a row of its own.
    if (!isDisplay(line, style) || line.characters < 5) {
      groups.push([line])
      continue
    }
    const group = open.slice(-NEAR_LINES).findLast((candidate) => goesOn(candidate, line))
    if (group) group.push(line)
    else {
      groups.push([line])
      open.push(groups.at(-1) as Line[])
    }
  }
  return groups
}

const goesOn = (group: readonly Line[], line: Line): boolean => {
  const above = group.at(-1) as Line
  if (group.length >= DISPLAY_LINES_LIMIT || !isAlike(above, line)) return false
  const distance = (line.y + line.bottom - above.y - above.bottom) / 2 / line.size
  if (distance > DISPLAY_LEADING || distance < 0.6) return false
  const around = edgesAround(group)
  const isCentred = Math.abs(line.x + line.right - above.x - above.right) < line.size
  const isLevel = Math.abs(line.x - around.x) < line.size
  return (isCentred || isLevel) && overlapOf(around.x, around.right, line.x, line.right) > 0
}

/** Whether text is read from right to left on a page of this style. */
export const isRtlText = (text: string, { rightToLeft }: PageStyle): boolean =>
  rightToLeft === 'most' ? hasRtl(text) : rightToLeft === 'some' && isMostlyRtl(text)
