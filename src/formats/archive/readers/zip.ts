import { isAscii } from 'node:buffer'
import type { Context } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { type ArchiveEntry, openArchive } from '../../shared/zip/open-archive.ts'
import { MAX_MEMBERS, unreadable } from '../limits.ts'
import type { ArchiveFile, ArchiveReader, Content, Member, MemberKind, Problem } from '../member.ts'
import { decodeNames } from '../names.ts'
import { openByProgram } from './seven-zip.ts'
import { decrypt, findEncryption, WrongPassword } from './zip-decrypt.ts'
import { methodName, unpackEntry } from './zip-unpack.ts'

// What it all comes to is looked at when it is unpacked; a listing harms nobody.
const LIMITS = { entries: MAX_MEMBERS, totalBytes: Number.POSITIVE_INFINITY, ratio: Number.POSITIVE_INFINITY }

/** Looks through a ZIP archive; where its directory is damaged, what a search for entries finds. */
export const openZip = async (file: ArchiveFile, context: Context): Promise<ArchiveReader> => {
  try {
    return await openByDirectory(file)
  } catch (error) {
    if (!(error instanceof JobFailure) || !['archive', 'not-zip', 'truncated'].includes(String(error.params.reason))) {
      throw error
    }
    const reader = await openByProgram(file, 'zip', context).catch(() => undefined)
    if (!reader || reader.members.length === 0) throw error
    return { ...reader, problems: [DAMAGED] }
  }
}

const DAMAGED: Problem = {
  code: 'archive.damaged',
  detail: 'The directory of the archive is damaged or missing; members may be missing.',
}

const openByDirectory = async (file: ArchiveFile): Promise<ArchiveReader> => {
  const archive = await openArchive(file.path, LIMITS)
  archive.close()
  const { entries, comment } = archive
  const legacy = entries.map((entry) => (isUnicode(entry) ? Buffer.alloc(0) : Buffer.from(entry.raw.fileNameRaw)))
  const { names, encoding } = await decodeNames([...legacy, comment])
  const members = entries.map((entry, index) => describe(entry, index, names[index] || entry.name))
  const note = (names.at(-1) ?? '').trim()
  return {
    kind: 'zip',
    ...(note ? { comment: note } : {}),
    ...(encoding ? { nameEncoding: encoding } : {}),
    members,
    problems: [],
    keeps: 'damaged',
    contents: (wanted, context) => readContents(file, members, wanted, context),
  }
}

const UTF8_FLAG = 0x800
const UNICODE_PATH_FIELD = 0x7075

/** The name says itself how it is written. */
const isUnicode = ({ raw }: ArchiveEntry): boolean =>
  (raw.generalPurposeBitFlag & UTF8_FLAG) !== 0 || raw.extraFields.some(({ id }) => id === UNICODE_PATH_FIELD)

const describe = (entry: ArchiveEntry, index: number, name: string): Member => {
  const { raw } = entry
  const encryption = entry.isEncrypted ? findEncryption(entry) : undefined
  const isAes = encryption?.scheme === 'aes'
  const kind = kindOf(entry)
  const mode = isUnix(raw.versionMadeBy) ? (raw.externalFileAttributes >>> 16) & 0o7777 : 0
  const comment = Buffer.from(raw.fileCommentRaw ?? [])
  return {
    index,
    // Some programs of Windows write its separators.
    name: isUnix(raw.versionMadeBy) || name.includes('/') ? name : name.replaceAll('\\', '/'),
    kind,
    bytes: entry.bytes,
    packedBytes: entry.compressedBytes,
    modified: readTime(entry),
    ...(mode ? { mode } : {}),
    // An authenticated entry may keep it to itself.
    ...(isAes && !encryption.hasCrc ? {} : { crc32: raw.crc32 >>> 0 }),
    method: methodName(isAes ? encryption.method : raw.compressionMethod),
    isEncrypted: entry.isEncrypted,
    ...(comment.length > 0 && isAscii(comment) ? { comment: comment.toString('latin1') } : {}),
  }
}

const isUnix = (versionMadeBy: number): boolean => [3, 19].includes(versionMadeBy >>> 8)

const kindOf = ({ raw, isFolder, isSpecial }: ArchiveEntry): MemberKind => {
  if (!isSpecial) return isFolder ? 'folder' : 'file'
  return ((raw.externalFileAttributes >>> 16) & 0o170000) === 0o120000 ? 'link' : 'special'
}

/** Some tools also note the time in UTC; the other is that of the clock where it was packed. */
const readTime = ({ raw }: ArchiveEntry): string => {
  const hasZone = raw.extraFields.some(({ id }) => id === 0x5455 || id === 0x000a)
  const time = raw.getLastModDate({ timezone: 'UTC' })
  if (Number.isNaN(time.getTime())) return ''
  const text = time.toISOString().slice(0, 19)
  return hasZone ? `${text}Z` : text
}

async function* readContents(
  file: ArchiveFile,
  members: readonly Member[],
  wanted: (member: Member) => boolean,
  context: Context,
): AsyncGenerator<Content> {
  const archive = await openArchive(file.path, LIMITS)
  try {
    for (const [index, entry] of archive.entries.entries()) {
      const member = members[index]
      if (member?.kind !== 'file' || !wanted(member)) continue
      yield { member, chunks: readEntry(archive.packed(entry), entry, file.password, context) }
    }
  } finally {
    archive.close()
  }
}

async function* readEntry(
  packed: AsyncIterable<Buffer>,
  entry: ArchiveEntry,
  password: string,
  context: Context,
): AsyncGenerator<Buffer> {
  const encryption = entry.isEncrypted ? findEncryption(entry) : undefined
  if (entry.isEncrypted && (!encryption || !password)) throw new JobFailure('extract.source_encrypted')
  const method = encryption?.scheme === 'aes' ? encryption.method : entry.raw.compressionMethod
  const plain = encryption ? decrypt(packed, entry, encryption, password) : packed
  let bytes = 0
  try {
    for await (const chunk of unpackEntry(plain, method, entry, context)) {
      bytes += chunk.length
      if (bytes > entry.bytes) break
      yield chunk
    }
  } catch (error) {
    if (error instanceof WrongPassword) throw new JobFailure('extract.source_encrypted')
    const isLibrary = (error as NodeJS.ErrnoException).code?.startsWith('Z')
    throw isLibrary ? unreadable('compression', 'An entry of the archive is damaged.', error) : error
  }
  if (bytes !== entry.bytes) throw unreadable('entry-size', 'An entry of the archive is not as large as it says.')
}
