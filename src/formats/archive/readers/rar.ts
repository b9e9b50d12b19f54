import type { Context } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { listRar, streamRar, type UnarRecord } from '../../../engines/unar.ts'
import { overLimit } from '../../shared/decode.ts'
import { MAX_MEMBERS, unreadable } from '../limits.ts'
import type { ArchiveFile, ArchiveReader, Content, Member, MemberKind, Problem } from '../member.ts'
import { type RarHead, readRarHead } from './rar-head.ts'
import { splitContents } from './split-contents.ts'

/** Looks through a RAR archive. */
export const openRar = async (file: ArchiveFile, context: Context): Promise<ArchiveReader> => {
  const head = readRarHead(file.path)
  const { outcome, members: records } = await listRar(file, context)
  if (outcome === 'too-long' || records.length > MAX_MEMBERS) throw overLimit('archiveEntries', MAX_MEMBERS)
  // Nobody packs nothing: the program says little of what it cannot read.
  if (records.length === 0) {
    if (head.hidesNames || outcome === 'encrypted') throw new JobFailure('extract.source_encrypted')
    throw unreadable('archive', 'The archive is damaged or cut off.')
  }
  const members = records.map((record, index) => describe(record, index, head))
  return {
    kind: 'rar',
    isSolid: head.isSolid,
    members,
    problems: [...(outcome === 'done' ? [] : [DAMAGED]), ...(head.isVolume ? [VOLUME] : [])],
    keeps: 'cut',
    contents: (wanted, job) => readContents(file, members, wanted, job),
  }
}

const DAMAGED: Problem = { code: 'archive.damaged', detail: 'The archive is damaged; members may be missing.' }
const VOLUME: Problem = {
  code: 'archive.one_of_several',
  detail: 'The archive goes on in other files; what lies in those is missing.',
}

const readContents = (
  file: ArchiveFile,
  members: readonly Member[],
  wanted: (member: Member) => boolean,
  context: Context,
): AsyncGenerator<Content> => {
  const files = members.filter(({ kind }) => kind === 'file')
  const open = files.filter(({ isEncrypted }) => !isEncrypted || file.password !== '')
  if (open.length === files.length) return splitContents(streamRar(file, context), file.bytes, open, wanted, context)
  // Encrypted ones would come as garbage.
  const places = open.map(({ index }) => index)
  return splitContents(
    places.length > 0 ? streamRar(file, context, places) : nothing(),
    file.bytes,
    open,
    wanted,
    context,
  )
}

async function* nothing(): AsyncGenerator<Buffer> {}

const describe = (record: UnarRecord, index: number, { version }: RarHead): Member => {
  const number = (...names: string[]) => names.map((name) => record[name]).find((value) => typeof value === 'number')
  const text = (name: string) => (typeof record[name] === 'string' ? (record[name] as string) : undefined)
  const isSet = (name: string) => record[name] === 1
  const kind = kindOf(isSet)
  const mode = number('XADPosixPermissions', ...(record.RAR5OSName === 'Unix' ? ['RAR5Attributes'] : []))
  const crc = number('RARCRC32', 'RAR5CRC32')
  const target = text('XADLinkDestination')
  const comment = text('XADComment')
  const bytes = number('XADFileSize')
  const packedBytes = number('XADCompressedSize')
  const method = text('XADCompressionName')
  const time = text('XADLastModificationDate')?.slice(0, 19).replace(' ', 'T')
  // With this flag the stated checksum depends on the password.
  const isCrcHidden = ((number('RAR5EncryptionFlags') ?? 0) & 2) !== 0
  return {
    index,
    name: String(record.XADFileName ?? ''),
    kind,
    isEncrypted: isSet('XADIsEncrypted'),
    ...(kind === 'folder' || bytes === undefined ? {} : { bytes }),
    ...(kind === 'folder' || packedBytes === undefined ? {} : { packedBytes }),
    // Only the newer version keeps it in UTC.
    ...(time ? { modified: version === 5 ? `${time}Z` : time } : {}),
    ...(mode === undefined ? {} : { mode: mode & 0o7777 }),
    ...(crc === undefined || isCrcHidden || kind !== 'file' ? {} : { crc32: crc >>> 0 }),
    ...(method ? { method } : {}),
    ...(target === undefined ? {} : { target }),
    ...(comment ? { comment } : {}),
  }
}

const kindOf = (isSet: (name: string) => boolean): MemberKind => {
  if (isSet('XADIsDirectory')) return 'folder'
  if (isSet('XADIsHardLink')) return 'hard-link'
  if (isSet('XADIsLink')) return 'link'
  return isSet('XADIsCharacterDevice') || isSet('XADIsBlockDevice') || isSet('XADIsFIFO') ? 'special' : 'file'
}
