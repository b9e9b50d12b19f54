const PIECES =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]|\p{sc=Latin}[\p{sc=Latin}\p{M}]*|[\p{L}\p{M}]+|\p{N}+|([^\s\p{L}\p{N}])\1*/gu
const FIRST_IS_LATIN = /^\p{sc=Latin}/u
const FIRST_IS_IDEOGRAPH = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u
const FIRST_IS_LETTER = /^\p{L}|^\p{M}/u
const FIRST_IS_DIGIT = /^\p{N}/u

/** Characters in a token, by what kind they are; measured on the tokenizers of the large language models of the day. */
const LATIN_PER_TOKEN = 6
const LETTERS_PER_TOKEN = 4
const DIGITS_PER_TOKEN = 3
const SIGNS_PER_TOKEN = 4

/**
 * About how many tokens a language model makes of a text: words are one token for each six letters begun (four outside
 * the Latin script), ideographs one each, numbers one for three digits, runs of the same sign one for four. No tokenizer
 * is asked, so the same text has the same estimate everywhere.
 */
export const estimateTokens = (text: string): number => {
  let tokens = 0
  for (const [piece] of text.matchAll(PIECES)) tokens += tokensOf(piece)
  return tokens
}

const tokensOf = (piece: string): number => {
  if (FIRST_IS_IDEOGRAPH.test(piece)) return 1
  if (FIRST_IS_LATIN.test(piece)) return Math.ceil(piece.length / LATIN_PER_TOKEN)
  if (FIRST_IS_LETTER.test(piece)) return Math.ceil(piece.length / LETTERS_PER_TOKEN)
  if (FIRST_IS_DIGIT.test(piece)) return Math.ceil(piece.length / DIGITS_PER_TOKEN)
  return Math.ceil(piece.length / SIGNS_PER_TOKEN)
}
