const DAY_MS = 86_400_000
const DAY_ZERO_MS = Date.UTC(1899, 11, 30)

/** `2024-02-29` or `2024-02-29T13:05:00` as a number of days. */
export const readIsoDate = (text: string): number | undefined => {
  const ms = Date.parse(/T.*(?:[zZ]|[+-]\d\d:\d\d)$/.test(text) || !text.includes('T') ? text : `${text}Z`)
  return Number.isNaN(ms) ? undefined : (ms - DAY_ZERO_MS) / DAY_MS
}

/** `PT13H05M00S` as a number of days. */
export const readIsoDuration = (text: string): number | undefined => {
  const found = /^(-)?P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(text)
  if (!found) return undefined
  const [, minus, days = 0, hours = 0, minutes = 0, seconds = 0] = found
  const value = Number(days) + (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) / 86_400
  return minus ? -value : value
}

/** A formula as a spreadsheet shows it: `of:=SUM([.A1:.A3])` is `SUM(A1:A3)`. */
export const plainFormula = (formula: string | undefined): string => {
  if (!formula) return ''
  return formula
    .replace(/^[a-z]+:=?/i, '')
    .replace(/^=/, '')
    .replace(/\[([^\]]*)\]/g, (_whole, inside: string) => inside.split(':').map(plainReference).join(':'))
}

const plainReference = (reference: string): string => {
  const dot = reference.lastIndexOf('.')
  if (dot < 0) return reference
  const sheet = reference.slice(0, dot).replace(/^\$/, '')
  return sheet === '' ? reference.slice(dot + 1) : `${sheet}!${reference.slice(dot + 1)}`
}
