import { defineFormat } from '../../core/catalog.ts'
import { OFFICE_TOOLS } from '../../engines/libreoffice.ts'
import { packageEngine } from '../shared/engine-version.ts'
import { chunks } from './chunks.ts'
import { comments } from './comments.ts'
import { images } from './images.ts'
import { json } from './json.ts'
import { markdown } from './markdown.ts'
import { metadata } from './metadata.ts'
import { pages } from './pages.ts'
import { probe } from './probe.ts'
import { tables } from './tables.ts'
import { text } from './text.ts'

const CONVERTED = ['doc', 'dot', 'rtf', 'pages']
const TYPES = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

export default defineFormat({
  name: 'word',
  category: 'document',
  pool: 'document',
  extensions: ['docx', 'docm', 'dotx', 'dotm', ...CONVERTED],
  mimeTypes: {
    docx: [`${TYPES}.document`],
    docm: ['application/vnd.ms-word.document.macroEnabled.12'],
    dotx: [`${TYPES}.template`],
    dotm: ['application/vnd.ms-word.template.macroEnabled.12'],
    doc: ['application/msword'],
    dot: ['application/msword'],
    rtf: ['application/rtf', 'text/rtf'],
    pages: ['application/vnd.apple.pages'],
  },
  price: [
    { metric: 'megabytes', per: 5 },
    { metric: 'pages', per: 10 },
  ],
  // Files are read by what they are: a `.doc` can be RTF, and one with a password is a compound file around another.
  accepts: ['zip', 'ole', 'rtf'],
  engines: ['yauzl'].map(packageEngine),
  tools: OFFICE_TOOLS.text.map((tool) => ({ ...tool, extensions: CONVERTED })),
  probe,
  capabilities: [text, markdown, tables, images, metadata, comments, json, chunks, pages],
})
