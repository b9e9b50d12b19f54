import type { OcrLine, OcrPage, OcrWord } from '../../../engines/ocr-page.ts'
import { meanConfidence } from './to-page-content.ts'

/** A line must have one word that is surely read, or be fairly sure as a whole. */
const MIN_BEST_WORD = 0.8
const MIN_LINE = 0.6
/** Strokes of pictures and rules are read as marks; a line of nothing else must be surely read. */
const MIN_MARKS = 0.85
/** Parts of pictures are read as a letter here and there. */
const MIN_LONE_LETTER = 0.7
/** In a line of writing, engines are unsure of words that they read well, but not of marks. */
const MIN_MARK_IN_LINE = 0.3

/** Leaves out what was read where there is no writing: in pictures, along rules, in the shadow of a fold. */
export const dropNoise = (page: OcrPage): OcrPage => ({ ...page, lines: page.lines.flatMap(cleanLine) })

const cleanLine = (line: OcrLine): OcrLine[] => {
  if (!isWriting(line.words)) return []
  const words = line.words.filter((word) => hasLetters(word) || word.confidence >= MIN_MARK_IN_LINE)
  return words.length > 0 ? [{ ...line, words }] : []
}

const isWriting = (words: readonly OcrWord[]): boolean => {
  const mean = meanConfidence(words)
  if (!words.some(hasLetters)) return mean >= MIN_MARKS
  if (words.length === 1 && words[0]?.text.length === 1) return mean >= MIN_LONE_LETTER
  const best = Math.max(...words.map(({ text, confidence }) => (text.length > 1 ? confidence : 0)))
  return mean >= MIN_LINE || best >= MIN_BEST_WORD
}

const hasLetters = ({ text }: OcrWord): boolean => /[\p{L}\p{N}]/u.test(text)
