import type { ParsedResult } from 'chrono-node'
import type { DueDate } from './model.ts'

/** Finds when something is due in a sentence. */
export type FindDueDate = (text: string) => DueDate | null

const DAY = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday'
const MONTH = 'january|february|march|april|may|june|july|august|september|october|november|december'
/** What chrono-node finds is a date only with one of these in it: it also takes "second" or "2.5" for times. */
const NAMES_A_DAY = new RegExp(
  `\\b(?:${DAY}|${MONTH}|today|tonight|tomorrow|this (?:morning|afternoon|evening)|noon|midnight|(?:next|this|coming|in|within|end of)\\b.*\\b(?:days?|weeks?|months?|quarters?|years?|hours?)|\\d{4}-\\d{2}-\\d{2}|\\d{1,2}/\\d{1,2})\\b|\\b\\d{1,2}(?::\\d{2})?\\s*[ap]\\.?m\\b`,
  'i',
)
const IS_PAST = /\b(?:last|ago|yesterday|previous|earlier|past|since)\b/i
/** Ends of stretches that chrono-node does not know. */
const STRETCH =
  /\b(?:(?:by|before|until|at) )?(?:the )?(?:end of (?:the |this |next )?(?:day|week|month|quarter|year|sprint)|eod|eow|close of business|next (?:sprint|meeting|call|stand-?up|release))\b/i
/** What ties a date to a task. */
const LEAD = /\b(?:by|before|until|till|on|due|for|no later than|at the latest by)\s+(?:the\s+)?$/i

const SOME_DAY = new Date(Date.UTC(2001, 0, 1, 12))

/** Prepares the finding of due dates; with the day of the meeting they are resolved to dates. */
export const makeFindDueDate = async (referenceDate: Date | null): Promise<FindDueDate> => {
  const chrono = await import('chrono-node')
  // In UTC whatever the zone of this machine: the same text gives the same date.
  const reference = { instant: referenceDate ?? SOME_DAY, timezone: 0 }
  return (text) => {
    const stretch = STRETCH.exec(text)
    const found = chrono.parse(text, reference, { forwardDate: true }).filter(({ text: words }) => isDue(words))
    // What "by" leads to is due; else the last that is named.
    const result = found.find(({ index }) => LEAD.test(text.slice(0, index))) ?? found.at(-1)
    if (stretch && !(result && LEAD.test(text.slice(0, result.index))))
      return { text: stripLead(stretch[0]), date: null }
    return result
      ? { text: stripLead(result.text), date: referenceDate ? formatDate(result, referenceDate) : null }
      : null
  }
}

const isDue = (words: string): boolean => NAMES_A_DAY.test(words) && !IS_PAST.test(words)

const stripLead = (words: string): string => words.replace(/^(?:by|before|until|at|on)\s+/i, '').trim()

const formatDate = ({ start }: ParsedResult, reference: Date): string => {
  const day = new Date(Date.UTC(start.get('year') ?? 1970, (start.get('month') ?? 1) - 1, start.get('day') ?? 1))
  const isWeekday = start.isCertain('weekday') && !start.isCertain('day')
  // Who says "by Monday" on a Monday means the next one.
  const isToday = day.toISOString().slice(0, 10) === reference.toISOString().slice(0, 10)
  if (isWeekday && isToday) day.setUTCDate(day.getUTCDate() + 7)
  return day.toISOString().slice(0, 10)
}
