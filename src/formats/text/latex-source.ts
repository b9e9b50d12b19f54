/** Removes comments; a percent sign behind a backslash is a percent sign. */
export const stripComments = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      let at = line.indexOf('%')
      while (at > 0 && isEscaped(line, at)) at = line.indexOf('%', at + 1)
      // A line that is only a comment leaves no blank line behind, which would end the paragraph.
      if (at === 0 || (at > 0 && line.slice(0, at).trim() === '')) return undefined
      return at > 0 ? line.slice(0, at) : line
    })
    .filter((line) => line !== undefined)
    .join('\n')

const isEscaped = (line: string, at: number): boolean => {
  let slashes = 0
  while (line[at - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}

export type Macro = { arguments: number; fallback?: string; body: string }

/** A place in LaTeX source, with the readers that every command needs. */
export class LatexReader {
  readonly text: string
  at = 0
  // Brackets that are never closed are looked for only so often.
  #searchLeft: number
  constructor(text: string) {
    this.text = text
    this.#searchLeft = 1_000_000 + text.length * 4
  }
  get done(): boolean {
    return this.at >= this.text.length
  }
  /** The name behind a backslash: letters with a star, or one other character. */
  readCommand(): string {
    COMMAND.lastIndex = this.at
    const name = COMMAND.exec(this.text)?.[0] ?? ''
    this.at += name.length
    return name
  }
  skipSpace(): void {
    SPACE.lastIndex = this.at
    this.at += SPACE.exec(this.text)?.[0].length ?? 0
  }
  /** What stands between the brackets that open here; undefined when none does. */
  readBracketed(open: string, close: string): string | undefined {
    const start = this.at
    this.skipSpace()
    if (this.text[this.at] !== open || this.#searchLeft < 0) {
      this.at = start
      return undefined
    }
    let depth = 0
    let braces = 0
    const limit = Math.min(this.text.length, this.at + MAX_ARGUMENT_CHARACTERS)
    for (let i = this.at; i < limit; i++) {
      const character = this.text[i]
      if (character === '\\') i++
      else if (open !== '{' && character === '{') braces++
      else if (open !== '{' && character === '}') braces--
      else if (character === open && braces === 0) depth++
      else if (character === close && braces <= 0 && --depth === 0) {
        const inner = this.text.slice(this.at + 1, i)
        this.#searchLeft -= inner.length
        this.at = i + 1
        return inner
      }
    }
    this.#searchLeft -= limit - start
    this.at = start
    return undefined
  }
  readOptional(): string | undefined {
    return this.readBracketed('[', ']')
  }
  /** An argument in braces, or the one character or command that stands for it. */
  readArgument(): string {
    const braced = this.readBracketed('{', '}')
    if (braced !== undefined) return braced
    this.skipSpace()
    if (this.text[this.at] === '\\') {
      const start = this.at++
      this.readCommand()
      return this.text.slice(start, this.at)
    }
    const character = String.fromCodePoint(this.text.codePointAt(this.at) ?? 32)
    if (character === '}' || character === '{') return ''
    this.at += character.length
    return character
  }
  /** The body of an environment whose `\begin{name}` was just read, past its `\end{name}`. */
  readEnvironment(name: string): string {
    const start = this.at
    const edge = new RegExp(String.raw`\\(begin|end)\s*\{${name.replace(/[^\w]/g, '\\$&')}\}`, 'g')
    edge.lastIndex = start
    let depth = 1
    for (let match = edge.exec(this.text); match; match = edge.exec(this.text)) {
      depth += match[1] === 'begin' ? 1 : -1
      if (depth > 0) continue
      this.at = match.index + match[0].length
      return this.text.slice(start, match.index)
    }
    this.at = this.text.length
    return this.text.slice(start)
  }
}
const COMMAND = /[A-Za-z@]{1,60}\*?|[\s\S]/y
const SPACE = /[ \t]{0,10000}(?:\n[ \t]{0,10000})?/y
const MAX_ARGUMENT_CHARACTERS = 200_000

/** Macros that the document defines itself. */
export const collectMacros = (text: string): Map<string, Macro> => {
  const macros = new Map<string, Macro>()
  const reader = new LatexReader(text)
  const pattern = /\\(?:re)?newcommand\*?\s*|\\providecommand\*?\s*|\\def\s*(?=\\)|\\DeclareMathOperator\*?\s*/g
  for (const match of text.matchAll(pattern)) {
    if (macros.size >= 2_000) break
    reader.at = match.index + match[0].length
    const name = reader.readArgument().trim().replace(/^\\/, '')
    const count = Number(reader.readOptional() ?? 0) || 0
    const fallback = count > 0 ? reader.readOptional() : undefined
    const body = reader.readBracketed('{', '}')
    // \def with its own argument pattern is left alone.
    if (body === undefined || count > 9 || !/^[A-Za-z@]+$/.test(name)) continue
    macros.set(name, { arguments: count, body, ...(fallback === undefined ? {} : { fallback }) })
  }
  return macros
}

/** The text that a macro stands for, its arguments read from where it is used. */
export const expandMacro = (macro: Macro, reader: LatexReader): string => {
  const values: string[] = []
  if (macro.fallback !== undefined) values.push(reader.readOptional() ?? macro.fallback)
  while (values.length < macro.arguments) values.push(reader.readArgument())
  return macro.body.replace(/#([1-9])/g, (_, digit: string) => values[Number(digit) - 1] ?? '')
}

/** Items of this list only: those of lists inside it stay with their item. */
export const splitItems = (body: string): { label?: string; text: string }[] => {
  const items: { label?: string; text: string }[] = []
  let depth = 0
  let start = -1
  let label: string | undefined
  const push = (end: number) => {
    if (start >= 0) items.push({ ...(label === undefined ? {} : { label }), text: body.slice(start, end) })
  }
  for (const match of body.matchAll(/\\(begin|end)\s*\{|\\item(?![A-Za-z])\s*(?:\[((?:[^\][]|\[[^\][]*\])*)\])?/g)) {
    if (match[1] === 'begin') depth++
    else if (match[1] === 'end') depth--
    else if (depth === 0) {
      push(match.index)
      start = match.index + match[0].length
      label = match[2]
    }
  }
  push(body.length)
  return items
}
