import { roundDecimal } from './round-decimal.ts'

/**
 * A number as the General format shows it in a wide enough column: eleven characters, or scientific. Whole numbers keep
 * all of their digits, where Excel would shorten an identifier of twelve or more to `1.23457E+11`.
 */
export const formatGeneral = (value: number): string => {
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size < 1e15 && Number.isInteger(value)) return String(value)
  const sign = value < 0 ? '-' : ''
  if (!Number.isFinite(value)) return `${sign}#NUM!`
  const power = Math.floor(Math.log10(size))
  if (power >= 15 || power < -4) return sign + formatScientific(size)
  const places = Math.max(0, 9 - Math.max(0, power))
  const { digits, fraction } = roundDecimal(size, places)
  const shown = fraction.replace(/0+$/, '')
  return `${sign}${digits || '0'}${shown === '' ? '' : `.${shown}`}`
}

const formatScientific = (size: number): string => {
  const [mantissa = '', power = '0'] = size.toExponential(5).split('e')
  const exponent = Math.abs(Number(power)).toString().padStart(2, '0')
  return `${mantissa.replace(/\.?0+$/, '')}E${Number(power) < 0 ? '-' : '+'}${exponent}`
}
