import { formatCredits, formatNumber } from '../design/format.ts'
import { inWords } from './form-state.ts'
import type { Quote } from './use-quote.ts'

type LineItem = Quote['lineItems'][number]

const MEGABYTE = 'megabyte'
const MINUTE = 'minute'

const plural = (count: number, unit: string): string => `${formatNumber(count)} ${unit}${count === 1 ? '' : 's'}`

const describeQuantity = ({ unit, quantity }: LineItem): string => {
  if (unit === MEGABYTE)
    return quantity < 0.1 ? 'less than 0.1 MB' : `${formatNumber(Math.round(quantity * 10) / 10)} MB`
  if (unit === MINUTE && !Number.isInteger(quantity)) return plural(Math.ceil(quantity), 'started minute')
  return plural(quantity, unit)
}

/** What a line of a price is for: "Transcript (fast), 2 started minutes". */
export const describeItem = (item: LineItem): string => {
  const { capabilityId, mode } = item
  const what = capabilityId === undefined ? 'Extraction' : `${inWords(capabilityId)}${mode ? ` (${mode})` : ''}`
  return `${what}, ${describeQuantity(item)}`
}

/** How that line is reckoned: "1 credit for every 10 pages". */
export const describeRate = ({ unit, quantity, per, credits }: LineItem): string => {
  const steps = Math.max(1, Math.ceil(quantity / per))
  const step = formatCredits(credits / steps)
  const name = unit === MEGABYTE ? 'MB' : unit
  if (per === 1) return `${step} for each ${name}`
  return `${step} for every ${formatNumber(per)} ${unit === MEGABYTE ? name : `${name}s`}`
}
