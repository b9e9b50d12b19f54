/** One piece of a section of a format code. */
export type Token =
  | { kind: 'literal'; text: string }
  /** Blank of the width of a character. */
  | { kind: 'space' }
  | { kind: 'digit'; text: '0' | '#' | '?' }
  | { kind: 'point' }
  | { kind: 'comma' }
  | { kind: 'percent' }
  | { kind: 'exponent'; plus: boolean }
  | { kind: 'slash' }
  | { kind: 'general' }
  | { kind: 'text' }
  /** `yyyy`, `mm`, `d`, …; `elapsed` for `[h]`. Minutes are told from months by `n`. */
  | { kind: 'date'; letter: DateLetter; length: number; elapsed: boolean }
  | { kind: 'halfday'; short: boolean }
  /** Digits of a second's fraction. */
  | { kind: 'subsecond'; places: number }
export type DateLetter = 'y' | 'm' | 'n' | 'd' | 'h' | 's' | 'e' | 'g' | 'b' | 'a'

export type Condition = { operator: '<' | '<=' | '>' | '>=' | '=' | '<>'; limit: number }

export type Section = {
  kind: 'number' | 'date' | 'text' | 'general' | 'empty'
  tokens: readonly Token[]
  condition?: Condition
  /** Windows' number of the language that names of months and days are in. */
  language?: number
}

// Longer codes than Excel keeps are no formats; what they would show is not worth the time of a hostile one.
const MAX_CODE_CHARACTERS = 1_024

/** Takes a format code apart into its sections, at most four. */
export const readSections = (code: string): Section[] => {
  const sections: Section[] = []
  let at = 0
  const text = code.slice(0, MAX_CODE_CHARACTERS)
  while (at <= text.length && sections.length < 4) {
    const { section, end } = readSection(text, at)
    sections.push(section)
    at = end + 1
    if (end >= text.length) break
  }
  return sections
}

const DATE_LETTERS = new Set(['y', 'm', 'd', 'h', 's', 'g', 'b', 'a', 'e'])

const readSection = (code: string, start: number): { section: Section; end: number } => {
  const tokens: Token[] = []
  let condition: Condition | undefined
  let language: number | undefined
  let at = start
  const literal = (text: string) => tokens.push({ kind: 'literal', text })
  while (at < code.length && code[at] !== ';') {
    const character = code[at] as string
    const lower = character.toLowerCase()
    if (character === '"') {
      const end = code.indexOf('"', at + 1)
      literal(code.slice(at + 1, end < 0 ? code.length : end))
      at = end < 0 ? code.length : end + 1
    } else if (character === '\\' || character === '!') {
      literal(characterAt(code, at + 1))
      at += 1 + characterAt(code, at + 1).length
    } else if (character === '_' || character === '*') {
      if (character === '_') tokens.push({ kind: 'space' })
      at += 1 + characterAt(code, at + 1).length
    } else if (character === '[') {
      const end = code.indexOf(']', at)
      const inside = code.slice(at + 1, end < 0 ? code.length : end)
      const read = readBrackets(inside)
      if (read.token) tokens.push(read.token)
      condition ??= read.condition
      language ??= read.language
      at = end < 0 ? code.length : end + 1
    } else if (character === '0' || character === '#' || character === '?') {
      tokens.push({ kind: 'digit', text: character })
      at++
    } else if (character === '.') {
      const places = /^\.(0+)/.exec(code.slice(at, at + 16))?.[1]?.length ?? 0
      const previous = lastDate(tokens)
      if (places > 0 && previous?.letter === 's') {
        tokens.push({ kind: 'subsecond', places: Math.min(places, 9) })
        at += 1 + places
      } else {
        tokens.push({ kind: 'point' })
        at++
      }
    } else if (character === ',') {
      tokens.push({ kind: 'comma' })
      at++
    } else if (character === '%') {
      tokens.push({ kind: 'percent' })
      at++
    } else if (character === '/') {
      tokens.push({ kind: 'slash' })
      at++
    } else if (character === '@') {
      tokens.push({ kind: 'text' })
      at++
    } else if (lower === 'g' && /^general/i.test(code.slice(at, at + 7))) {
      tokens.push({ kind: 'general' })
      at += 7
    } else if (lower === 'e' && /[+-]/.test(code[at + 1] ?? '') && tokens.some(({ kind }) => kind === 'digit')) {
      tokens.push({ kind: 'exponent', plus: code[at + 1] === '+' })
      at += 2
    } else if (lower === 'a' && /^(?:am\/pm|a\/p)/i.test(code.slice(at, at + 5))) {
      const short = code[at + 1] === '/'
      tokens.push({ kind: 'halfday', short })
      at += short ? 3 : 5
    } else if (DATE_LETTERS.has(lower) && !(lower === 'a' && !/^aaa/i.test(code.slice(at, at + 3)))) {
      let end = at
      while (code[end]?.toLowerCase() === lower) end++
      tokens.push({ kind: 'date', letter: lower as DateLetter, length: end - at, elapsed: false })
      at = end
    } else {
      const whole = characterAt(code, at)
      literal(whole)
      at += whole.length
    }
  }
  const section: Section = { kind: 'number', tokens: markMinutes(tokens) }
  if (condition) section.condition = condition
  if (language !== undefined) section.language = language
  section.kind = kindOf(section.tokens)
  return { section, end: at }
}

const characterAt = (text: string, at: number): string => {
  const point = text.codePointAt(at)
  return point === undefined ? '' : String.fromCodePoint(point)
}

const lastDate = (tokens: readonly Token[]) => {
  const last = tokens.at(-1)
  return last?.kind === 'date' ? last : undefined
}

const readBrackets = (inside: string): { token?: Token; condition?: Condition; language?: number } => {
  if (/^(?:h+|m+|s+)$/i.test(inside)) {
    const letter = inside[0]?.toLowerCase() as 'h' | 'm' | 's'
    return {
      token: { kind: 'date', letter: letter === 'm' ? 'n' : letter, length: inside.length, elapsed: true },
    }
  }
  const compared = /^(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i.exec(inside)
  if (compared) {
    return { condition: { operator: compared[1] as Condition['operator'], limit: Number(compared[2]) } }
  }
  const money = /^\$([^-]*)(?:-([0-9a-f]{1,8}))?/i.exec(inside)
  if (!money) return {}
  const language = money[2] === undefined ? undefined : Number.parseInt(money[2], 16) & 0xffff
  return {
    ...(money[1] ? { token: { kind: 'literal', text: money[1] } } : {}),
    ...(language === undefined ? {} : { language }),
  }
}

/** An `m` next to hours or seconds is minutes. */
const markMinutes = (tokens: readonly Token[]): Token[] => {
  const dates = tokens.flatMap((token, index) => (token.kind === 'date' ? [{ token, index }] : []))
  const minutes = new Set<number>()
  dates.forEach(({ token, index }, i) => {
    if (token.letter !== 'm' || token.length > 2) return
    const before = dates[i - 1]?.token.letter
    if (before === 'h' || dates[i + 1]?.token.letter === 's') minutes.add(index)
  })
  return tokens.map((token, index) =>
    token.kind === 'date' && minutes.has(index) ? { ...token, letter: 'n' as const } : token,
  )
}

const kindOf = (tokens: readonly Token[]): Section['kind'] => {
  const has = (...kinds: Token['kind'][]) => tokens.some(({ kind }) => kinds.includes(kind))
  if (has('text')) return 'text'
  if (has('general')) return 'general'
  if (has('date', 'halfday', 'subsecond')) return 'date'
  return tokens.length === 0 ? 'empty' : 'number'
}
