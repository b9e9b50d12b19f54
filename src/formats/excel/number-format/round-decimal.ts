/** A non-negative number as digits: `digits` is the whole part without leading zeros, `fraction` has the asked length. */
export type Decimal = { digits: string; fraction: string }

const MAX_FAST = 1e15

/**
 * Rounds half up on the fifteen digits that a spreadsheet keeps, not on the binary value: 1.005 to two places is 1.01.
 */
export const roundDecimal = (value: number, places: number): Decimal => {
  if (places === 0 && value < MAX_FAST && Number.isInteger(value)) {
    return { digits: value === 0 ? '' : String(value), fraction: '' }
  }
  if (value < MAX_FAST && places <= 12) {
    const scaled = value * 10 ** places
    const rest = scaled - Math.floor(scaled)
    // Far enough from the middle the binary value rounds the same way.
    if (scaled < MAX_FAST && Math.abs(rest - 0.5) > 1e-4) return split(value.toFixed(places))
  }
  return roundDigits(value, places)
}

const split = (text: string): Decimal => {
  const point = text.indexOf('.')
  const digits = point < 0 ? text : text.slice(0, point)
  return { digits: digits === '0' ? '' : digits, fraction: point < 0 ? '' : text.slice(point + 1) }
}

const roundDigits = (value: number, places: number): Decimal => {
  const [mantissa = '0', power = '0'] = value.toExponential(14).split('e')
  const significant = mantissa.replace('.', '')
  // The point stands after this many of the significant digits.
  const point = Number(power) + 1
  const keep = point + places
  if (keep < 0) return { digits: '', fraction: '0'.repeat(places) }
  let digits = significant.slice(0, Math.max(0, keep)).padEnd(keep, '0')
  if (keep < significant.length && significant.charCodeAt(keep) >= 53) digits = increment(digits)
  const grown = digits.padStart(places, '0')
  const at = grown.length - places
  return { digits: grown.slice(0, at).replace(/^0+/, ''), fraction: grown.slice(at) }
}

const increment = (digits: string): string => {
  let at = digits.length - 1
  while (at >= 0 && digits[at] === '9') at--
  const zeros = '0'.repeat(digits.length - 1 - at)
  return at < 0 ? `1${zeros}` : `${digits.slice(0, at)}${Number(digits[at]) + 1}${zeros}`
}
