import { defineFormat } from '../../core/catalog.ts'
import { packageEngine } from '../shared/engine-version.ts'
import { chunks } from './chunks.ts'
import { images } from './images.ts'
import { json } from './json.ts'
import { links } from './links.ts'
import { markdown } from './markdown.ts'
import { metadata } from './metadata.ts'
import { tables } from './tables.ts'
import { text } from './text.ts'

export default defineFormat({
  name: 'web',
  category: 'web',
  pool: 'document',
  extensions: ['html', 'htm', 'xhtml', 'ipynb'],
  mimeTypes: {
    html: ['text/html'],
    htm: ['text/html'],
    xhtml: ['application/xhtml+xml'],
    ipynb: ['application/x-ipynb+json'],
  },
  price: [{ metric: 'megabytes', per: 5 }],
  accepts: [],
  engines: ['htmlparser2', 'iconv-lite', 'chardet'].map(packageEngine),
  capabilities: [text, markdown, tables, links, images, metadata, json, chunks],
})
