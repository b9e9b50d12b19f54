import type { Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { readHead } from '../../shared/legacy/read-head.ts'
import { isCompoundFile, openCompoundFile } from '../../shared/ole/compound-file.ts'
import { openArchive } from '../../shared/zip/open-archive.ts'
import { readFileHeader } from './file-header.ts'

/** What the bytes of a file are, whatever its extension says. */
export type WordKind = 'docx' | 'doc' | 'word2' | 'rtf' | 'rtf-piece' | 'pages' | 'odt' | 'html' | 'word2003'

const HEAD_BYTES = 4_096
const ZIP = Buffer.from('504b', 'hex')
const WORD_2 = Buffer.from('dba5', 'hex')

/** Looks at the file itself; fails where it is nothing that can be read as a text document. */
export const detectKind = async (source: Source): Promise<WordKind> => {
  const head = await readHead(source, HEAD_BYTES)
  const isArchive = head.subarray(0, 2).equals(ZIP)
  // By far the most, and told without a look inside.
  if (isArchive && /^do[ct][xm]$/.test(source.extension)) return 'docx'
  if (isArchive) return await detectInArchive(source)
  if (isCompoundFile(head)) return detectInCompoundFile(source)
  if (head.subarray(0, 2).equals(WORD_2)) return 'word2'
  const text = head.toString('latin1').replace(/^(?:\xef\xbb\xbf)?\s*/, '')
  if (text.startsWith('{\\rtf')) return 'rtf'
  // Some programs write RTF without its beginning.
  if (source.extension === 'rtf' && /^\{?\\[a-z]/.test(text)) return 'rtf-piece'
  if (/^<\?xml[^>]*>[\s\S]*<w:wordDocument\b/.test(text)) return 'word2003'
  if (/^(?:<!--[\s\S]*?-->\s*|<\?xml[^>]*>\s*)*<(?:!doctype\s+html|html|head|body|meta)\b/i.test(text)) return 'html'
  throw new JobFailure(
    'extract.source_unreadable',
    { reason: 'no-document' },
    { detail: 'The file is no text document of a known kind.' },
  )
}

const detectInArchive = async (source: Source): Promise<WordKind> => {
  const archive = await openArchive(source.path)
  try {
    // A document of OpenDocument says what it is in the very first entry, and has its text here.
    if (archive.find('content.xml') && archive.find('META-INF/manifest.xml')) return 'odt'
    const isPages = archive.entries.some(({ name }) =>
      /(?:^|\/)(?:index\.xml(?:\.gz)?|Index\.zip|Index\/Document\.iwa)$/.test(name),
    )
    return isPages && !archive.find('[Content_Types].xml') ? 'pages' : 'docx'
  } finally {
    archive.close()
  }
}

/** A compound file is an old document, or the wrapper of a new one with a password. */
const detectInCompoundFile = (source: Source): WordKind => {
  const file = openCompoundFile(source.path)
  try {
    if (file.has('EncryptedPackage')) return 'docx'
    if (readFileHeader(file)) return 'doc'
  } finally {
    file.close()
  }
  throw new JobFailure(
    'extract.source_unreadable',
    { reason: 'no-document' },
    { detail: 'The file holds no Word document.' },
  )
}
