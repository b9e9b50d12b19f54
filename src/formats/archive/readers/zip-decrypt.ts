import { createCipheriv, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { ArchiveEntry } from '../../shared/zip/open-archive.ts'
import { cutOff, fromStream } from '../byte-source.ts'
import { unreadable } from '../limits.ts'

/** How an entry of a ZIP archive is encrypted, and what is under it. */
export type Encryption =
  | { scheme: 'zip-crypto' }
  | { scheme: 'aes'; strength: 1 | 2 | 3; method: number; hasCrc: boolean }

const AES_FIELD = 0x9901

/** Reads the encryption off the record of an entry; undefined where it is of another kind. */
export const findEncryption = ({ raw }: ArchiveEntry): Encryption | undefined => {
  const isStrong = (raw.generalPurposeBitFlag & 0x40) !== 0
  if (raw.compressionMethod !== 99) return isStrong ? undefined : { scheme: 'zip-crypto' }
  const data = raw.extraFields.find(({ id }) => id === AES_FIELD)?.data
  const strength = data && data.length >= 7 ? data[4] : undefined
  if (!data || (strength !== 1 && strength !== 2 && strength !== 3)) return undefined
  return { scheme: 'aes', strength, method: data.readUInt16LE(5), hasCrc: data.readUInt16LE(0) === 1 }
}

/** The password does not fit. */
export class WrongPassword extends Error {
  override readonly name = 'WrongPassword'
}

/** The compressed content of an encrypted entry. */
export const decrypt = (
  packed: AsyncIterable<Buffer>,
  entry: ArchiveEntry,
  encryption: Encryption,
  password: string,
): AsyncGenerator<Buffer> =>
  encryption.scheme === 'aes'
    ? decryptAes(packed, entry.compressedBytes, encryption.strength, password)
    : decryptClassic(packed, entry, password)

const VERIFIER_BYTES = 2
const CODE_BYTES = 10
const ROUNDS = 1_000
const BLOCK_BYTES = 16
/** Blocks of the key stream that are made at once. */
const BATCH_BLOCKS = 4_096

async function* decryptAes(
  packed: AsyncIterable<Buffer>,
  packedBytes: number,
  strength: 1 | 2 | 3,
  password: string,
): AsyncGenerator<Buffer> {
  const keyBytes = 8 + strength * 8
  const saltBytes = 4 + strength * 4
  const contentBytes = packedBytes - saltBytes - VERIFIER_BYTES - CODE_BYTES
  if (contentBytes < 0) throw cutOff()
  const source = fromStream(packed)
  const salt = await source.read(saltBytes)
  const verifier = await source.read(VERIFIER_BYTES)
  const keys = pbkdf2Sync(password, salt, ROUNDS, keyBytes * 2 + VERIFIER_BYTES, 'sha1')
  if (!keys.subarray(keyBytes * 2).equals(verifier)) throw new WrongPassword()
  const mac = createHmac('sha1', keys.subarray(keyBytes, keyBytes * 2))
  const cipher = createCipheriv(`aes-${keyBytes * 8}-ecb`, keys.subarray(0, keyBytes), null).setAutoPadding(false)
  let counter = 1
  let stream: Buffer = Buffer.alloc(0)
  for await (const piece of source.pieces(contentBytes)) {
    mac.update(piece)
    const plain = Buffer.allocUnsafe(piece.length)
    for (let i = 0; i < piece.length; i++) {
      if (stream.length === 0) {
        const blocks = Buffer.alloc(BATCH_BLOCKS * BLOCK_BYTES)
        // The counter runs from its first byte on, which no ready-made mode of the cipher does.
        for (let k = 0; k < BATCH_BLOCKS; k++) blocks.writeUIntLE(counter++, k * BLOCK_BYTES, 6)
        stream = cipher.update(blocks)
      }
      const run = Math.min(stream.length, piece.length - i)
      for (let k = 0; k < run; k++) plain[i + k] = (piece[i + k] as number) ^ (stream[k] as number)
      stream = stream.subarray(run)
      i += run - 1
    }
    yield plain
  }
  const code = await source.read(CODE_BYTES)
  if (code.length < CODE_BYTES) throw cutOff()
  if (!timingSafeEqual(mac.digest().subarray(0, CODE_BYTES), code)) {
    throw unreadable('authentication', 'An encrypted entry was changed or is damaged.')
  }
}

const CLASSIC_HEADER_BYTES = 12

async function* decryptClassic(
  packed: AsyncIterable<Buffer>,
  { raw }: ArchiveEntry,
  password: string,
): AsyncGenerator<Buffer> {
  const keys = createClassicKeys(Buffer.from(password))
  const source = fromStream(packed)
  const header = keys.decrypt(await source.read(CLASSIC_HEADER_BYTES))
  // Written before the content was known, the check is against the time.
  const check = raw.generalPurposeBitFlag & 8 ? raw.lastModFileTime >>> 8 : raw.crc32 >>> 24
  if (header[CLASSIC_HEADER_BYTES - 1] !== (check & 0xff)) throw new WrongPassword()
  for await (const piece of source.pieces(Math.max(0, raw.compressedSize - CLASSIC_HEADER_BYTES))) {
    yield keys.decrypt(piece)
  }
}

/** One step of the checksum for each value of a byte. */
const CRC_TABLE = Uint32Array.from(
  { length: 256 },
  (_, byte) => (crc32(Buffer.from([byte]), 0xffffffff) ^ 0xffffffff) >>> 0,
)

const createClassicKeys = (password: Buffer) => {
  let first = 0x12345678
  let second = 0x23456789
  let third = 0x34567890
  const stir = (crc: number, byte: number) => (CRC_TABLE[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8)
  const update = (byte: number) => {
    first = stir(first, byte)
    second = (Math.imul(second + (first & 0xff), 134_775_813) + 1) | 0
    third = stir(third, second >>> 24)
  }
  for (const byte of password) update(byte)
  return {
    decrypt(bytes: Buffer): Buffer {
      const plain = Buffer.allocUnsafe(bytes.length)
      for (let i = 0; i < bytes.length; i++) {
        const mixed = (third | 2) & 0xffff
        const byte = (bytes[i] as number) ^ ((Math.imul(mixed, mixed ^ 1) >>> 8) & 0xff)
        plain[i] = byte
        update(byte)
      }
      return plain
    },
  }
}
