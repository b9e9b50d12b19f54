import { closeSync, openSync, writeSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Source } from '../../../../core/catalog.ts'
import { JobFailure } from '../../../../core/errors.ts'
import { overLimit } from '../../decode.ts'
import { readHead } from '../../legacy/read-head.ts'
import { type CompoundFile, type CompoundStream, isCompoundFile, openCompoundFile } from '../../ole/compound-file.ts'
import { perSource } from '../../per-source.ts'
import { makePause } from '../../read-chunks.ts'
import { decryptSegment, deriveKey } from './derive-key.ts'
import { type Encryption, readEncryptionInfo, unsupported } from './encryption-info.ts'

const PACKAGE = 'EncryptedPackage'
const INFO = 'EncryptionInfo'
const MAX_INFO_BYTES = 65_536
/** The size of the package stands before it. */
const PACKAGE_AT = 8
const SEGMENT_BYTES = 4_096
const SEGMENTS_AT_ONCE = 64
const MAX_PACKAGE_BYTES = 2 * 1024 ** 3

/**
 * The file as it is without its password: the source itself, or what was decrypted into a file of the job, once for all
 * capabilities. The key is the password.
 */
export const unlockPackage = perSource(async (source: Source, context: Context, password: string): Promise<Source> => {
  if (!isCompoundFile(await readHead(source, 8))) return source
  const file = openCompoundFile(source.path)
  try {
    const content = file.open(PACKAGE)
    return content ? await unlock(source, file, content, context, password) : source
  } finally {
    file.close()
  }
})

const unlock = async (
  source: Source,
  file: CompoundFile,
  content: CompoundStream,
  context: Context,
  password: string,
): Promise<Source> => {
  if (password === '') throw new JobFailure('extract.source_encrypted')
  const info = file.open(INFO)
  if (!info) throw unsupported()
  const encryption = await readEncryptionInfo(info.read(0, MAX_INFO_BYTES))
  const pause = makePause(context)
  const key = await deriveKey(encryption, password, () => {
    context.progress(0)
    return pause()
  })
  if (!key) {
    throw new JobFailure(
      'extract.source_encrypted',
      { reason: 'wrong-password' },
      { detail: 'The password does not open the file.' },
    )
  }
  const path = join(await mkdtemp(join(context.scratch, 'unlocked-')), `source.${source.extension}`)
  return { ...source, path, bytes: await writePackage(content, path, encryption, key, context) }
}

const writePackage = async (
  content: CompoundStream,
  path: string,
  encryption: Encryption,
  key: Buffer,
  context: Context,
): Promise<number> => {
  const head = content.read(0, PACKAGE_AT)
  const stated = head.length < PACKAGE_AT ? 0 : Number(head.readBigUInt64LE(0))
  if (stated > MAX_PACKAGE_BYTES) throw overLimit('packageBytes', MAX_PACKAGE_BYTES)
  if (stated === 0 || stated > content.bytes - PACKAGE_AT) throw new JobFailure('extract.source_unreadable')
  const pause = makePause(context)
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    for (let written = 0, index = 0; written < stated; ) {
      const batch = content.read(PACKAGE_AT + written, SEGMENT_BYTES * SEGMENTS_AT_ONCE)
      if (batch.length === 0) throw new JobFailure('extract.source_unreadable')
      for (let at = 0; at < batch.length && written < stated; at += SEGMENT_BYTES, index++) {
        const plain = decryptSegment(encryption, key, index, batch.subarray(at, at + SEGMENT_BYTES))
        if (plain.length === 0) throw new JobFailure('extract.source_unreadable')
        const kept = plain.subarray(0, stated - written)
        writeSync(descriptor, kept)
        written += kept.length
      }
      context.progress(0)
      await pause()
    }
  } finally {
    closeSync(descriptor)
  }
  return stated
}
