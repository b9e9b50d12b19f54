import { hasRtl } from './scripts.ts'

/**
 * Text of a right-to-left line comes with its words as they stand from left to right, each word's letters in the order
 * they are read. Turned round here: words from right to left, but stretches of Latin words and numbers kept as they are.
 */
export const toLogicalOrder = <T extends { text: string }>(words: readonly T[]): T[] => {
  const turned: T[] = []
  let latin: T[] = []
  for (let index = words.length - 1; index >= 0; index--) {
    const word = words[index] as T
    if (isLeftToRight(word.text)) {
      latin.push(word)
      continue
    }
    turned.push(...latin.reverse())
    latin = []
    turned.push({ ...word, text: mendWord(word.text) })
  }
  turned.push(...latin.reverse())
  return turned
}

const isLeftToRight = (text: string): boolean => !hasRtl(text) && /[\p{L}\p{N}]/u.test(text)

const LEADING_PUNCTUATION = /^([.,،؛:;!?؟»)\]}…]+)(.*[^.,،؛:;!?؟»)\]}…].*)$/u
const SCRIPT_CHANGE = /^([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+)([A-Za-z][A-Za-z0-9.+#-]*)$/
const SCRIPT_CHANGE_BACK = /^([A-Za-z][A-Za-z0-9.+#-]*)([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+)$/
// An alef is never followed by another: the ligature of lam and alef was stored back to front.
const SWAPPED_LAM_ALEF = /\u0627([\u0622\u0623\u0625\u0627])\u0644/g

const mendWord = (word: string): string => {
  const text = word.replace(SWAPPED_LAM_ALEF, '\u0627\u0644$1')
  const mixed = SCRIPT_CHANGE.exec(text) ?? SCRIPT_CHANGE_BACK.exec(text)
  if (mixed) return `${mixed[2]} ${mixed[1]}`
  // What stands at the left end of the word as drawn comes after it as read.
  const led = LEADING_PUNCTUATION.exec(text)
  return led ? `${led[2]}${led[1]}` : text
}
