import { closeSync, openSync, readSync } from 'node:fs'
import type { Context, Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import { detectSignature } from '../../core/signatures.ts'
import { ProgramFailure } from '../../engines/run-program.ts'
import { perSource } from '../shared/per-source.ts'
import { fromStream } from './byte-source.ts'
import { unreadable } from './limits.ts'
import type { ArchiveFile, ArchiveReader } from './member.ts'
import { openRar } from './readers/rar.ts'
import { openByProgram } from './readers/seven-zip.ts'
import { openSingle } from './readers/single.ts'
import { openTar } from './readers/tar.ts'
import { BLOCK_BYTES, parseHeader } from './readers/tar-header.ts'
import { openZip } from './readers/zip.ts'
import { type Compression, unpack } from './unpack.ts'

/** Looks through a source, once for all capabilities; what kept parts of it back is said once for each. */
export const openSource = async (source: Source, password: string, context: Context): Promise<ArchiveReader> => {
  const reader = await readOnce(source, context, password)
  for (const { code, detail } of reader.problems) context.warn(code, detail)
  return reader
}

const readOnce = perSource((source: Source, context: Context, password): Promise<ArchiveReader> => {
  const { path, name, extension, bytes } = source
  return openArchiveFile({ path, name, extension, bytes, password }, context)
})

/** Looks through an archive of any kind; what it is, its bytes say, not its name. */
export const openArchiveFile = async (file: ArchiveFile, context: Context): Promise<ArchiveReader> => {
  try {
    return await openByContent(file, context)
  } catch (error) {
    throw explainMissing(error)
  }
}

/** A program that is not installed is named to the client: nobody else can help. */
export const explainMissing = (error: unknown): unknown =>
  error instanceof ProgramFailure && error.reason === 'missing'
    ? new JobFailure(
        'extract.engine_failed',
        { tool: error.message.split(':')[0] },
        { detail: 'This kind of archive needs a program that is not installed here.', cause: error },
      )
    : error

const openByContent = async (file: ArchiveFile, context: Context): Promise<ArchiveReader> => {
  const head = readAt(file.path, 0, BLOCK_BYTES)
  const signature = detectSignature(head)
  switch (signature) {
    case 'zip':
      return await openZip(file, context)
    case '7z':
    case 'cab':
      return await openByProgram(file, signature, context)
    case 'rar':
      return await openRar(file, context)
    case 'gzip':
    case 'bzip2':
    case 'xz':
    case 'zstd':
      return await openCompressed(file, signature, context)
  }
  if (parseHeader(head)) return await openTar(file, undefined, context)
  if (file.bytes > DISC_AT) {
    const image = await openDiscImage(file, context)
    if (image) return image
  }
  // Something may stand before the archive: a program that unpacks itself, the picture it hides in.
  if (file.extension !== 'tar') return await openZip(file, context)
  throw unreadable('not-archive', 'The file is not an archive of a kind that is known.')
}

/** A tar where that is what is compressed. */
const openCompressed = async (
  file: ArchiveFile,
  compression: Compression,
  context: Context,
): Promise<ArchiveReader> => {
  const bytes = fromStream(unpack(file, compression, context))
  try {
    const first = await bytes.read(BLOCK_BYTES).catch((error) => {
      if (error instanceof JobFailure && error.code === 'extract.source_unreadable') return Buffer.alloc(0)
      throw error
    })
    return parseHeader(first) ? await openTar(file, compression, context) : await openSingle(file, compression, context)
  } finally {
    await bytes.close()
  }
}

/** The descriptors of a disc begin at its sixteenth sector. */
const DISC_AT = 32_768
const SECTOR_BYTES = 2_048
const MAX_DESCRIPTORS = 16

const openDiscImage = async (file: ArchiveFile, context: Context): Promise<ArchiveReader | undefined> => {
  const sectors = readAt(file.path, DISC_AT, SECTOR_BYTES * MAX_DESCRIPTORS)
  const names = Array.from({ length: MAX_DESCRIPTORS }, (_, i) =>
    sectors.toString('latin1', i * SECTOR_BYTES + 1, i * SECTOR_BYTES + 6),
  )
  // Where a disc has both, the older directory may hold nothing but a note that says so.
  if (names.includes('NSR02') || names.includes('NSR03')) {
    const reader = await openByProgram(file, 'udf', context).catch(keepMissing)
    if (reader && reader.members.length > 0) return reader
  }
  return names.includes('CD001') ? await openByProgram(file, 'iso', context) : undefined
}

const keepMissing = (error: unknown): undefined => {
  if (error instanceof ProgramFailure) throw error
}

const readAt = (path: string, at: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  const descriptor = openSync(path, 'r')
  try {
    return buffer.subarray(0, readSync(descriptor, buffer, 0, bytes, at))
  } finally {
    closeSync(descriptor)
  }
}
