import { defineFormat } from '../../core/catalog.ts'
import { OFFICE_TOOLS } from '../../engines/libreoffice.ts'
import { packageEngine } from '../shared/engine-version.ts'
import { chunks } from './chunks.ts'
import { images } from './images.ts'
import { json } from './json.ts'
import { markdown } from './markdown.ts'
import { metadata } from './metadata.ts'
import { notes } from './notes.ts'
import { probe } from './probe.ts'
import { text } from './text.ts'

const CONVERTED = ['ppt', 'pps', 'pot', 'key']
const TYPES = 'application/vnd.openxmlformats-officedocument.presentationml'

export default defineFormat({
  name: 'powerpoint',
  category: 'presentation',
  pool: 'document',
  extensions: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm', ...CONVERTED],
  mimeTypes: {
    pptx: [`${TYPES}.presentation`],
    pptm: ['application/vnd.ms-powerpoint.presentation.macroEnabled.12'],
    ppsx: [`${TYPES}.slideshow`],
    ppsm: ['application/vnd.ms-powerpoint.slideshow.macroEnabled.12'],
    potx: [`${TYPES}.template`],
    potm: ['application/vnd.ms-powerpoint.template.macroEnabled.12'],
    ppt: ['application/vnd.ms-powerpoint'],
    pps: ['application/vnd.ms-powerpoint'],
    pot: ['application/vnd.ms-powerpoint'],
    key: ['application/vnd.apple.keynote'],
  },
  price: [
    { metric: 'megabytes', per: 5 },
    { metric: 'slides', per: 5 },
  ],
  // Files are read by what they are; one with a password is a compound file around another.
  accepts: ['zip', 'ole'],
  engines: ['yauzl'].map(packageEngine),
  tools: OFFICE_TOOLS.slides.map((tool) => ({ ...tool, extensions: CONVERTED })),
  probe,
  capabilities: [text, markdown, notes, images, metadata, json, chunks],
})
