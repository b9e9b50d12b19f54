import { defineFormat } from '../../core/catalog.ts'
import { packageEngine } from '../shared/engine-version.ts'
import { chunks } from './chunks.ts'
import { images } from './images.ts'
import { json } from './json.ts'
import { markdown } from './markdown.ts'
import { metadata } from './metadata.ts'
import { notes } from './notes.ts'
import { probe } from './probe.ts'
import { text } from './text.ts'

const TYPES = 'application/vnd.openxmlformats-officedocument.presentationml'

export default defineFormat({
  name: 'powerpoint',
  category: 'presentation',
  pool: 'document',
  extensions: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
  mimeTypes: {
    pptx: [`${TYPES}.presentation`],
    pptm: ['application/vnd.ms-powerpoint.presentation.macroEnabled.12'],
    ppsx: [`${TYPES}.slideshow`],
    ppsm: ['application/vnd.ms-powerpoint.slideshow.macroEnabled.12'],
    potx: [`${TYPES}.template`],
    potm: ['application/vnd.ms-powerpoint.template.macroEnabled.12'],
  },
  price: [
    { metric: 'megabytes', per: 5 },
    { metric: 'slides', per: 5 },
  ],
  // A file with a password is a compound file around the archive; it is told apart when it is read.
  accepts: ['zip', 'ole'],
  engines: ['yauzl'].map(packageEngine),
  probe,
  capabilities: [text, markdown, notes, images, metadata, json, chunks],
})
