import { argon2Sync, createCipheriv, createHash, pbkdf2Sync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context, Source } from '../../../core/catalog.ts'
import { type Parts, zipParts } from '../../shared/ooxml/office-fixture.ts'
import { openOdf } from './open-package.ts'

const CONTENT = '<office:document-content/>'.repeat(50)
const SALT = Buffer.alloc(16, 7)
const VECTOR = Buffer.alloc(16, 9)
const PASSWORD = 'sésame'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'odf-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const makeContext = (): Context => ({
  signal: new AbortController().signal,
  selected: new Set(),
  scratch: folder,
  progress: () => undefined,
  warn: () => undefined,
})

let count = 0
const open = async (parts: Parts, password: string) => {
  const path = join(folder, `${++count}.odt`)
  // No tool writes such names in good faith, so they are patched in.
  const bytes = Buffer.from((await zipParts(parts)).toString('latin1').replaceAll('up/evil', '../evil'), 'latin1')
  await writeFile(path, bytes)
  const source: Source = { path, name: 'locked.odt', extension: 'odt', bytes: bytes.length }
  return await openOdf(source, password, makeContext())
}

const entry = (path: string, bytes: number, inside = ''): string =>
  `<manifest:file-entry manifest:full-path="${path}" manifest:size="${bytes}">${inside}</manifest:file-entry>`
const manifest = (content: string): string =>
  `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0">${content}</manifest:manifest>`

const startKey = createHash('sha256').update(PASSWORD).digest()

const lockedPart = (iterations = 1000): Parts => {
  const key = pbkdf2Sync(startKey, SALT, iterations > 10_000 ? 1 : iterations, 32, 'sha1')
  const packed = deflateRawSync(CONTENT)
  const cipher = createCipheriv('aes-256-cbc', key, VECTOR)
  const data = `<manifest:encryption-data manifest:checksum-type="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0#sha256-1k" manifest:checksum="${createHash('sha256').update(packed.subarray(0, 1024)).digest('base64')}"><manifest:algorithm manifest:algorithm-name="http://www.w3.org/2001/04/xmlenc#aes256-cbc" manifest:initialisation-vector="${VECTOR.toString('base64')}"/><manifest:start-key-generation manifest:start-key-generation-name="http://www.w3.org/2000/09/xmldsig#sha256" manifest:key-size="32"/><manifest:key-derivation manifest:key-derivation-name="PBKDF2" manifest:key-size="32" manifest:iteration-count="${iterations}" manifest:salt="${SALT.toString('base64')}"/></manifest:encryption-data>`
  return {
    'META-INF/manifest.xml': manifest(entry('content.xml', CONTENT.length, data)),
    'content.xml': Buffer.concat([cipher.update(packed), cipher.final()]),
  }
}

const lockedWhole = async (memory = 64): Promise<Parts> => {
  const key = argon2Sync('argon2id', {
    message: startKey,
    nonce: SALT,
    parallelism: 2,
    tagLength: 32,
    memory: 64,
    passes: 2,
  })
  const vector = VECTOR.subarray(0, 12)
  const cipher = createCipheriv('aes-256-gcm', key, vector)
  const inner = await zipParts({ 'content.xml': CONTENT })
  const content = Buffer.concat([vector, cipher.update(inner), cipher.final(), cipher.getAuthTag()])
  const data = `<manifest:encryption-data><manifest:algorithm manifest:algorithm-name="http://www.w3.org/2009/xmlenc11#aes256-gcm" manifest:initialisation-vector="${vector.toString('base64')}"/><manifest:start-key-generation manifest:start-key-generation-name="http://www.w3.org/2001/04/xmlenc#sha256" manifest:key-size="32"/><manifest:key-derivation manifest:key-derivation-name="urn:org:documentfoundation:names:experimental:office:manifest:argon2id" manifest:key-size="32" loext:argon2-iterations="2" loext:argon2-memory="${memory}" loext:argon2-lanes="2" manifest:salt="${SALT.toString('base64')}"/></manifest:encryption-data>`
  return {
    'META-INF/manifest.xml': manifest(entry('encrypted-package', inner.length, data)),
    'encrypted-package': content,
  }
}

const encrypted = { code: 'extract.source_encrypted' }

describe('openOdf', () => {
  it('opens parts that are encrypted one by one', async () => {
    const file = await open(lockedPart(), PASSWORD)
    expect((await file.read('content.xml', 10_000)).toString()).toBe(CONTENT)
    expect(file.isEncrypted).toBe(true)
    file.close()
  })

  it('opens an archive that is encrypted as a whole', async () => {
    const file = await open(await lockedWhole(), PASSWORD)
    expect((await file.read('content.xml', 10_000)).toString()).toBe(CONTENT)
    expect(file.isEncrypted).toBe(true)
    file.close()
  })

  it('says when a password is missing or wrong', async () => {
    for (const password of ['', 'wrong']) {
      const file = await open(lockedPart(), password)
      await expect(file.read('content.xml', 10_000)).rejects.toMatchObject(encrypted)
      file.close()
      await expect(open(await lockedWhole(), password)).rejects.toMatchObject(encrypted)
    }
  })

  it('refuses keys that would keep it busy', async () => {
    const file = await open(lockedPart(2_000_000_000), PASSWORD)
    await expect(file.read('content.xml', 10_000)).rejects.toMatchObject({ code: 'extract.limit_exceeded' })
    file.close()
    await expect(open(await lockedWhole(4_000_000), PASSWORD)).rejects.toMatchObject({ code: 'extract.limit_exceeded' })
  })

  it('names a method that it does not know', async () => {
    const parts = lockedPart()
    const changed = String(parts['META-INF/manifest.xml']).replace('aes256-cbc', 'blowfish')
    const file = await open({ ...parts, 'META-INF/manifest.xml': changed }, PASSWORD)
    await expect(file.read('content.xml', 10_000)).rejects.toMatchObject({
      ...encrypted,
      params: { method: 'blowfish' },
    })
    file.close()
  })

  it('refuses names that lead out of the file, and files without content', async () => {
    await expect(open({ 'up/evil.xml': 'x', 'content.xml': 'x' }, '')).rejects.toMatchObject({
      params: { reason: 'entry-name' },
    })
    await expect(open({ 'other.xml': 'x' }, '')).rejects.toMatchObject({ params: { reason: 'no-document' } })
  })
})
