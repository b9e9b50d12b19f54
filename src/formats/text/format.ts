import { defineFormat } from '../../core/catalog.ts'
import { packageEngine } from '../shared/engine-version.ts'
import { EXTENSIONS } from './languages.ts'
import { markdown } from './markdown.ts'
import { metadata } from './metadata.ts'
import { text } from './text.ts'

const MIME_TYPES: Record<string, readonly string[]> = {
  md: ['text/markdown'],
  markdown: ['text/markdown'],
  rst: ['text/x-rst'],
  org: ['text/org'],
  tex: ['application/x-tex'],
  srt: ['application/x-subrip'],
  vtt: ['text/vtt'],
  js: ['text/javascript'],
  mjs: ['text/javascript'],
  css: ['text/css'],
  py: ['text/x-python'],
  c: ['text/x-c'],
  h: ['text/x-c'],
  java: ['text/x-java'],
  sh: ['application/x-sh'],
  sql: ['application/sql'],
  diff: ['text/x-diff'],
}

export default defineFormat({
  name: 'text',
  category: 'text',
  pool: 'document',
  extensions: EXTENSIONS,
  mimeTypes: Object.fromEntries(EXTENSIONS.map((extension) => [extension, MIME_TYPES[extension] ?? ['text/plain']])),
  price: [{ metric: 'megabytes', per: 5 }],
  accepts: [],
  engines: [packageEngine('iconv-lite'), packageEngine('chardet')],
  capabilities: [text, markdown, metadata],
})
