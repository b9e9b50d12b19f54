import type { ArchiveReader, Member } from './member.ts'
import { staysInside } from './names.ts'

type Row = Readonly<Record<(typeof COLUMNS)[number], string | number | boolean | null>>
const COLUMNS = [
  'name',
  'kind',
  'bytes',
  'packedBytes',
  'ratio',
  'modified',
  'mode',
  'crc32',
  'method',
  'encrypted',
  'target',
  'owner',
  'group',
  'comment',
  'unsafe',
] as const

const toRow = (member: Member): Row => ({
  name: member.name,
  kind: member.kind,
  bytes: member.bytes ?? null,
  packedBytes: member.packedBytes ?? null,
  ratio: ratioOf(member.bytes, member.packedBytes),
  modified: member.modified || null,
  mode: member.mode === undefined ? null : member.mode.toString(8).padStart(4, '0'),
  crc32: member.crc32 === undefined ? null : member.crc32.toString(16).padStart(8, '0'),
  method: member.method ?? null,
  encrypted: member.isEncrypted || null,
  target: member.target ?? null,
  owner: member.owner ?? null,
  group: member.group ?? null,
  comment: member.comment ?? null,
  unsafe: staysInside(member.name) || member.kind === 'folder' ? null : true,
})

/** How much smaller it was packed, in hundredths; null where that means nothing. */
export const ratioOf = (bytes: number | undefined, packedBytes: number | undefined): number | null =>
  bytes === undefined || !packedBytes ? null : Math.round((bytes / packedBytes) * 100) / 100

/** The members as JSON, a line each; what is not known of one is left out. */
export function* writeJson({ members }: ArchiveReader): Generator<string> {
  yield '{\n  "members": ['
  for (const [index, member] of members.entries()) {
    const known = Object.fromEntries(Object.entries(toRow(member)).filter(([, value]) => value !== null))
    yield `${index === 0 ? '' : ','}\n    ${JSON.stringify(known)}`
  }
  yield members.length === 0 ? ']\n}\n' : '\n  ]\n}\n'
}

/** The members as CSV with a header. */
export function* writeCsv({ members }: ArchiveReader): Generator<string> {
  yield `${COLUMNS.join(',')}\r\n`
  for (const member of members) {
    const row = toRow(member)
    yield `${COLUMNS.map((column) => quote(row[column])).join(',')}\r\n`
  }
}

const quote = (value: Row[keyof Row]): string => {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
