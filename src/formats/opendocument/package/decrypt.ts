import { argon2, createDecipheriv, createHash, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { inflateRawSync } from 'node:zlib'
import { JobFailure } from '../../../core/errors.ts'
import { overLimit } from '../../shared/decode.ts'
import type { Encryption } from './manifest.ts'

/** Office programs use 100,000; a file that asks for many more is there to keep us busy. */
const MAX_ITERATIONS = 2_000_000
/** Every part has a key of its own. */
const MAX_ALL_ITERATIONS = 100_000_000
const MAX_ARGON_MEMORY_KIB = 262_144
const MAX_ARGON_PASSES = 20
const MAX_ARGON_LANES = 16
/** The checksum is of the first bytes alone. */
const CHECKSUM_BYTES = 1024

const deriveByPbkdf2 = promisify(pbkdf2)
const deriveByArgon2 = promisify(argon2)

/** Decrypts entries with one password. Keys are remembered: each costs a tenth of a second or more. */
export const createDecryptor = (password: string) => {
  const keys = new Map<string, Promise<Buffer>>()
  let spentIterations = 0
  const keyOf = (encryption: Encryption): Promise<Buffer> => {
    const { derivation, salt, iterations, keyBytes, startKey } = encryption
    const name = [derivation, startKey, iterations, keyBytes, salt.toString('hex')].join(' ')
    const known = keys.get(name)
    if (known) return known
    spentIterations += iterations
    if (spentIterations > MAX_ALL_ITERATIONS) throw overLimit('keyIterations', MAX_ALL_ITERATIONS)
    const made = deriveKey(password, encryption)
    keys.set(name, made)
    return made
  }
  return async (content: Buffer, encryption: Encryption, maximumBytes: number): Promise<Buffer> => {
    if (password === '') throw new JobFailure('extract.source_encrypted')
    const packed = decipher(content, encryption, await keyOf(encryption))
    checkPassword(packed, encryption)
    // An archive encrypted as a whole is not packed once more.
    if (packed.toString('latin1', 0, 4) === 'PK\u0003\u0004') return packed
    return inflate(packed, Math.min(maximumBytes, encryption.bytes > 0 ? encryption.bytes : maximumBytes))
  }
}

const unsupported = (method: string): JobFailure =>
  new JobFailure(
    'extract.source_encrypted',
    { method },
    { detail: 'The file is encrypted by a method that cannot be read.' },
  )
const wrongPassword = (cause?: unknown): JobFailure =>
  new JobFailure('extract.source_encrypted', {}, { detail: 'The password does not open the file.', cause })

const DIGESTS: Readonly<Record<string, string>> = {
  sha1: 'sha1',
  sha256: 'sha256',
  'sha256-1k': 'sha256',
  'sha1-1k': 'sha1',
}

const deriveKey = async (password: string, encryption: Encryption): Promise<Buffer> => {
  const { derivation, salt, iterations, keyBytes, startKey, argon } = encryption
  const digest = DIGESTS[startKey]
  if (!digest) throw unsupported(startKey)
  if (![16, 24, 32].includes(keyBytes)) throw unsupported(`key of ${keyBytes} bytes`)
  const start = createHash(digest).update(password, 'utf8').digest()
  if (derivation === 'pbkdf2') {
    if (iterations > MAX_ITERATIONS) throw overLimit('keyIterations', MAX_ITERATIONS)
    return await deriveByPbkdf2(start, salt, iterations, keyBytes, 'sha1')
  }
  if (derivation !== 'argon2id') throw unsupported(derivation)
  const { passes, memory, lanes } = argon
  if (memory > MAX_ARGON_MEMORY_KIB) throw overLimit('keyMemoryKib', MAX_ARGON_MEMORY_KIB)
  if (passes > MAX_ARGON_PASSES || lanes > MAX_ARGON_LANES) throw overLimit('keyIterations', MAX_ARGON_PASSES)
  if (passes < 1 || lanes < 1 || memory < 8 * lanes || salt.length < 8) throw unsupported(derivation)
  const parameters = { message: start, nonce: salt, parallelism: lanes, tagLength: keyBytes, memory, passes }
  return Buffer.from(await deriveByArgon2('argon2id', parameters))
}

const GCM_VECTOR_BYTES = 12
const GCM_TAG_BYTES = 16

const decipher = (content: Buffer, { algorithm, vector }: Encryption, key: Buffer): Buffer => {
  try {
    if (algorithm === `aes${key.length * 8}-cbc`) {
      const cipher = createDecipheriv(`aes-${key.length * 8}-cbc` as 'aes-256-cbc', key, vector)
      // Padding is by the rule of XML encryption: only its last byte counts.
      cipher.setAutoPadding(false)
      const plain = Buffer.concat([cipher.update(content), cipher.final()])
      const padding = plain.at(-1) ?? 0
      if (padding < 1 || padding > 16) throw wrongPassword()
      return plain.subarray(0, plain.length - padding)
    }
    if (algorithm === `aes${key.length * 8}-gcm`) {
      // The vector stands before the content, as XML encryption asks.
      const start = content.subarray(0, GCM_VECTOR_BYTES)
      const cipher = createDecipheriv(`aes-${key.length * 8}-gcm` as 'aes-256-gcm', key, start, {
        authTagLength: GCM_TAG_BYTES,
      })
      cipher.setAuthTag(content.subarray(-GCM_TAG_BYTES))
      return Buffer.concat([cipher.update(content.subarray(GCM_VECTOR_BYTES, -GCM_TAG_BYTES)), cipher.final()])
    }
  } catch (error) {
    throw error instanceof JobFailure ? error : wrongPassword(error)
  }
  throw unsupported(algorithm)
}

const checkPassword = (packed: Buffer, { checksum }: Encryption): void => {
  const digest = checksum && DIGESTS[checksum.type.replace(/[/_]/g, '-')]
  if (!checksum || !digest) return
  const part = /1k/.test(checksum.type) ? packed.subarray(0, CHECKSUM_BYTES) : packed
  if (!createHash(digest).update(part).digest().equals(checksum.value)) throw wrongPassword()
}

const inflate = (packed: Buffer, maximumBytes: number): Buffer => {
  try {
    return inflateRawSync(packed, { maxOutputLength: maximumBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw overLimit('entryBytes', maximumBytes)
    throw wrongPassword(error)
  }
}
