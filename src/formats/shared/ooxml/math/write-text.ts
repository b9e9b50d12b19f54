import { commandOf, FUNCTIONS, unfoldAlphabet } from './symbols.ts'

/** How a run of a formula is set. */
export type RunStyle = {
  /** Plain text inside the formula. */
  isText: boolean
  isUpright: boolean
  isBold: boolean
  /** Command of a special alphabet. */
  alphabet?: string | undefined
}

/** The LaTeX of a run: symbols by their names, words by their style. */
export const writeRun = (text: string, style: RunStyle): string => {
  if (style.isText) return writeWords(text)
  const { alphabet } = style
  if (alphabet) return wrapLetters(text, (letters) => `${alphabet}{${writeSymbols(letters)}}`)
  if (style.isBold) {
    const command = style.isUpright ? '\\mathbf' : '\\boldsymbol'
    return wrapLetters(text, (letters) => `${command}{${writeSymbols(letters)}}`)
  }
  return style.isUpright ? wrapLetters(text, writeName) : writeSymbols(text)
}

/** Treats runs of letters and figures apart from what stands between them. */
const wrapLetters = (text: string, write: (letters: string) => string): string =>
  text.split(/([\p{L}\p{N}]+)/u).reduce((out, piece, index) => {
    const isLetters = index % 2 === 1 && /\p{L}/u.test(piece)
    return join(out, isLetters ? write(piece) : writeSymbols(piece))
  }, '')

/** A name of letters: a function that LaTeX knows, else upright letters. */
export const writeName = (text: string): string => {
  if (FUNCTIONS.has(text)) return `\\${text}`
  return /^[A-Za-z\d]+$/.test(text) ? `\\mathrm{${text}}` : writeSymbols(text)
}

/** Text in a formula, in text mode. */
export const writeWords = (text: string): string => (text === '' ? '' : `\\text{${escapeText(text)}}`)

const escapeText = (text: string): string =>
  text.replace(/[\\#$%&_{}~^]/g, (char) =>
    char === '\\' ? '\\textbackslash{}' : char === '~' || char === '^' ? `\\${char}{}` : `\\${char}`,
  )

/** Characters of a formula by their LaTeX names; blanks are kept, since a formula would drop them. */
export const writeSymbols = (text: string): string => {
  let out = ''
  const chars = [...text.replace(/\s+/g, ' ').replace(/ (?=[=+<>,≤≥≈≠×·−–-])|(?<=[=+<>,≤≥≈≠×·−–-]) /g, '')]
  for (const [index, char] of chars.entries()) {
    out = join(out, writeCharacter(char, chars[index + 1]))
  }
  return out
}

const writeCharacter = (char: string, next: string | undefined): string => {
  if (char === ' ') return '\\ '
  // Typed in the linear form and never built up: it means the same to LaTeX as long as something follows.
  if (char === '^' || char === '_') return next && !/[\s^_]/.test(next) ? char : char === '^' ? '\\wedge ' : '\\_'
  const unfolded = unfoldAlphabet(char)
  if (!unfolded) return commandOf(char) ?? char
  const plain = commandOf(unfolded.plain) ?? unfolded.plain
  return unfolded.wrap === '' ? plain : `${unfolded.wrap}{${plain}}`
}

/** Puts a piece behind another: a command that ends in a letter must not swallow a letter that follows. */
export const join = (before: string, after: string): string =>
  /\\[A-Za-z]+$/.test(before) && /^[A-Za-z]/.test(after) ? `${before} ${after}` : before + after

/** Takes blanks off both ends, also those that LaTeX would show. */
export const trim = (latex: string): string => latex.replace(/^(?:\\? )+|(?:\\? )+$/g, '')
