import { JobFailure } from '../../../../core/errors.ts'
import { overLimit } from '../../decode.ts'
import { readXml } from '../../xml/read-xml.ts'

/** How one thing is encrypted: the package itself, or what is derived from the password. */
export type CipherFacts = {
  salt: Buffer
  /** Bytes of an initialization vector. */
  blockBytes: number
  keyBytes: number
  hash: HashName
  chaining: 'cbc' | 'cfb8'
}

/** Encryption of Office 2010 and later. */
export type AgileEncryption = {
  kind: 'agile'
  content: CipherFacts
  key: CipherFacts & { spinCount: number; verifierInput: Buffer; verifierHash: Buffer; encryptedKey: Buffer }
}

/** Encryption of Office 2007. */
export type StandardEncryption = {
  kind: 'standard'
  salt: Buffer
  keyBytes: number
  verifier: Buffer
  verifierHash: Buffer
}
export type Encryption = AgileEncryption | StandardEncryption

export type HashName = 'sha1' | 'sha256' | 'sha384' | 'sha512' | 'md5'
const HASHES: Readonly<Record<string, HashName>> = {
  SHA1: 'sha1',
  'SHA-1': 'sha1',
  SHA256: 'sha256',
  'SHA-256': 'sha256',
  SHA384: 'sha384',
  'SHA-384': 'sha384',
  SHA512: 'sha512',
  'SHA-512': 'sha512',
  MD5: 'md5',
}

/** Office writes 100,000: each is a hash to compute, and a file may ask for thousands of millions. */
const MAX_SPIN_COUNT = 1_000_000
const MAX_SALT_BYTES = 1_024
const KEY_BYTES = [16, 24, 32]
const AES_IDS: Readonly<Record<number, number>> = { 26126: 16, 26127: 24, 26128: 32 }
const XML_AT = 8

/** Reads the stream that says how the package is encrypted. */
export const readEncryptionInfo = async (info: Buffer): Promise<Encryption> => {
  if (info.length < 12) throw unsupported()
  const [major, minor] = [info.readUInt16LE(0), info.readUInt16LE(2)]
  if (major === 4 && minor === 4) return await readAgile(info.subarray(XML_AT))
  if (minor === 2 && major >= 2 && major <= 4) return readStandard(info)
  throw unsupported()
}

const readStandard = (info: Buffer): StandardEncryption => {
  const headerBytes = info.readUInt32LE(8)
  const verifierAt = 12 + headerBytes
  if (headerBytes < 32 || verifierAt + 72 > info.length) throw unsupported()
  const keyBytes = AES_IDS[info.readUInt32LE(20)] ?? (info.readUInt32LE(20) === 0 ? 16 : 0)
  if (keyBytes === 0 || info.readUInt32LE(verifierAt) !== 16) throw unsupported()
  return {
    kind: 'standard',
    keyBytes,
    salt: info.subarray(verifierAt + 4, verifierAt + 20),
    verifier: info.subarray(verifierAt + 20, verifierAt + 36),
    verifierHash: info.subarray(verifierAt + 40, verifierAt + 72),
  }
}

type Attributes = Readonly<Record<string, string | undefined>>

const readAgile = async (xml: Buffer): Promise<AgileEncryption> => {
  let content: Attributes | undefined
  let key: Attributes | undefined
  await readXml(xml, new Map(), {
    open(name, attributes) {
      const local = name.slice(name.lastIndexOf(':') + 1)
      if (local === 'keyData') content ??= attributes
      // There can be one for a certificate besides that for the password.
      else if (local === 'encryptedKey' && attributes.spinCount !== undefined) key ??= attributes
    },
    close: () => undefined,
    text: () => undefined,
  })
  if (!content || !key) throw unsupported()
  const spinCount = Number(key.spinCount)
  if (!Number.isInteger(spinCount) || spinCount < 0) throw unsupported()
  if (spinCount > MAX_SPIN_COUNT) throw overLimit('spinCount', MAX_SPIN_COUNT)
  return {
    kind: 'agile',
    content: readCipher(content),
    key: {
      ...readCipher(key),
      spinCount,
      verifierInput: decode(key.encryptedVerifierHashInput),
      verifierHash: decode(key.encryptedVerifierHashValue),
      encryptedKey: decode(key.encryptedKeyValue),
    },
  }
}

const readCipher = (attributes: Attributes): CipherFacts => {
  const hash = HASHES[attributes.hashAlgorithm ?? '']
  const keyBytes = Number(attributes.keyBits) / 8
  const chaining = { ChainingModeCBC: 'cbc' as const, ChainingModeCFB: 'cfb8' as const }[
    attributes.cipherChaining ?? ''
  ]
  if (!hash || !chaining || attributes.cipherAlgorithm !== 'AES' || !KEY_BYTES.includes(keyBytes)) throw unsupported()
  if (Number(attributes.blockSize) !== 16) throw unsupported()
  return { salt: decode(attributes.saltValue), blockBytes: 16, keyBytes, hash, chaining }
}

const decode = (text = ''): Buffer => {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 0 || bytes.length > MAX_SALT_BYTES) throw unsupported()
  return bytes
}

/** The failure of a file whose encryption nothing here can open, with or without its password. */
export const unsupported = (): JobFailure =>
  new JobFailure(
    'extract.source_encrypted',
    { reason: 'unsupported-encryption' },
    { detail: 'The file is encrypted in a way that cannot be opened, not even with its password.' },
  )
