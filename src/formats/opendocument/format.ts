import { defineFormat } from '../../core/catalog.ts'
import { packageEngine } from '../shared/engine-version.ts'
import { chunks } from './chunks.ts'
import { comments } from './comments.ts'
import { images } from './images.ts'
import { json } from './json.ts'
import { PRESENTATIONS, TEXTS_AND_DRAWINGS } from './kinds.ts'
import { markdown } from './markdown.ts'
import { metadata } from './metadata.ts'
import { notes } from './notes.ts'
import { probe } from './probe.ts'
import { tables } from './tables.ts'
import { text } from './text.ts'

const TYPES = 'application/vnd.oasis.opendocument'

export default defineFormat({
  name: 'opendocument',
  category: 'document',
  pool: 'document',
  extensions: [...TEXTS_AND_DRAWINGS, ...PRESENTATIONS],
  mimeTypes: {
    odt: [`${TYPES}.text`],
    ott: [`${TYPES}.text-template`],
    fodt: [`${TYPES}.text-flat-xml`],
    odg: [`${TYPES}.graphics`],
    otg: [`${TYPES}.graphics-template`],
    fodg: [`${TYPES}.graphics-flat-xml`],
    odp: [`${TYPES}.presentation`],
    otp: [`${TYPES}.presentation-template`],
    fodp: [`${TYPES}.presentation-flat-xml`],
  },
  price: [
    { metric: 'megabytes', per: 5 },
    { metric: 'pages', per: 10, extensions: TEXTS_AND_DRAWINGS },
    { metric: 'slides', per: 5, extensions: PRESENTATIONS },
  ],
  accepts: ['zip'],
  engines: ['yauzl'].map(packageEngine),
  probe,
  capabilities: [text, markdown, tables, images, metadata, comments, notes, json, chunks],
})
