import type { Section, Token } from './read-sections.ts'
import { roundDecimal } from './round-decimal.ts'

type Digit = Token & { kind: 'digit' }
const isDigit = (token: Token): token is Digit => token.kind === 'digit'

/** How a section of digits is written, found out once and used for every value. */
type Plan = {
  style: 'fixed' | 'scientific' | 'fraction' | 'none'
  /** Places of the whole part, of the fraction, and of the exponent. */
  whole: number
  places: number
  grouped: boolean
  /** What the value is multiplied by before it is written. */
  scale: number
}

const planOf = (tokens: readonly Token[]): Plan => {
  const firstDigit = tokens.findIndex(isDigit)
  const exponentAt = tokens.findIndex(({ kind }) => kind === 'exponent')
  const end = exponentAt < 0 ? tokens.length : exponentAt
  const pointAt = tokens.findIndex(({ kind }, i) => kind === 'point' && i < end)
  const wholeEnd = pointAt < 0 ? end : pointAt
  const lastWhole = tokens.findLastIndex((token, i) => isDigit(token) && i < wholeEnd)
  const percents = tokens.filter(({ kind }) => kind === 'percent').length
  let thousands = 0
  for (let i = lastWhole + 1; lastWhole >= 0 && tokens[i]?.kind === 'comma'; i++) thousands++
  // A comma at the end of the decimals scales as well.
  if (pointAt >= 0) {
    const lastPlace = tokens.findLastIndex((token, i) => isDigit(token) && i < end && i > pointAt)
    for (let i = lastPlace + 1; lastPlace >= 0 && tokens[i]?.kind === 'comma'; i++) thousands++
  }
  const grouped = tokens.some(({ kind }, i) => kind === 'comma' && i > firstDigit && i < lastWhole)
  const slashAt = tokens.findIndex(({ kind }) => kind === 'slash')
  const hasFraction =
    slashAt > 0 && tokens.slice(0, slashAt).some(isDigit) && /^[\d?#]/.test(denominatorOf(tokens, slashAt))
  return {
    style: hasFraction ? 'fraction' : exponentAt >= 0 ? 'scientific' : firstDigit < 0 && pointAt < 0 ? 'none' : 'fixed',
    whole: tokens.filter((token, i) => isDigit(token) && i < wholeEnd).length,
    places: pointAt < 0 ? 0 : tokens.filter((token, i) => isDigit(token) && i > pointAt && i < end).length,
    grouped,
    scale: 100 ** percents / 1_000 ** thousands,
  }
}

/** What stands under the bar, as it is written in the code: `??`, `8`, `100`. */
const denominatorOf = (tokens: readonly Token[], slashAt: number): string => {
  let text = ''
  for (const token of tokens.slice(slashAt + 1)) {
    if (token.kind === 'digit') text += token.text
    else if (token.kind === 'literal' && /^\d+$/.test(token.text)) text += token.text
    else if (text !== '') break
  }
  return text
}

/** Makes the writer of a section's non-negative values. */
export const compileDigits = ({ tokens }: Section): ((size: number) => string) => {
  const plan = planOf(tokens)
  switch (plan.style) {
    case 'none':
      return () => writeAround(tokens, () => undefined)
    case 'fraction':
      return (size) => writeFraction(tokens, size * plan.scale)
    case 'scientific':
      return (size) => writeScientific(tokens, plan, size * plan.scale)
    case 'fixed':
      return isPlainRun(tokens)
        ? compilePlainRun(tokens, plan)
        : (size) => writeFixed(tokens, plan, scaled(size, plan.scale))
  }
}

/** Fifteen digits are kept through the scaling: 0.07 in percent is 7, not 7.000000000000001. */
const scaled = (size: number, scale: number): number => (scale === 1 ? size : Number((size * scale).toPrecision(15)))

/** Text around one unbroken run of digits: nearly every format there is. */
const isPlainRun = (tokens: readonly Token[]): boolean => {
  const isNumeric = ({ kind }: Token) => kind === 'digit' || kind === 'point' || kind === 'comma'
  const first = tokens.findIndex(isNumeric)
  const last = tokens.findLastIndex(isNumeric)
  return tokens.slice(first, last + 1).every(isNumeric) && tokens.filter(({ kind }) => kind === 'point').length <= 1
}

const compilePlainRun = (tokens: readonly Token[], plan: Plan): ((size: number) => string) => {
  const isNumeric = ({ kind }: Token) => kind === 'digit' || kind === 'point' || kind === 'comma'
  const first = tokens.findIndex(isNumeric)
  const last = tokens.findLastIndex(isNumeric)
  const around = (part: readonly Token[]) => part.map((token) => writeAside(token)).join('')
  const before = around(tokens.slice(0, first))
  const after = around(tokens.slice(last + 1))
  const run = tokens.slice(first, last + 1)
  const pointAt = run.findIndex(({ kind }) => kind === 'point')
  const wholeMarks = run.slice(0, pointAt < 0 ? run.length : pointAt).filter(isDigit)
  const placeMarks = pointAt < 0 ? [] : run.slice(pointAt).filter(isDigit)
  const leastWhole = wholeMarks.length - wholeMarks.findIndex(({ text }) => text === '0')
  const least = wholeMarks.some(({ text }) => text === '0') ? leastWhole : 0
  const leastPlaces = placeMarks.findLastIndex(({ text }) => text === '0') + 1
  return (size) => {
    const { digits, fraction } = roundDecimal(scaled(size, plan.scale), plan.places)
    let whole = digits.length < least ? digits.padStart(least, '0') : digits
    if (plan.grouped) whole = group(whole)
    if (pointAt < 0) return before + whole + after
    let end = fraction.length
    while (end > leastPlaces && fraction.charCodeAt(end - 1) === 48) end--
    return `${before}${whole}.${fraction.slice(0, end)}${after}`
  }
}

const group = (digits: string): string => {
  let out = ''
  let end = digits.length
  for (; end > 3; end -= 3) out = `,${digits.slice(end - 3, end)}${out}`
  return digits.slice(0, end) + out
}

const writeAside = (token: Token): string => {
  switch (token.kind) {
    case 'literal':
      return token.text
    case 'space':
      return ' '
    case 'percent':
      return '%'
    case 'slash':
      return '/'
    default:
      return ''
  }
}

const writeAround = (tokens: readonly Token[], write: (token: Token, index: number) => string | undefined): string =>
  tokens.map((token, index) => write(token, index) ?? writeAside(token)).join('')

/** Digits spread over places with text between them: `000-00-0000`. */
const writeFixed = (tokens: readonly Token[], plan: Plan, value: number): string => {
  const { digits, fraction } = roundDecimal(value, plan.places)
  return spread(tokens, digits, fraction, plan)
}

const spread = (tokens: readonly Token[], digits: string, fraction: string, { whole, grouped }: Plan): string => {
  let seen = 0
  let isPastPoint = false
  let place = 0
  const lastZero = lastNeededPlace(tokens, fraction)
  return writeAround(tokens, (token) => {
    if (token.kind === 'point') {
      isPastPoint = true
      return whole === 0 && seen === 0 ? `${grouped ? group(digits) : digits}.` : '.'
    }
    if (token.kind === 'comma') return ''
    if (token.kind !== 'digit') return undefined
    if (isPastPoint) return place < lastZero ? (fraction[place++] ?? '') : ''
    seen++
    const fromRight = whole - seen
    const at = Math.max(-1, digits.length - 1 - fromRight)
    // The first place takes all digits that are left of it.
    const shown = seen === 1 ? digits.slice(0, at + 1) : (digits[at] ?? '')
    const filled = shown === '' ? (token.text === '0' ? '0' : '') : shown
    if (!grouped || filled === '') return filled
    return groupFromRight(filled, fromRight)
  })
}

const groupFromRight = (shown: string, fromRight: number): string => {
  let out = ''
  for (let i = 0; i < shown.length; i++) {
    out += shown[i]
    const left = shown.length - 1 - i + fromRight
    if (left > 0 && left % 3 === 0) out += ','
  }
  return out
}

/** Zeros at the end are shown only in places that demand them. */
const lastNeededPlace = (tokens: readonly Token[], fraction: string): number => {
  const pointAt = tokens.findIndex(({ kind }) => kind === 'point')
  const marks = pointAt < 0 ? [] : tokens.slice(pointAt).filter(isDigit)
  let last = Math.min(marks.length, fraction.length)
  while (last > 0 && marks[last - 1]?.text !== '0' && fraction[last - 1] === '0') last--
  return last
}

const writeScientific = (tokens: readonly Token[], plan: Plan, value: number): string => {
  const step = Math.max(1, plan.whole)
  let power = value === 0 ? 0 : Math.floor(Math.log10(value) + 1e-12)
  power = Math.floor(power / step) * step
  let mantissa = roundDecimal(value / 10 ** power, plan.places)
  // Rounding may have made one digit more than there is room for.
  if (mantissa.digits.length > step) {
    power += step
    mantissa = roundDecimal(value / 10 ** power, plan.places)
  }
  const at = tokens.findIndex(({ kind }) => kind === 'exponent')
  const exponent = tokens[at] as Token & { kind: 'exponent' }
  const marks = tokens.slice(at + 1).filter(isDigit)
  const least = marks.filter(({ text }) => text === '0').length
  const sign = power < 0 ? '-' : exponent.plus ? '+' : ''
  let isWritten = false
  const after = writeAround(tokens.slice(at + 1), (token) => {
    if (token.kind !== 'digit') return undefined
    if (isWritten) return ''
    isWritten = true
    return Math.abs(power).toString().padStart(least, '0')
  })
  return `${spread(tokens.slice(0, at), mantissa.digits, mantissa.fraction, plan)}E${sign}${after}`
}

const writeFraction = (tokens: readonly Token[], value: number): string => {
  const slashAt = tokens.findIndex(({ kind }) => kind === 'slash')
  const marks = denominatorOf(tokens, slashAt)
  const fixed = /^[1-9]\d*$/.test(marks) ? Number(marks) : 0
  const digitsAt = tokens.findLastIndex((token, i) => isDigit(token) && i < slashAt)
  let numeratorAt = digitsAt
  while (numeratorAt > 0 && isDigit(tokens[numeratorAt - 1] as Token)) numeratorAt--
  const hasWhole = tokens.slice(0, numeratorAt).some(isDigit)
  let whole = hasWhole ? Math.floor(value) : 0
  const rest = value - whole
  let [numerator, denominator] =
    fixed > 0 ? [Math.round(rest * fixed), fixed] : approximate(rest, 10 ** marks.length - 1)
  if (hasWhole && numerator === denominator) {
    whole++
    numerator = 0
  }
  const before = tokens.slice(0, numeratorAt)
  const text = (part: readonly Token[]) =>
    part.map((token) => (token.kind === 'literal' || token.kind === 'space' ? writeAside(token) : '')).join('')
  const needsZero = before.some((token) => token.kind === 'digit' && token.text === '0')
  const wholeText = whole === 0 && !needsZero && !(numerator === 0) ? '' : hasWhole ? String(whole) : ''
  const firstDigit = before.findIndex(isDigit)
  const lead = hasWhole ? text(before.slice(0, firstDigit)) : text(before)
  if (numerator === 0 && hasWhole) return lead + wholeText
  const between = hasWhole ? text(before.slice(firstDigit)) || ' ' : ''
  return `${lead}${wholeText}${wholeText === '' ? '' : between}${numerator}/${denominator}`
}

/** The nearest fraction with a denominator of at most `largest`. */
const approximate = (value: number, largest: number): [numerator: number, denominator: number] => {
  let [lowerN, lowerD, upperN, upperD] = [0, 1, 1, 0]
  let rest = value
  let best: [number, number] = [Math.round(value), 1]
  for (let i = 0; i < 32; i++) {
    const whole = Math.floor(rest)
    const [n, d] = [whole * upperN + lowerN, whole * upperD + lowerD]
    if (d > largest) {
      // The last step may be taken in part.
      const part = Math.floor((largest - lowerD) / Math.max(1, upperD))
      const partly: [number, number] = [part * upperN + lowerN, part * upperD + lowerD]
      if (partly[1] > 0 && Math.abs(value - partly[0] / partly[1]) < Math.abs(value - best[0] / best[1])) return partly
      return best
    }
    ;[lowerN, lowerD, upperN, upperD] = [upperN, upperD, n, d]
    best = [n, d]
    const left = rest - whole
    if (left < 1e-10) return best
    rest = 1 / left
  }
  return best
}
