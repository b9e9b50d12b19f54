import type { Context } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import {
  listArchive,
  SEVEN_ZIP_MEMORY_BYTES,
  type SevenZipKind,
  type SevenZipOutcome,
  type SevenZipRecord,
  streamContents,
} from '../../../engines/seven-zip.ts'
import { overLimit } from '../../shared/decode.ts'
import { MAX_MEMBERS, unreadable } from '../limits.ts'
import type { ArchiveFile, ArchiveReader, Content, Member, MemberKind, Problem } from '../member.ts'
import { splitContents } from './split-contents.ts'

/** Looks through an archive by the program 7z. */
export const openByProgram = async (
  file: ArchiveFile,
  kind: SevenZipKind,
  context: Context,
): Promise<ArchiveReader> => {
  const members: Member[] = []
  let about: SevenZipRecord = new Map()
  const outcome = await listArchive({ ...file, kind }, context, (record, isMember) => {
    if (!isMember) about = record
    else if (members.length >= MAX_MEMBERS) throw overLimit('archiveEntries', MAX_MEMBERS)
    else members.push(describe(record, members.length, kind))
  })
  if (outcome === 'encrypted') throw new JobFailure('extract.source_encrypted')
  if (outcome === 'memory') throw overLimit('memory', SEVEN_ZIP_MEMORY_BYTES)
  if (outcome === 'damaged' && members.length === 0) throw unreadable('archive', 'The archive is damaged or cut off.')
  const comment = about.get('Comment')?.trim()
  return {
    kind: kind === 'udf' ? 'iso' : kind,
    // That of a disc image is made of its numbers.
    ...(comment && kind !== 'iso' && kind !== 'udf' ? { comment } : {}),
    ...(about.has('Solid') ? { isSolid: about.get('Solid') === '+' } : {}),
    members,
    problems: outcome === 'damaged' ? [DAMAGED] : [],
    keeps: 'cut',
    contents: (wanted, job) => readContents({ ...file, kind }, members, wanted, job),
  }
}

const DAMAGED: Problem = { code: 'archive.damaged', detail: 'The archive is damaged; members may be missing.' }

async function* readContents(
  file: ArchiveFile & { kind: SevenZipKind },
  members: readonly Member[],
  wanted: (member: Member) => boolean,
  context: Context,
): AsyncGenerator<Content> {
  const { output, outcome } = streamContents(file, context)
  // Without the password nothing comes of those that need one.
  const given = members.filter(({ kind, isEncrypted }) => kind !== 'folder' && (!isEncrypted || file.password !== ''))
  try {
    yield* splitContents(output, file.bytes, given, wanted, context)
  } catch (error) {
    throw explain(outcome()) ?? error
  }
}

const explain = (outcome: SevenZipOutcome): JobFailure | undefined => {
  if (outcome === 'encrypted') return new JobFailure('extract.source_encrypted')
  return outcome === 'memory' ? overLimit('memory', SEVEN_ZIP_MEMORY_BYTES) : undefined
}

/** Formats that keep times in UTC; the others know only the clock where they were packed. */
const IN_UTC: ReadonlySet<SevenZipKind> = new Set<SevenZipKind>(['7z', 'iso', 'udf'])

const describe = (record: SevenZipRecord, index: number, archiveKind: SevenZipKind): Member => {
  const text = (name: string) => record.get(name) || undefined
  const number = (name: string) => (/^\d+$/.test(record.get(name) ?? '') ? Number(record.get(name)) : undefined)
  const attributes = /^(\w*)(?: ([-dlcbps])([-rwxstST]{9}))?$/.exec(text('Attributes') ?? text('Mode') ?? '')
  const kind = kindOf(record, attributes)
  const time = text('Modified')?.slice(0, 19).replace(' ', 'T')
  const crc = text('CRC')
  return {
    index,
    name: record.get('Path') ?? '',
    kind,
    isEncrypted: record.get('Encrypted') === '+',
    ...(kind === 'folder' ? {} : optional('bytes', number('Size'))),
    ...(kind === 'folder' ? {} : optional('packedBytes', number('Packed Size'))),
    ...optional('modified', time && (IN_UTC.has(archiveKind) ? `${time}Z` : time)),
    ...optional('mode', attributes?.[3] ? readMode(attributes[3]) : undefined),
    ...optional('crc32', crc ? Number.parseInt(crc, 16) : undefined),
    ...optional('method', text('Method')),
    ...optional('target', text('Symbolic Link')),
    ...optional('comment', text('Comment')),
  }
}

const optional = <K extends string, V>(key: K, value: V | undefined): { [k in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { [k in K]?: V }

const kindOf = (record: SevenZipRecord, attributes: RegExpExecArray | null): MemberKind => {
  if (record.get('Folder') === '+' || attributes?.[1]?.includes('D')) return 'folder'
  if (record.get('Symbolic Link') || attributes?.[2] === 'l') return 'link'
  return attributes?.[2] && 'cbps'.includes(attributes[2]) ? 'special' : 'file'
}

/** `rw-r--r--` as a number. */
const readMode = (text: string): number =>
  [...text].reduce((mode, letter, i) => mode | ('-ST'.includes(letter) ? 0 : 1 << (8 - i)), 0)
