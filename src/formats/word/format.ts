import { defineFormat } from '../../core/catalog.ts'
import { packageEngine } from '../shared/engine-version.ts'
import { chunks } from './chunks.ts'
import { comments } from './comments.ts'
import { images } from './images.ts'
import { json } from './json.ts'
import { markdown } from './markdown.ts'
import { metadata } from './metadata.ts'
import { probe } from './probe.ts'
import { tables } from './tables.ts'
import { text } from './text.ts'

const TYPES = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

export default defineFormat({
  name: 'word',
  category: 'document',
  pool: 'document',
  extensions: ['docx', 'docm', 'dotx', 'dotm'],
  mimeTypes: {
    docx: [`${TYPES}.document`],
    docm: ['application/vnd.ms-word.document.macroEnabled.12'],
    dotx: [`${TYPES}.template`],
    dotm: ['application/vnd.ms-word.template.macroEnabled.12'],
  },
  price: [
    { metric: 'megabytes', per: 5 },
    { metric: 'pages', per: 10 },
  ],
  // A file with a password is a compound file around the archive; it is told apart when it is read.
  accepts: ['zip', 'ole'],
  engines: ['yauzl'].map(packageEngine),
  probe,
  capabilities: [text, markdown, tables, images, metadata, comments, json, chunks],
})
