import type { OcrLine, OcrPage } from '../../../engines/ocr-page.ts'

/** What engines make of a dot at the start of a line. */
const MISREAD_BULLET = /^[¢©®°«»·¤¥*]$/u
const BULLET = '•'
/** One such line may mean what it says. */
const MIN_LINES = 2

/** Gives lists their bullets back, which engines take for other signs of one stroke. */
export const mendBullets = (page: OcrPage): OcrPage => {
  const count = page.lines.filter(isItem).length
  return count < MIN_LINES ? page : { ...page, lines: page.lines.map((line) => (isItem(line) ? mend(line) : line)) }
}

/** A copyright is followed by its year, a price by its figure. */
const isItem = ({ words: [first, second] }: OcrLine): boolean =>
  first !== undefined && second !== undefined && MISREAD_BULLET.test(first.text) && !/^\d/.test(second.text)

const mend = (line: OcrLine): OcrLine => ({
  ...line,
  words: line.words.map((word, i) => (i === 0 ? { ...word, text: BULLET } : word)),
})
