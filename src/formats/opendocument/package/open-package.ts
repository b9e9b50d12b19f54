import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { overLimit } from '../../shared/decode.ts'
import { perSource } from '../../shared/per-source.ts'
import { readChunks } from '../../shared/read-chunks.ts'
import { type Archive, type ArchiveLimits, openArchive } from '../../shared/zip/open-archive.ts'
import { startsAsZip } from '../../shared/zip/starts-as-zip.ts'
import { createDecryptor } from './decrypt.ts'
import { type Encryption, type Manifest, readManifest } from './manifest.ts'

/** An OpenDocument file: parts in an archive, or one XML file that holds them all. */
export type OdfPackage = {
  readonly isFlat: boolean
  readonly isEncrypted: boolean
  readonly parts: readonly { name: string; bytes: number }[]
  has(name: string): boolean
  /** Content of a part as it comes; of a flat file the whole. */
  open(name: string, maximumBytes: number): Promise<Uint8Array | AsyncIterable<Uint8Array>>
  /** Content of a part at once. */
  read(name: string, maximumBytes: number): Promise<Buffer>
  close(): void
}

const LIMITS: ArchiveLimits = { entries: 30_000, totalBytes: 4 * 1024 ** 3, ratio: 200 }
const MAX_MANIFEST_BYTES = 16 * 1024 ** 2
/** Below this a part is unpacked at once, which is cheaper than as a stream. */
const WHOLE_UP_TO_BYTES = 4 * 1024 ** 2
/** A flat file has its pictures inside, as text. */
const MAX_FLAT_BYTES = 128 * 1024 ** 2
/** Nothing needs to be read more than a few times. */
const READS_OF_ALL_PARTS = 4
const MIN_PARTS_BYTES = 96 * 1024 ** 2
const MAX_WHOLE_BYTES = 512 * 1024 ** 2
const ENCRYPTED_PACKAGE = 'encrypted-package'

const unreadable = (reason: string, detail: string): JobFailure =>
  new JobFailure('extract.source_unreadable', { reason }, { detail })

/** Opens an OpenDocument file. The caller closes it. */
export const openOdf = async (source: Source, password: string, context: Context): Promise<OdfPackage> => {
  if (!startsAsZip(source.path)) return openFlat(source, context)
  const archive = await openArchive(source.path, LIMITS)
  try {
    const manifest = await findManifest(archive)
    if (!manifest.encrypted.has(ENCRYPTED_PACKAGE)) return await openParts(archive, manifest, password)
  } catch (error) {
    archive.close()
    throw error
  }
  archive.close()
  const inner = await openArchive(await decryptWhole(source, context, password), LIMITS)
  try {
    return { ...(await openParts(inner, await findManifest(inner), '')), isEncrypted: true }
  } catch (error) {
    inner.close()
    throw error
  }
}

/** Newer programs encrypt the archive as a whole and put it into another one. Gives the file that it was written to. */
const decryptWhole = perSource(async (source: Source, context: Context, password): Promise<string> => {
  const archive = await openArchive(source.path, LIMITS)
  try {
    const manifest = await findManifest(archive)
    const entry = archive.find(ENCRYPTED_PACKAGE)
    const encryption = manifest.encrypted.get(ENCRYPTED_PACKAGE)
    if (!entry || !encryption) throw unreadable('part-missing', 'The file lacks its encrypted content.')
    const content = await archive.read(entry, MAX_WHOLE_BYTES)
    const path = join(await mkdtemp(join(context.scratch, 'odf-')), 'package.zip')
    await writeFile(path, await createDecryptor(password)(content, encryption, MAX_WHOLE_BYTES))
    return path
  } finally {
    archive.close()
  }
})

const openFlat = (source: Source, context: Context): OdfPackage => {
  if (!source.extension.startsWith('f')) {
    throw unreadable('not-zip', 'The file is not a ZIP archive, or its end is missing.')
  }
  if (source.bytes > MAX_FLAT_BYTES) throw overLimit('documentBytes', MAX_FLAT_BYTES)
  return {
    isFlat: true,
    isEncrypted: false,
    parts: [],
    has: (name) => name === 'content.xml',
    open: async () => readChunks(source, context, [0, 0.9]),
    read: () => Promise.reject(new Error('A flat file has no parts')),
    close: () => undefined,
  }
}

const openParts = async (archive: Archive, manifest: Manifest, password: string): Promise<OdfPackage> => {
  if (archive.entries.some(({ isSafe }) => !isSafe)) {
    throw unreadable('entry-name', 'The file holds parts whose names lead outside of it.')
  }
  if (!archive.find('content.xml')) throw unreadable('no-document', 'The archive holds no OpenDocument file.')
  const decrypt = createDecryptor(password)
  const encryptionOf = (name: string): Encryption | undefined => manifest.encrypted.get(name)
  const maximumSpent = Math.max(
    MIN_PARTS_BYTES,
    READS_OF_ALL_PARTS * archive.entries.reduce((sum, { bytes }) => sum + bytes, 0),
  )
  let spentBytes = 0
  const find = (name: string, maximumBytes: number) => {
    const entry = archive.find(name)
    if (!entry || entry.isFolder) throw unreadable('part-missing', `The file lacks ${name}.`)
    const bytes = Math.max(entry.bytes, encryptionOf(name)?.bytes ?? 0)
    if (bytes > maximumBytes) throw overLimit('partBytes', maximumBytes)
    spentBytes += bytes
    if (spentBytes > maximumSpent) throw overLimit('partsBytes', maximumSpent)
    return entry
  }
  const file: OdfPackage = {
    isFlat: false,
    isEncrypted: manifest.encrypted.size > 0,
    parts: archive.entries
      .filter(({ isFolder, isSpecial }) => !isFolder && !isSpecial)
      .map(({ name, bytes }) => ({ name, bytes: encryptionOf(name)?.bytes || bytes })),
    has: (name) => archive.find(name) !== undefined,
    async open(name, maximumBytes) {
      const entry = find(name, maximumBytes)
      const encryption = encryptionOf(name)
      if (encryption) return await decrypt(await archive.read(entry, maximumBytes), encryption, maximumBytes)
      return entry.bytes <= WHOLE_UP_TO_BYTES ? await archive.read(entry, WHOLE_UP_TO_BYTES * 2) : archive.stream(entry)
    },
    async read(name, maximumBytes) {
      const content = await archive.read(find(name, maximumBytes), maximumBytes)
      const encryption = encryptionOf(name)
      return encryption ? await decrypt(content, encryption, maximumBytes) : content
    },
    close: archive.close,
  }
  return file
}

const findManifest = async (archive: Archive): Promise<Manifest> => {
  const entry = archive.find('META-INF/manifest.xml')
  if (!entry) return { mediaType: '', encrypted: new Map() }
  return await readManifest(await archive.read(entry, MAX_MANIFEST_BYTES))
}
