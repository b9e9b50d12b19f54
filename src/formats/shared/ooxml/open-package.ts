import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { posix } from 'node:path'
import type { Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { overLimit } from '../decode.ts'
import { type Archive, type ArchiveLimits, openArchive } from '../zip/open-archive.ts'
import { findByType, type OfficePackage, type Relationship, type Relationships } from './package.ts'
import { readChildren } from './read-part.ts'

const LIMITS: ArchiveLimits = { entries: 30_000, totalBytes: 4 * 1024 ** 3, ratio: 150 }
/** Nothing needs to be read more than a few times; parts that refer to each other in circles do not go on forever. */
const READS_OF_ALL_PARTS = 3
const MIN_PARTS_BYTES = 96 * 1024 ** 2
const MAX_RELATIONSHIPS = 100_000
/** Where to look in a file that lost the relationship to its document. */
const USUAL_MAIN_PARTS = ['word/document.xml', 'ppt/presentation.xml', 'xl/workbook.xml']

/** Opens an Office file and finds its main part. The caller closes it. */
export const openPackage = async (source: Source): Promise<OfficePackage> => {
  await refuseCompoundFile(source.path)
  const archive = await openArchive(source.path, LIMITS)
  try {
    return await openParts(archive)
  } catch (error) {
    archive.close()
    throw error
  }
}

const openParts = async (archive: Archive): Promise<OfficePackage> => {
  if (archive.entries.some(({ isSafe }) => !isSafe)) {
    throw new JobFailure(
      'extract.source_unreadable',
      { reason: 'entry-name' },
      { detail: 'The file holds parts whose names lead outside of it.' },
    )
  }
  const known = new Map<string, Promise<Relationships>>()
  const allBytes = archive.entries.reduce((sum, { bytes }) => sum + bytes, 0)
  const maximumSpent = Math.max(MIN_PARTS_BYTES, READS_OF_ALL_PARTS * allBytes)
  let spentBytes = 0
  const file: OfficePackage = {
    archive,
    mainPart: '',
    relationships: new Map(),
    relationshipsOf(part) {
      const found = known.get(part) ?? readRelationships(file, part)
      known.set(part, found)
      return found
    },
    spend(bytes, maximumBytes) {
      if (bytes > maximumBytes) throw overLimit('partBytes', maximumBytes)
      spentBytes += bytes
      if (spentBytes > maximumSpent) throw overLimit('partsBytes', maximumSpent)
    },
    close: archive.close,
  }
  const relationships = await readRelationships(file, '')
  const named = findByType(relationships, 'officeDocument')?.target
  const mainPart = [named, ...USUAL_MAIN_PARTS].find((part) => part !== undefined && archive.find(part))
  if (mainPart === undefined) {
    throw new JobFailure(
      'extract.source_unreadable',
      { reason: 'no-document' },
      { detail: 'The archive holds no Office document.' },
    )
  }
  return Object.assign(file, { mainPart, relationships })
}

const readRelationships = async (file: OfficePackage, part: string): Promise<Relationships> => {
  const folder = posix.dirname(part)
  const name = part === '' ? '_rels/.rels' : posix.join(folder, '_rels', `${posix.basename(part)}.rels`)
  const found = new Map<string, Relationship>()
  await readChildren(file, name, ({ name: kind, attributes }) => {
    const { Id: id, Type: type, Target: target, TargetMode: mode } = attributes
    if (kind !== 'rel:Relationship' || id === undefined || type === undefined || target === undefined) return
    if (found.size >= MAX_RELATIONSHIPS) throw overLimit('relationships', MAX_RELATIONSHIPS)
    const isExternal = mode === 'External'
    const shortType = type.slice(type.lastIndexOf('/') + 1)
    found.set(id, { id, type: shortType, target: isExternal ? target : resolveTarget(folder, target), isExternal })
  })
  return found
}

/** The name of a part as another part in `folder` writes it; anything that leads outside becomes a name that is nowhere. */
const resolveTarget = (folder: string, target: string): string => {
  const [path = ''] = target.replaceAll('\\', '/').split('#')
  let decoded = path
  try {
    decoded = decodeURIComponent(path)
  } catch {
    // A stray percent sign is part of the name.
  }
  const joined = decoded.startsWith('/') ? decoded : posix.join('/', folder, decoded)
  return posix.normalize(joined).replace(/^\/+/, '')
}

const COMPOUND_SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const ENCRYPTED_STREAM = Buffer.from('EncryptedPackage', 'utf16le')

/** An Office file with a password is a compound file around the encrypted archive. */
const refuseCompoundFile = async (path: string): Promise<void> => {
  if (!readHead(path).equals(COMPOUND_SIGNATURE)) return
  for await (const chunk of overlapping(createReadStream(path, { highWaterMark: 1024 ** 2 }))) {
    if (chunk.includes(ENCRYPTED_STREAM)) throw new JobFailure('extract.source_encrypted')
  }
  throw new JobFailure(
    'extract.source_unreadable',
    { reason: 'old-format' },
    { detail: 'The file is of the format before Office 2007, whatever its extension says.' },
  )
}

const readHead = (path: string): Buffer => {
  const head = Buffer.alloc(COMPOUND_SIGNATURE.length)
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, head, 0, head.length, 0)
  } finally {
    closeSync(descriptor)
  }
  return head
}

/** Chunks that begin with the end of the one before, so that nothing searched for is cut in two. */
async function* overlapping(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const joined = Buffer.concat([rest, chunk])
    yield joined
    rest = Buffer.from(joined.subarray(-ENCRYPTED_STREAM.length))
  }
}

export { findByType, type OfficePackage, type Relationship, type Relationships } from './package.ts'
