import { defineFormat } from '../../core/catalog.ts'
import { packageEngine } from '../shared/engine-version.ts'
import { attachments } from './attachments.ts'
import { chunks } from './chunks.ts'
import { images } from './images.ts'
import { json } from './json.ts'
import { markdown } from './markdown.ts'
import { metadata } from './metadata.ts'
import { ocr } from './ocr.ts'
import { pages } from './pages.ts'
import { probe } from './probe.ts'
import { tables } from './tables.ts'
import { text } from './text.ts'

export default defineFormat({
  name: 'pdf',
  category: 'document',
  pool: 'document',
  extensions: ['pdf', 'ai'],
  mimeTypes: {
    pdf: ['application/pdf'],
    ai: ['application/illustrator', 'application/pdf', 'application/postscript'],
  },
  price: [
    { metric: 'megabytes', per: 5 },
    { metric: 'pages', per: 10 },
  ],
  accepts: ['pdf'],
  engines: ['@llamaindex/liteparse', 'sharp'].map(packageEngine),
  probe,
  capabilities: [text, markdown, tables, images, metadata, json, chunks, ocr, pages, attachments],
})
