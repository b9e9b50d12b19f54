import { isRightToLeft } from './language.ts'

const [EMBED_RIGHT_TO_LEFT, POP] = ['\u202b', '\u202c']

/** A line of a language that is written from right to left, so that players that do not know it set its marks right. */
export const directLine = (line: string, language: string): string =>
  isRightToLeft(language) ? `${EMBED_RIGHT_TO_LEFT}${line}${POP}` : line
