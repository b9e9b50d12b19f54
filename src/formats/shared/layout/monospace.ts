import type { TextRun } from './page-content.ts'
import { isSpaceless } from './scripts.ts'

const RUNS_ENOUGH = 4
const CHARACTERS_ENOUGH = 60
const SAMPLES_LIMIT = 60
const TOLERANCE = 0.02

/** Fonts of a page whose characters are all of one width, though their names do not say so. */
export const findMonospaceFonts = (runs: readonly TextRun[]): ReadonlySet<string> => {
  const samples = new Map<string, { least: number; most: number; runs: number; characters: number }>()
  for (const { text, font, width, fontSize, monospace, rotation } of runs) {
    if (
      monospace ||
      rotation !== 0 ||
      text.length < 6 ||
      !/[a-z]{2}|[A-Z]{3}/.test(text) ||
      isSpaceless(text.charAt(0))
    )
      continue
    // The last character has its own width, less the space after it.
    const ratio = width / (text.length * fontSize)
    const sample = samples.get(font)
    if (!sample) samples.set(font, { least: ratio, most: ratio, runs: 1, characters: text.length })
    else if (sample.runs < SAMPLES_LIMIT) {
      if (ratio < sample.least) sample.least = ratio
      if (ratio > sample.most) sample.most = ratio
      sample.runs++
      sample.characters += text.length
    }
  }
  const fonts = new Set<string>()
  for (const [font, { least, most, runs: count, characters }] of samples)
    if (count >= RUNS_ENOUGH && characters >= CHARACTERS_ENOUGH && most - least < most * TOLERANCE) fonts.add(font)
  return fonts
}

const WORD_TOLERANCE = 0.1

/** Whether the words of a run are as wide as one width for all characters makes them: its font is that of the first. */
export const isEvenlySpaced = ({ words }: TextRun): boolean => {
  if (!words || words.length < 3) return true
  let least = Infinity
  let most = 0
  for (const { text, width } of words) {
    if (text.length < 3) continue
    least = Math.min(least, width / text.length)
    most = Math.max(most, width / text.length)
  }
  return most <= 0 || most - least < most * WORD_TOLERANCE
}
