import type { Section, Token } from './read-sections.ts'

/** A moment of a spreadsheet's calendar, which has a 29 February 1900 and a day 0. */
export type Moment = {
  year: number
  /** 1 to 12. */
  month: number
  day: number
  /** 0 is Sunday. */
  weekday: number
  hours: number
  minutes: number
  seconds: number
  milliseconds: number
  /** Since the start of the calendar, for elapsed time. */
  totalSeconds: number
}

const DAY_MS = 86_400_000
/** The last moment Excel shows is in the year 9999. */
const END_OF_CALENDAR = 2_958_466
const DAYS_FROM_1900_TO_1904 = 1_462

/** The moment a serial number stands for, to the nearest step; undefined where there is none. */
export const readMoment = (value: number, is1904: boolean, stepMs = 1): Moment | undefined => {
  const offset = is1904 ? DAYS_FROM_1900_TO_1904 : 0
  const serial = value + offset
  if (!(serial >= 0 && serial < END_OF_CALENDAR)) return undefined
  let day = Math.floor(serial)
  // Sums of times miss the full second by a few millionths.
  let ms = Math.round(((serial - day) * DAY_MS) / stepMs) * stepMs
  if (ms >= DAY_MS) {
    ms -= DAY_MS
    day++
  }
  const clock = {
    hours: Math.floor(ms / 3_600_000),
    minutes: Math.floor(ms / 60_000) % 60,
    seconds: Math.floor(ms / 1_000) % 60,
    milliseconds: ms % 1_000,
    totalSeconds: (day - offset) * 86_400 + ms / 1_000,
  }
  const weekday = (day + 6) % 7
  if (day === 0) return { year: 1900, month: 1, day: 0, weekday, ...clock }
  if (day === 60) return { year: 1900, month: 2, day: 29, weekday, ...clock }
  const date = new Date(Date.UTC(1899, 11, day > 60 ? 30 : 31) + day * DAY_MS)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), weekday, ...clock }
}

/** How finely a section shows time: whole seconds, unless it has places for their fraction. */
export const stepOf = ({ tokens }: Section): number => {
  const places = tokens.find((token) => token.kind === 'subsecond')?.places ?? 0
  return 10 ** (3 - Math.min(3, places))
}

const pad = (value: number, length: number): string => String(value).padStart(length, '0')

/** `2024-02-29`, `2024-02-29T13:05:00` or `13:05:00`: a moment for programs. */
export const writeIsoMoment = (moment: Moment): string => {
  const fraction = moment.milliseconds > 0 ? `.${pad(moment.milliseconds, 3)}` : ''
  const time = `${pad(moment.hours, 2)}:${pad(moment.minutes, 2)}:${pad(moment.seconds, 2)}${fraction}`
  if (moment.day === 0) return time
  const date = `${pad(moment.year, 4)}-${pad(moment.month, 2)}-${pad(moment.day, 2)}`
  return moment.totalSeconds % 86_400 === 0 ? date : `${date}T${time}`
}

/** Writes a moment by a section of date and time letters. */
export const formatMoment = (moment: Moment, section: Section): string => {
  const hasHalfday = section.tokens.some(({ kind }) => kind === 'halfday')
  const write = (token: Token): string => {
    switch (token.kind) {
      case 'literal':
        return token.text
      case 'space':
        return ' '
      case 'slash':
        return '/'
      case 'comma':
        return ','
      case 'point':
        return '.'
      case 'percent':
        return '%'
      case 'digit':
        // A lone digit among date letters is the elapsed day in no known program; Excel shows it as it is.
        return token.text
      case 'halfday': {
        const half = moment.hours < 12 ? 'AM' : 'PM'
        return token.short ? half.slice(0, 1) : half
      }
      case 'subsecond':
        return `.${pad(moment.milliseconds, 3).slice(0, token.places).padEnd(token.places, '0')}`
      case 'date':
        return token.elapsed ? writeElapsed(moment, token) : writeLetter(moment, token, hasHalfday, section.language)
      default:
        return ''
    }
  }
  return section.tokens.map(write).join('')
}

