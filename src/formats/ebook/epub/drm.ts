import { JobFailure } from '../../../core/errors.ts'
import type { Archive } from '../../shared/zip/open-archive.ts'
import { childNamed, childrenNamed, findNamed, parseXml, textBelow } from '../xml.ts'
import { resolvePath } from './paths.ts'

/** Ways to make fonts unusable outside the book; everything else stays readable. */
const FONT_OBFUSCATION = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'])
const MAX_BYTES = 16 * 1024 ** 2

/** What protects a book, and the files that it keeps from us. */
export type Protection = { scheme: string; files: ReadonlySet<string> }

/** Reads which files of the book are encrypted, fonts aside. */
export const findProtection = async (archive: Archive): Promise<Protection> => {
  const entry = archive.find('META-INF/encryption.xml')
  const files = new Set<string>()
  if (!entry) return { scheme: '', files }
  const tree = await parseXml(await archive.read(entry, MAX_BYTES))
  const algorithms: string[] = []
  for (const data of childrenNamed(tree, 'EncryptedData')) {
    const algorithm = childNamed(data, 'EncryptionMethod')?.attributes.Algorithm ?? ''
    if (FONT_OBFUSCATION.has(algorithm)) continue
    const uri = findNamed(data, 'CipherReference')?.attributes.URI ?? ''
    algorithms.push(textBelow(childNamed(data, 'KeyInfo')), JSON.stringify(childNamed(data, 'KeyInfo') ?? ''))
    // Addresses in this file count from the root of the archive.
    const path = resolvePath(uri, 'root')?.path
    if (path) files.add(path.toLowerCase())
  }
  return { scheme: nameScheme(archive, algorithms.join(' ')), files }
}

const nameScheme = (archive: Archive, hints: string): string => {
  if (archive.find('META-INF/license.lcpl') || /readium\.org/.test(hints)) return 'readium-lcp'
  if (archive.find('META-INF/sinf.xml')) return 'apple-fairplay'
  if (archive.find('META-INF/rights.xml') || /adobe\.com\/adept/.test(hints)) return 'adobe-adept'
  return 'unknown'
}

export const protectedBy = (scheme: string): JobFailure =>
  new JobFailure(
    'extract.source_encrypted',
    { drm: scheme },
    { detail: 'The book is protected against copying (DRM) and cannot be read.' },
  )
