import { formatDuration, formatNumber } from '../design/format.ts'
import type { Measures } from './measure/measure.ts'

const COUNTS = { pageCount: 'page', slideCount: 'slide', sheetCount: 'sheet', frameCount: 'frame' } as const

/** What was measured, in words: `30 pages`. */
export const describeMeasures = (measures: Measures): string[] => {
  const { durationSeconds } = measures
  const counts = Object.entries(COUNTS).flatMap(([field, unit]) => {
    const count = measures[field as keyof typeof COUNTS]
    return count === undefined ? [] : [`${formatNumber(count)} ${unit}${count === 1 ? '' : 's'}`]
  })
  return [...(durationSeconds === undefined ? [] : [formatDuration(durationSeconds)]), ...counts]
}

/** What a price needs and nobody measured yet, by the field of an estimate that would tell it. */
export const describeMissing = (fields: readonly string[]): string => {
  const [field = ''] = fields
  if (field.startsWith('duration')) return 'How long it is'
  const unit = COUNTS[field as keyof typeof COUNTS]
  return unit ? `How many ${unit}s it has` : 'What its price depends on'
}
