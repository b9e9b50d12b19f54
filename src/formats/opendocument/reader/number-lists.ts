import { writeRoman } from '../../shared/roman.ts'
import type { Attributes } from '../../shared/xml/events.ts'
import type { ListLevel, ListStyle } from './list-styles.ts'

/** What stands before an item or a heading. */
export type Label = { text: string; ordered: boolean }

/** The numbers that a list has come to, by level from 1. */
export type Counts = (number | undefined)[]

/** Keeps count of the lists of a document: which go on, which begin anew. */
export type ListNumbers = {
  /** Counts of an outermost list that begins: its own, or those of the list that it continues. */
  begin(attributes: Attributes, styleName: string | undefined): Counts
}

const MAX_LISTS = 100_000

export const createListNumbers = (): ListNumbers => {
  const byId = new Map<string, Counts>()
  const byStyle = new Map<string, Counts>()
  return {
    begin(attributes, styleName = '') {
      const continued =
        byId.get(attributes['text:continue-list'] ?? '') ??
        (attributes['text:continue-numbering'] === 'true' ? byStyle.get(styleName) : undefined)
      const counts = continued ?? []
      const id = attributes['xml:id']
      if (id !== undefined && byId.size < MAX_LISTS) byId.set(id, counts)
      if (byStyle.size < MAX_LISTS) byStyle.set(styleName, counts)
      return counts
    },
  }
}

/** Counts one up on a level and writes its label; undefined where the style gives none. */
export const advance = (
  counts: Counts,
  style: ListStyle | undefined,
  level: number,
  startValue?: string,
): Label | undefined => {
  const own = style?.levels.get(level)
  const start = startValue === undefined ? Number.NaN : Number(startValue)
  const before = counts[level]
  counts[level] = Number.isSafeInteger(start) ? start : before === undefined ? (own?.start ?? 1) : before + 1
  counts.length = level + 1
  for (let upper = 1; upper < level; upper++) counts[upper] ??= style?.levels.get(upper)?.start ?? 1
  if (!style) return { text: '•', ordered: false }
  if (!own) return undefined
  if (!own.ordered) return { text: own.bullet, ordered: false }
  const text = writeNumbers(own, style, counts, level).trim()
  // A level without a number shows what stands around it, which mostly is nothing.
  if (/^[.):]?$/.test(text)) return undefined
  return { text, ordered: own.format !== '' }
}

const writeNumbers = (own: ListLevel, style: ListStyle, counts: Counts, level: number): string => {
  const numberAt = (at: number): string => {
    const format = at === level ? own.format : (style.levels.get(at)?.format ?? '1')
    return format === '' ? '' : writeNumber(counts[at] ?? 1, format)
  }
  if (own.pattern !== undefined) {
    return own.pattern.replace(/%(\d{1,2})%/g, (_, digits: string) => numberAt(Number(digits)))
  }
  const numbers: string[] = []
  for (let at = Math.max(1, level - own.shownLevels + 1); at <= level; at++) {
    const number = numberAt(at)
    if (number !== '') numbers.push(number)
  }
  return `${own.prefix}${numbers.join('.')}${own.suffix}`
}

/** A number in the format that OpenDocument names by its first sign; plain where the format is not known. */
export const writeNumber = (number: number, format: string): string => {
  switch (format) {
    case 'a':
      return writeLetters(number)
    case 'A':
      return writeLetters(number).toUpperCase()
    case 'i':
      return writeRoman(number)
    case 'I':
      return writeRoman(number).toUpperCase()
    default:
      return String(number)
  }
}

const writeLetters = (number: number): string => {
  if (number < 1) return String(number)
  let text = ''
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text
  }
  return text
}
