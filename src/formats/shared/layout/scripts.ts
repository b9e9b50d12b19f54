const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const RTL_ALL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g
const LTR_ALL = /[A-Za-z\u00c0-\u058f\u0900-\u1fff\u3040-\ud7a3]/g
// Kana, ideographs and full-width forms stand without spaces between words; Hangul does not.
const SPACELESS = /[\u2e80-\u312f\u31a0-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]/

export const hasRtl = (text: string): boolean => RTL.test(text)

/** Whether text is mostly of a script that runs from right to left. */
export const isMostlyRtl = (text: string): boolean =>
  RTL.test(text) && (text.match(RTL_ALL)?.length ?? 0) > (text.match(LTR_ALL)?.length ?? 0)

/** Whether a character is of a script that writes words without spaces between them. */
export const isSpaceless = (character: string): boolean => SPACELESS.test(character)
