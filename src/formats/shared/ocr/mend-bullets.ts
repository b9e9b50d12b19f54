import type { OcrLine, OcrPage } from '../../../engines/ocr-page.ts'

/** What engines make of a dot at the start of a line. */
const MISREAD_BULLET = /^[•¢©®°«»·¤¥*]$/u
/** What they also make of it; but such may stand for themselves. */
const DOUBTFUL_BULLET = /^[eo]$/
const BULLET = '•'
/** One such line may mean what it says. */
const MIN_LINES = 2
/** Bullets of a list stand below each other, as a share of the type's height. */
const MAX_SHIFT = 0.5

/** Gives lists their bullets back, which engines take for other signs of one stroke. */
export const mendBullets = (page: OcrPage): OcrPage => {
  const items = page.lines.filter((line) => startsWith(line, MISREAD_BULLET))
  if (items.length < MIN_LINES) return page
  const isItem = (line: OcrLine) =>
    items.includes(line) || (startsWith(line, DOUBTFUL_BULLET) && items.some((item) => areBelow(item, line)))
  return { ...page, lines: page.lines.map((line) => (isItem(line) ? mend(line) : line)) }
}

/** A copyright is followed by its year, a price by its figure. */
const startsWith = ({ words: [first, second] }: OcrLine, sign: RegExp): boolean =>
  first !== undefined && second !== undefined && sign.test(first.text) && !/^\d/.test(second.text)

const areBelow = (a: OcrLine, b: OcrLine): boolean =>
  a.angle === b.angle && Math.abs(startOf(a) - startOf(b)) <= MAX_SHIFT * a.typeHeight

/** Where a line begins, along the direction of its letters. */
const startOf = ({ x, y, width, height, angle }: OcrLine): number =>
  ({ 0: x, 90: y, 180: -x - width, 270: -y - height })[angle]

const mend = (line: OcrLine): OcrLine => ({
  ...line,
  words: line.words.map((word, i) => (i === 0 ? { ...word, text: BULLET } : word)),
})
