const DAY_MS = 86_400_000
/** Day 0 of the calendar of Office, as long as its false leap day of 1900 does not matter. */
const EPOCH_MS = Date.UTC(1899, 11, 30)
const LAST_DAY = 2_958_465

/** A number of a chart as a reader expects it: percents and dates by their format, without the noise of floating point. */
export const showValue = (text: string, format: string): string => {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return text
  const [pattern = ''] = format.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '').split(';')
  if (pattern.includes('%')) return `${clean(value * 100)}%`
  if (/[dy]/i.test(pattern) && !/general/i.test(pattern) && value > 0 && value < LAST_DAY) {
    return new Date(EPOCH_MS + Math.round(value * DAY_MS)).toISOString().slice(0, 10)
  }
  return clean(value)
}

const clean = (value: number): string => String(Number(value.toPrecision(12)))
