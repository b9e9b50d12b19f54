import { endsSentence } from './language.ts'
import type { Token } from './timed-tokens.ts'

// Words that lean on what follows them: a line or a subtitle that ends on one reads badly.
const LEANING = new Set(
  'a an the of to in on at by for from with into as and or but if that which who my your his her its our their this these those is are was were be been has have had do does did will would can could should may might must not no very so than because when while where'.split(
    ' ',
  ),
)
// Words that begin a clause: a good place to break before.
const OPENING = new Set(
  'and or but so because that which who when while where if though although unless until since then than with from for to in on at by about into after before'.split(
    ' ',
  ),
)

const bare = (text: string): string => text.toLowerCase().replace(/^[\p{P}]+|[\p{P}]+$/gu, '')

/** How bad it is to part two tokens, from 0 at the end of a sentence to 16 after an article. */
export const breakCost = (before: Token, after: Token): number => {
  const pause = Math.max(0, after.startSeconds - before.endSeconds)
  return Math.max(0, textCost(before.text, after.text) - Math.min(4, pause * 6))
}

const textCost = (before: string, after: string): number => {
  if (endsSentence(before)) return 0
  if (/[,;:،؛、，；：–—][\p{Pe}\p{Pf}"']*$/u.test(before)) return 3
  if (LEANING.has(bare(before))) return 16
  return OPENING.has(bare(after)) ? 6 : 10
}
