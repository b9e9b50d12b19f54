import { formatMoment, readMoment, stepOf } from './format-date.ts'
import { compileDigits } from './format-digits.ts'
import { formatGeneral } from './format-general.ts'
import { type Condition, readSections, type Section } from './read-sections.ts'

/** A format code made ready for many values. */
export type NumberFormat = {
  readonly code: string
  /** Whether numbers under this format are dates or times. */
  readonly isDate: boolean
  readonly isGeneral: boolean
  formatNumber(value: number, is1904: boolean): string
  formatText(text: string): string
}

const known = new Map<string, NumberFormat>()
const MAX_KNOWN = 4_096

/** Reads a format code; the same code is read once. */
export const compileFormat = (code: string): NumberFormat => {
  const found = known.get(code)
  if (found) return found
  const made = compile(code)
  // Files may be made to hold any number of codes.
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(code, made)
  return made
}

type Branch = {
  holds(value: number): boolean
  /** The sign is part of the code, or of the choice of the section. */
  isSignless: boolean
  write(size: number, value: number, is1904: boolean): string
}

const compile = (code: string): NumberFormat => {
  const sections = readSections(code)
  const isGeneral = sections.length === 1 && /^\s*(?:general|standard)?\s*$/i.test(code)
  const textSection = sections[3] ?? sections.findLast(({ kind }) => kind === 'text')
  const numeric = sections.slice(0, 3).filter((section) => section !== textSection || sections.length === 1)
  const branches = numeric.map((section, index) => toBranch(section, index, numeric))
  const isDate = numeric[0]?.kind === 'date'
  return {
    code,
    isGeneral,
    isDate,
    formatNumber(value, is1904) {
      if (isGeneral) return formatGeneral(value)
      if (!Number.isFinite(value)) return '#NUM!'
      const branch = branches.find(({ holds }) => holds(value))
      if (!branch) return formatGeneral(value)
      const shown = branch.write(Math.abs(value), value, is1904)
      const text = value < 0 && !branch.isSignless ? `-${shown.trimStart()}` : shown
      return tidy(text)
    },
    formatText(text) {
      if (!textSection) return text
      if (textSection.tokens.length === 0) return ''
      if (textSection.kind !== 'text') return sections.length === 4 ? writeLiterals(textSection) : text
      return textSection.tokens
        .map((token) => (token.kind === 'text' ? text : token.kind === 'literal' ? token.text : ''))
        .join('')
    },
  }
}

/** Blanks that only align are no part of what is read. */
const tidy = (text: string): string => {
  const first = text.charCodeAt(0)
  const last = text.charCodeAt(text.length - 1)
  return first === 32 || last === 32 ? text.trim() : text
}

const writeLiterals = ({ tokens }: Section): string =>
  tokens.map((token) => (token.kind === 'literal' ? token.text : '')).join('')

const toBranch = (section: Section, index: number, all: readonly Section[]): Branch => {
  const condition = section.condition ?? impliedCondition(index, all)
  const isSignless = section.kind === 'date' || (condition ? isOnlyNegative(condition) : isRestNegative(index, all))
  return { holds: condition ? makeTest(condition) : () => true, isSignless, write: toWriter(section) }
}

const impliedCondition = (index: number, all: readonly Section[]): Condition | undefined => {
  if (index === all.length - 1) return undefined
  if (index === 1) return { operator: '<', limit: 0 }
  return { operator: all.length === 2 || all[1]?.condition ? '>=' : '>', limit: 0 }
}

/** Whether a last section without a condition is left with negative numbers alone. */
const isRestNegative = (index: number, all: readonly Section[]): boolean => {
  if (index !== 1) return false
  const { operator, limit } = all[0]?.condition ?? { operator: '>=', limit: 0 }
  return (operator === '>=' || operator === '>') && limit <= 0
}

const isOnlyNegative = ({ operator, limit }: Condition): boolean =>
  (operator === '<' && limit <= 0) || ((operator === '<=' || operator === '=') && limit < 0)

const makeTest = ({ operator, limit }: Condition): ((value: number) => boolean) => {
  switch (operator) {
    case '<':
      return (value) => value < limit
    case '<=':
      return (value) => value <= limit
    case '>':
      return (value) => value > limit
    case '>=':
      return (value) => value >= limit
    case '=':
      return (value) => value === limit
    case '<>':
      return (value) => value !== limit
  }
}

const toWriter = (section: Section): Branch['write'] => {
  switch (section.kind) {
    case 'empty':
      return () => ''
    case 'date':
      return compileMoments(section)
    case 'number':
      return compileDigits(section)
    default:
      return (size) =>
        section.tokens
          .map((token) =>
            token.kind === 'general' || token.kind === 'text'
              ? formatGeneral(size)
              : token.kind === 'literal'
                ? token.text
                : token.kind === 'percent'
                  ? '%'
                  : '',
          )
          .join('')
  }
}

/** Columns of dates hold the same days again and again. */
const compileMoments = (section: Section): Branch['write'] => {
  const [seenFrom1900, seenFrom1904] = [new Map<number, string>(), new Map<number, string>()]
  const stepMs = stepOf(section)
  return (_size, value, is1904) => {
    const seen = is1904 ? seenFrom1904 : seenFrom1900
    const found = seen.get(value)
    if (found !== undefined) return found
    const moment = readMoment(value, is1904, stepMs)
    const shown = moment ? formatMoment(moment, section) : formatGeneral(value)
    if (seen.size >= MAX_KNOWN) seen.clear()
    seen.set(value, shown)
    return shown
  }
}
