import { defineFormat } from '../../core/catalog.ts'
import { packageEngine } from '../shared/engine-version.ts'
import { chunks } from './chunks.ts'
import { countPages } from './count-pages.ts'
import { cover } from './cover.ts'
import { images } from './images.ts'
import { json } from './json.ts'
import { markdown } from './markdown.ts'
import { metadata } from './metadata.ts'
import { tables } from './tables.ts'
import { text } from './text.ts'
import { toc } from './toc.ts'

const MOBIPOCKET = 'application/x-mobipocket-ebook'

export default defineFormat({
  name: 'ebook',
  category: 'ebook',
  pool: 'document',
  extensions: ['epub', 'fb2', 'fbz', 'mobi', 'azw', 'azw3', 'prc'],
  mimeTypes: {
    epub: ['application/epub+zip'],
    fb2: ['application/x-fictionbook+xml'],
    fbz: ['application/x-zip-compressed-fb2'],
    mobi: [MOBIPOCKET],
    azw: ['application/vnd.amazon.ebook'],
    azw3: ['application/vnd.amazon.mobi8-ebook'],
    prc: [MOBIPOCKET],
  },
  price: [
    { metric: 'megabytes', per: 5 },
    { metric: 'pages', per: 10 },
  ],
  accepts: ['zip', 'mobi'],
  engines: ['yauzl', 'htmlparser2'].map(packageEngine),
  probe: async (source, context) => ({ pages: await countPages(source, context) }),
  capabilities: [text, markdown, toc, tables, images, cover, metadata, json, chunks],
})
