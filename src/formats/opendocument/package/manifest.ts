import { readXml } from '../../shared/xml/read-xml.ts'
import { ODF_PREFIXES } from './namespaces.ts'

/** How one entry of a package is encrypted, as the manifest tells. */
export type Encryption = {
  algorithm: string
  vector: Buffer
  derivation: string
  keyBytes: number
  iterations: number
  salt: Buffer
  /** Of Argon2: passes, memory in KiB, lanes. */
  argon: { passes: number; memory: number; lanes: number }
  startKey: string
  checksum?: { type: string; value: Buffer }
  /** Bytes that the entry has once decrypted and inflated. */
  bytes: number
}

export type Manifest = {
  mediaType: string
  encrypted: ReadonlyMap<string, Encryption>
}

const LIMITS = { depth: 20, elements: 500_000 }

const lastPart = (name: string | undefined): string => (name ?? '').replace(/^.*[#:]/, '').toLowerCase()
const count = (value: string | undefined, otherwise: number): number => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : otherwise
}
const bytesOf = (value: string | undefined): Buffer => Buffer.from(value ?? '', 'base64')

/** Reads `META-INF/manifest.xml`: what the file is, and which entries are encrypted. */
export const readManifest = async (content: Uint8Array): Promise<Manifest> => {
  const encrypted = new Map<string, Encryption>()
  let mediaType = ''
  let path = ''
  let bytes = 0
  let current: Encryption | undefined
  await readXml(
    content,
    ODF_PREFIXES,
    {
      open(name, attributes) {
        const get = (key: string) => attributes[`manifest:${key}`] ?? attributes[`loext:${key}`]
        switch (name) {
          case 'manifest:file-entry':
            path = get('full-path') ?? ''
            bytes = count(get('size'), 0)
            if (path === '/') mediaType = get('media-type') ?? ''
            break
          case 'manifest:encryption-data': {
            const type = get('checksum-type')
            current = {
              algorithm: '',
              vector: Buffer.alloc(0),
              derivation: 'pbkdf2',
              keyBytes: 16,
              iterations: 1024,
              salt: Buffer.alloc(0),
              argon: { passes: 0, memory: 0, lanes: 0 },
              startKey: 'sha1',
              bytes,
              ...(type ? { checksum: { type: lastPart(type), value: bytesOf(get('checksum')) } } : {}),
            }
            encrypted.set(path, current)
            break
          }
          case 'manifest:algorithm':
            if (!current) break
            current.algorithm = lastPart(get('algorithm-name'))
            current.vector = bytesOf(get('initialisation-vector'))
            break
          case 'manifest:start-key-generation':
            if (current) current.startKey = lastPart(get('start-key-generation-name'))
            break
          case 'manifest:key-derivation':
            if (!current) break
            current.derivation = lastPart(get('key-derivation-name'))
            current.keyBytes = count(get('key-size'), 16)
            current.iterations = count(get('iteration-count'), 1024)
            current.salt = bytesOf(get('salt'))
            current.argon = {
              passes: count(get('argon2-iterations'), 0),
              memory: count(get('argon2-memory'), 0),
              lanes: count(get('argon2-lanes'), 0),
            }
        }
      },
      close(name) {
        if (name === 'manifest:encryption-data') current = undefined
      },
      text: () => undefined,
    },
    { limits: LIMITS },
  )
  return { mediaType, encrypted }
}
