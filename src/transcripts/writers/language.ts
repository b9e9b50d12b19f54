const RIGHT_TO_LEFT = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'iw', 'ks', 'ps', 'sd', 'syr', 'ug', 'ur', 'yi'])

/** The language of a tag without region and script: `zh` of `zh-Hant-TW`. */
export const primaryLanguage = (language: string): string => (language.split('-')[0] ?? '').toLowerCase()

/** The tag itself, or `und` where it is no tag: what goes into attributes. */
export const languageTag = (language: string): string =>
  /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(language) ? language : 'und'

export const isRightToLeft = (language: string): boolean => RIGHT_TO_LEFT.has(primaryLanguage(language))

const UNSPACED_CLASS =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u3000-\\u303f\\uff00-\\uffef]'
const [UNSPACED_START, UNSPACED_END] = [new RegExp(`^${UNSPACED_CLASS}`, 'u'), new RegExp(`${UNSPACED_CLASS}$`, 'u')]

/** Scripts that leave no space between words or sentences. */
export const UNSPACED = new RegExp(UNSPACED_CLASS, 'u')

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/gu
const INVISIBLE = /[\p{M}\u200b-\u200d\u2060]/gu

/** How many characters of a line of Latin text one full-width character stands for: 18 of them fill a line of 42. */
const WIDE_WIDTH = 42 / 18

/** How much of a line a text takes, in characters of Latin text. */
export const textWidth = (text: string): number => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the quick way for what is nearly every text
  if (/^[\x00-\x7f]*$/.test(text)) return text.length
  const visible = text.replace(INVISIBLE, '')
  const wide = visible.match(WIDE)?.length ?? 0
  return [...visible].length - wide + wide * WIDE_WIDTH
}

/** Puts two stretches of speech together, with a space where their scripts have one. */
export const joinTexts = (before: string, after: string): string => {
  if (before === '' || after === '') return before + after
  const isUnspaced = UNSPACED_END.test(before.slice(-2)) && UNSPACED_START.test(after.slice(0, 2))
  return isUnspaced ? before + after : `${before} ${after}`
}

/** Whether a text ends as a sentence does, in any script. */
export const endsSentence = (text: string): boolean => /[.!?…。！？｡؟۔।॥։።][\p{Pe}\p{Pf}"'*]*$/u.test(text)

const RIGHT_TO_LEFT_LETTERS = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/gu
const LETTERS = /\p{L}/gu

/** Whether a paragraph runs from right to left: as its language does, unless it begins in and mostly is another one. */
export const runsRightToLeft = (text: string, language: string): boolean => {
  const isTurned = isRightToLeft(language)
  const letters = text.match(LETTERS) ?? []
  const turned = text.match(RIGHT_TO_LEFT_LETTERS) ?? []
  const isOther = turned.length * 2 > letters.length !== isTurned && (letters[0] === turned[0]) !== isTurned
  return letters.length > 0 && isOther ? !isTurned : isTurned
}
