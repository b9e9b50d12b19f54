import { createDecipheriv, hash } from 'node:crypto'
import type { AgileEncryption, CipherFacts, Encryption, HashName, StandardEncryption } from './encryption-info.ts'

/** Purposes that keys are derived for, as the file format names them. */
const [VERIFIER_INPUT, VERIFIER_HASH, CONTENT_KEY] = ['fea7d2763b4b9e79', 'd7aa0f6d3061344e', '146e0be7abacd0d6'].map(
  (hex) => Buffer.from(hex, 'hex'),
) as [Buffer, Buffer, Buffer]
const STANDARD_SPIN_COUNT = 50_000
const PAUSE_EVERY = 20_000
/** What a hash that is too short for a key is filled up with. */
const FILLER = 0x36

const digest = (name: HashName, ...parts: readonly Buffer[]): Buffer => hash(name, Buffer.concat(parts), 'buffer')

/** The key of the package; undefined where the password is another one. */
export const deriveKey = async (
  encryption: Encryption,
  password: string,
  pause: () => Promise<void> | undefined,
): Promise<Buffer | undefined> =>
  encryption.kind === 'agile'
    ? await deriveAgileKey(encryption, password, pause)
    : await deriveStandardKey(encryption, password, pause)

const deriveAgileKey = async (
  { key }: AgileEncryption,
  password: string,
  pause: () => Promise<void> | undefined,
): Promise<Buffer | undefined> => {
  const spun = await spin(key.hash, key.salt, password, key.spinCount, pause)
  const open = (purpose: Buffer, content: Buffer): Buffer =>
    decrypt(key, stretch(digest(key.hash, spun, purpose), key.keyBytes), stretch(key.salt, key.blockBytes), content)
  const input = open(VERIFIER_INPUT, key.verifierInput)
  const expected = digest(key.hash, input.subarray(0, key.salt.length))
  const found = open(VERIFIER_HASH, key.verifierHash).subarray(0, expected.length)
  return expected.equals(found) ? open(CONTENT_KEY, key.encryptedKey) : undefined
}

const deriveStandardKey = async (
  { salt, keyBytes, verifier, verifierHash }: StandardEncryption,
  password: string,
  pause: () => Promise<void> | undefined,
): Promise<Buffer | undefined> => {
  const spun = await spin('sha1', salt, password, STANDARD_SPIN_COUNT, pause)
  const base = digest('sha1', spun, Buffer.alloc(4))
  const widen = (filler: number): Buffer =>
    digest('sha1', Buffer.alloc(64, filler).map((byte, i) => byte ^ (base[i] ?? 0)) as Buffer)
  const key = Buffer.concat([widen(FILLER), widen(0x5c)]).subarray(0, keyBytes)
  const expected = digest('sha1', decryptBlocks(key, verifier))
  return expected.equals(decryptBlocks(key, verifierHash).subarray(0, expected.length)) ? key : undefined
}

/** Hashes the password so often that guessing is slow. */
const spin = async (
  name: HashName,
  salt: Buffer,
  password: string,
  count: number,
  pause: () => Promise<void> | undefined,
): Promise<Buffer> => {
  let state = digest(name, salt, Buffer.from(password, 'utf16le'))
  const round = Buffer.alloc(4 + state.length)
  for (let i = 0; i < count; i++) {
    round.writeUInt32LE(i, 0)
    state.copy(round, 4)
    state = hash(name, round, 'buffer')
    if (i % PAUSE_EVERY === 0) await pause()
  }
  return state
}

const stretch = (bytes: Buffer, length: number): Buffer =>
  bytes.length >= length
    ? bytes.subarray(0, length)
    : Buffer.concat([bytes, Buffer.alloc(length - bytes.length, FILLER)])

/** Decrypts whole blocks of what is encrypted as `facts` say. */
const decrypt = (facts: CipherFacts, key: Buffer, vector: Buffer, content: Buffer): Buffer => {
  const cipher = createDecipheriv(`aes-${facts.keyBytes * 8}-${facts.chaining}`, key, vector)
  cipher.setAutoPadding(false)
  return Buffer.concat([cipher.update(content.subarray(0, content.length - (content.length % 16))), cipher.final()])
}

const decryptBlocks = (key: Buffer, content: Buffer): Buffer => {
  const cipher = createDecipheriv(`aes-${key.length * 8}-ecb`, key, null)
  cipher.setAutoPadding(false)
  return Buffer.concat([cipher.update(content.subarray(0, content.length - (content.length % 16))), cipher.final()])
}

/** Decrypts one segment of the package. */
export const decryptSegment = (encryption: Encryption, key: Buffer, index: number, segment: Buffer): Buffer => {
  if (encryption.kind === 'standard') return decryptBlocks(key, segment)
  const { content } = encryption
  const number = Buffer.alloc(4)
  number.writeUInt32LE(index, 0)
  return decrypt(content, key, stretch(digest(content.hash, content.salt, number), content.blockBytes), segment)
}
