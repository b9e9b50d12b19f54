import { defineFormat } from '../../core/catalog.ts'
import { SEVEN_ZIP } from '../../engines/seven-zip.ts'
import { UNAR } from '../../engines/unar.ts'
import { packageEngine } from '../shared/engine-version.ts'
import { files } from './files.ts'
import { BY_SEVEN_ZIP, BY_UNAR, EXTENSIONS, MIME_TYPES } from './kinds.ts'
import { listing } from './listing.ts'
import { metadata } from './metadata.ts'
import { text } from './text.ts'

export default defineFormat({
  name: 'archive',
  category: 'archive',
  pool: 'document',
  extensions: EXTENSIONS,
  mimeTypes: MIME_TYPES,
  price: [{ metric: 'megabytes', per: 10 }],
  // What a file is, its bytes say: archives often go by the name of another kind.
  accepts: ['zip', 'tar', 'gzip', 'bzip2', 'xz', 'zstd', '7z', 'rar', 'cab'],
  engines: ['yauzl', 'iconv-lite'].map(packageEngine),
  tools: [
    { ...SEVEN_ZIP, extensions: BY_SEVEN_ZIP },
    { ...UNAR, extensions: BY_UNAR },
  ],
  capabilities: [listing, files, text, metadata],
})
