import type { Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { readHead } from '../../shared/legacy/read-head.ts'
import { isCompoundFile, openCompoundFile } from '../../shared/ole/compound-file.ts'
import { openArchive } from '../../shared/zip/open-archive.ts'
import { type PresentationFacts, readPresentationFacts } from './records.ts'

/** What the bytes of a file are, whatever its extension says, with what an old presentation says of itself. */
export type PresentationKind = { kind: 'pptx' | 'key' | 'odp' } | { kind: 'ppt'; facts: PresentationFacts }

const HEAD_BYTES = 8

/** Looks at the file itself; fails where it is nothing that can be read as a presentation. */
export const detectKind = async (source: Source): Promise<PresentationKind> => {
  const head = await readHead(source, HEAD_BYTES)
  if (isCompoundFile(head)) return detectInCompoundFile(source)
  // By far the most, and told without a look inside.
  if (/^p(?:pt|ps|ot)[xm]$/.test(source.extension)) return { kind: 'pptx' }
  const archive = await openArchive(source.path)
  try {
    if (archive.find('content.xml') && archive.find('META-INF/manifest.xml')) return { kind: 'odp' }
    const isKeynote = archive.entries.some(({ name }) =>
      /(?:^|\/)(?:index\.apxl(?:\.gz)?|Index\.zip|Index\/Document\.iwa)$/.test(name),
    )
    return { kind: isKeynote && !archive.find('[Content_Types].xml') ? 'key' : 'pptx' }
  } finally {
    archive.close()
  }
}

/** A compound file is an old presentation, or the wrapper of a new one with a password. */
const detectInCompoundFile = (source: Source): PresentationKind => {
  const file = openCompoundFile(source.path)
  try {
    if (file.has('EncryptedPackage')) return { kind: 'pptx' }
    const facts = readPresentationFacts(file)
    if (facts) return { kind: 'ppt', facts }
  } finally {
    file.close()
  }
  throw new JobFailure(
    'extract.source_unreadable',
    { reason: 'no-document' },
    { detail: 'The file holds no PowerPoint presentation of 97 or later.' },
  )
}
