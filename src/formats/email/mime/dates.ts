const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const ZONES: Readonly<Record<string, number>> = {
  UT: 0,
  UTC: 0,
  GMT: 0,
  Z: 0,
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  CET: 60,
  CEST: 120,
  BST: 60,
  JST: 540,
  MSK: 180,
  IST: 330,
}

const MAIL_DATE =
  /(\d{1,2})[\s-]+([A-Za-z]{3})[A-Za-z]*\.?[\s-]+(\d{2,4})[\s,]+(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?\s*([+-]\d{2}:?\d{2}|[A-Za-z]{1,5})?/
const CTIME_DATE = /([A-Za-z]{3})\s+(\d{1,2})\s+(\d{1,2}):(\d{2}):(\d{2})\s+(?:([+-]\d{4}|[A-Z]{1,5})\s+)?(\d{4})/
const ISO_DATE = /(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?/

/** A date as mail has it in ISO 8601, in the zone that it was written in; undefined where it is none. */
export const readDate = (raw: string): string | undefined => {
  const text = raw.slice(0, 1_000)
  const iso = ISO_DATE.exec(text)
  if (iso) return toIso(iso[1], Number(iso[2]), iso[3], iso[4], iso[5], iso[6], iso[7])
  const mail = MAIL_DATE.exec(text)
  if (mail) return toIso(fullYear(mail[3] as string), monthOf(mail[2]), mail[1], mail[4], mail[5], mail[6], mail[7])
  const ctime = CTIME_DATE.exec(text)
  if (ctime) return toIso(ctime[7], monthOf(ctime[1]), ctime[2], ctime[3], ctime[4], ctime[5], ctime[6])
  return undefined
}

const monthOf = (name = ''): number => MONTHS.indexOf(name.toLowerCase()) + 1

const fullYear = (year: string): string =>
  year.length === 4 ? year : String(Number(year) + (year.length === 3 || Number(year) >= 50 ? 1900 : 2000))

const toIso = (
  year: string | undefined,
  month: number,
  day: string | undefined,
  hour: string | undefined,
  minute: string | undefined,
  second: string | undefined,
  zone: string | undefined,
): string | undefined => {
  const two = (value: string | number | undefined): string => String(value ?? '00').padStart(2, '0')
  const local = `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}`
  const isReal = month > 0 && !Number.isNaN(Date.parse(`${local.replace(/:60$/, ':59')}Z`))
  return isReal ? local + writeZone(zone) : undefined
}

/** The zone of a date; `-0000` and no zone at all mean that the place is not known. */
const writeZone = (zone: string | undefined): string => {
  if (zone === undefined || zone === '-0000') return 'Z'
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? []
  if (sign) return hours === '00' && minutes === '00' ? 'Z' : `${sign}${hours}:${minutes}`
  const offset = ZONES[zone.toUpperCase()] ?? 0
  if (offset === 0) return 'Z'
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`
}
