import type { Block, Inline } from '../../shared/document/model.ts'

/** A line of iCalendar or vCard. */
export type ContentLine = { name: string; params: Record<string, string>; value: string }

const MAX_LINES = 50_000
const MAX_ENTRIES = 200

/** The lines of an iCalendar or vCard file, unfolded. */
export const readContentLines = (text: string): ContentLine[] =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]/g, '')
    .split('\n')
    .slice(0, MAX_LINES)
    .flatMap((line) => {
      const [, head, value] = /^((?:"[^"]*"|[^":])+):(.*)$/.exec(line) ?? []
      if (head === undefined) return []
      const [name = '', ...params] = head.match(/(?:"[^"]*"|[^";])+/g) ?? []
      const pairs = params.map((param) => {
        const equals = param.indexOf('=')
        return [param.slice(0, equals).toUpperCase(), param.slice(equals + 1).replaceAll('"', '')] as const
      })
      // Some programs put the group of a line before its name: `item1.TEL`.
      return [{ name: name.replace(/^.*\./, '').toUpperCase(), params: Object.fromEntries(pairs), value: value ?? '' }]
    })

const unescapeText = (value: string): string =>
  value.replace(/\\([\\;,nN])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign))

/** The events and tasks of a calendar: what, when, where, who. */
export const readCalendar = (text: string): Block[] => {
  const lines = readContentLines(text)
  const method = lines.find(({ name }) => name === 'METHOD')?.value.toUpperCase()
  const blocks: Block[] = []
  let entry: ContentLine[] | undefined
  let inner = 0
  for (const line of lines) {
    if (line.name === 'BEGIN') {
      if (/^V(?:EVENT|TODO|JOURNAL)$/i.test(line.value.trim())) entry = []
      else if (entry) inner++
    } else if (line.name === 'END') {
      if (inner > 0) inner--
      else if (entry) {
        blocks.push(writeEntry(entry, method))
        entry = undefined
        if (blocks.length >= MAX_ENTRIES) break
      }
    } else if (entry && inner === 0) entry.push(line)
  }
  return blocks
}

const METHODS: Readonly<Record<string, string>> = {
  REQUEST: 'Invitation',
  CANCEL: 'Cancelled',
  REPLY: 'Answer to an invitation',
  COUNTER: 'Counter-proposal',
}

const writeEntry = (lines: readonly ContentLine[], method: string | undefined): Block => {
  const get = (name: string): ContentLine | undefined => lines.find((line) => line.name === name)
  const text = (name: string): string | undefined => {
    const line = get(name)
    return line && unescapeText(line.value).trim()
  }
  const people = lines.filter(({ name }) => name === 'ATTENDEE').slice(0, MAX_ENTRIES)
  return labelled([
    ['Calendar', METHODS[method ?? ''] ?? 'Event'],
    ['What', text('SUMMARY')],
    ['When', writeSpan(get('DTSTART'), get('DTEND') ?? get('DUE'))],
    ['Repeats', text('RRULE')],
    ['Where', text('LOCATION')],
    ['Organizer', writePerson(get('ORGANIZER'))],
    ['Who', people.map(writePerson).filter(Boolean).join(', ')],
    ['Status', text('STATUS')?.toLowerCase()],
    ['Description', text('DESCRIPTION')],
  ])
}

const writePerson = (line: ContentLine | undefined): string | undefined => {
  if (!line) return undefined
  const address = line.value.replace(/^mailto:/i, '').trim()
  const name = line.params.CN
  const state = line.params.PARTSTAT?.toLowerCase()
  const who = name && name !== address ? `${name} <${address}>` : address
  return state && state !== 'needs-action' ? `${who} (${state})` : who
}

const writeSpan = (start: ContentLine | undefined, end: ContentLine | undefined): string | undefined => {
  if (!start) return end && `until ${writeTime(end)}`
  const from = writeTime(start)
  const to = end && writeTime(end)
  return to && to !== from ? `${from} – ${to}` : from
}

const writeTime = ({ value, params }: ContentLine): string => {
  const [, year, month, day, hour, minute, zone] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})\d{2}(Z?))?/.exec(value.trim()) ?? []
  if (year === undefined) return value.trim()
  if (hour === undefined) return `${year}-${month}-${day}`
  return `${year}-${month}-${day} ${hour}:${minute}${zone ? ' UTC' : params.TZID ? ` (${params.TZID})` : ''}`
}

/** The people on a card: how to reach them. */
export const readContact = (text: string): Block[] => {
  const blocks: Block[] = []
  let card: ContentLine[] = []
  for (const line of readContentLines(text)) {
    if (line.name === 'BEGIN') card = []
    else if (line.name !== 'END') card.push(line)
    else if (card.length > 0 && blocks.length < MAX_ENTRIES) blocks.push(writeCard(card))
  }
  return blocks
}

const writeCard = (lines: readonly ContentLine[]): Block => {
  const all = (name: string): string =>
    lines
      .filter((line) => line.name === name)
      .map(({ value }) =>
        unescapeText(value.replace(/(?<!\\);/g, ' '))
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .filter(Boolean)
      .join(', ')
  return labelled([
    ['Contact', all('FN') || all('N')],
    ['Organization', all('ORG')],
    ['Title', all('TITLE')],
    ['Email', all('EMAIL')],
    ['Phone', all('TEL')],
    ['Address', all('ADR')],
    ['Web', all('URL')],
    ['Note', all('NOTE')],
  ])
}

/** A paragraph of lines with a label each; those without a value are left out. */
export const labelled = (entries: readonly (readonly [label: string, value: string | undefined])[]): Block => {
  const content: Inline[] = []
  for (const [label, value] of entries) {
    if (!value) continue
    if (content.length > 0) content.push({ kind: 'break' })
    content.push({ kind: 'text', text: `${label}:`, bold: true })
    for (const [i, line] of value.split('\n').entries()) {
      if (i > 0) content.push({ kind: 'break' })
      if (line.trim() !== '') content.push({ kind: 'text', text: i > 0 ? line.trim() : ` ${line.trim()}` })
    }
  }
  return { kind: 'paragraph', content }
}