type DateToken = Token & { kind: 'date' }

const writeElapsed = ({ totalSeconds }: Moment, { letter, length }: DateToken): string => {
  const seconds = letter === 'h' ? 3_600 : letter === 'n' ? 60 : 1
  return pad(Math.floor(totalSeconds / seconds), length)
}

const writeLetter = (moment: Moment, { letter, length }: DateToken, hasHalfday: boolean, language = 0): string => {
  switch (letter) {
    case 'y':
      return length <= 2 ? pad(moment.year % 100, 2) : pad(moment.year, 4)
    case 'e':
      return String(moment.year)
    case 'b':
      return length <= 2 ? pad((moment.year + 543) % 100, 2) : pad(moment.year + 543, 4)
    case 'm':
      if (length <= 2) return pad(moment.month, length)
      if (length === 5) return monthName(moment.month, 'long', language).slice(0, 1)
      return monthName(moment.month, length === 3 ? 'short' : 'long', language)
    case 'd':
      if (length <= 2) return pad(moment.day, length)
      return weekdayName(moment.weekday, length === 3 ? 'short' : 'long', language)
    case 'a':
      return weekdayName(moment.weekday, length === 3 ? 'short' : 'long', language)
    case 'h': {
      const hours = hasHalfday ? moment.hours % 12 || 12 : moment.hours
      return pad(hours, Math.min(2, length))
    }
    case 'n':
      return pad(moment.minutes, Math.min(2, length))
    case 's':
      return pad(moment.seconds, Math.min(2, length))
    default:
      return ''
  }
}

// Primary languages of Windows' language numbers whose names of months are not English.
const LANGUAGES: Readonly<Record<number, string>> = {
  1: 'ar',
  2: 'bg',
  3: 'ca',
  4: 'zh',
  5: 'cs',
  6: 'da',
  7: 'de',
  8: 'el',
  10: 'es',
  11: 'fi',
  12: 'fr',
  13: 'he',
  14: 'hu',
  15: 'is',
  16: 'it',
  17: 'ja',
  18: 'ko',
  19: 'nl',
  20: 'nb',
  21: 'pl',
  22: 'pt',
  24: 'ro',
  25: 'ru',
  26: 'hr',
  27: 'sk',
  28: 'sq',
  29: 'sv',
  30: 'th',
  31: 'tr',
  32: 'ur',
  33: 'id',
  34: 'uk',
  35: 'be',
  36: 'sl',
  37: 'et',
  38: 'lv',
  39: 'lt',
  41: 'fa',
  42: 'vi',
  43: 'hy',
  45: 'eu',
  47: 'mk',
  54: 'af',
  55: 'ka',
  57: 'hi',
  62: 'ms',
  63: 'kk',
  65: 'sw',
  69: 'bn',
  73: 'ta',
  86: 'gl',
}

type NameLength = 'short' | 'long'
const known = new Map<string, readonly string[]>()

const namesOf = (unit: 'month' | 'weekday', length: NameLength, language: number): readonly string[] => {
  const locale = LANGUAGES[language & 0x3ff] ?? 'en'
  const key = `${unit}${length}${locale}`
  const found = known.get(key)
  if (found) return found
  const { format } = new Intl.DateTimeFormat(`${locale}-u-ca-gregory-nu-latn`, { [unit]: length, timeZone: 'UTC' })
  // 1 January 2023 was a Sunday.
  const names = Array.from({ length: unit === 'month' ? 12 : 7 }, (_, i) =>
    format(unit === 'month' ? Date.UTC(2023, i, 1) : Date.UTC(2023, 0, 1 + i)),
  )
  known.set(key, names)
  return names
}

const monthName = (month: number, length: NameLength, language: number): string =>
  namesOf('month', length, language)[month - 1] ?? ''
const weekdayName = (weekday: number, length: NameLength, language: number): string =>
  namesOf('weekday', length, language)[weekday] ?? ''
