import { defineFormat } from '../../core/catalog.ts'
import { packageEngine } from '../shared/engine-version.ts'
import { attachments } from './attachments.ts'
import { chunks } from './chunks.ts'
import { images } from './images.ts'
import { json } from './json.ts'
import { markdown } from './markdown.ts'
import { metadata } from './metadata.ts'
import { text } from './text.ts'

export default defineFormat({
  name: 'email',
  category: 'email',
  pool: 'document',
  extensions: ['eml', 'emlx', 'msg', 'oft', 'mbox', 'mhtml', 'mht'],
  mimeTypes: {
    eml: ['message/rfc822'],
    emlx: ['message/x-emlx'],
    msg: ['application/vnd.ms-outlook'],
    oft: ['application/vnd.ms-outlook'],
    mbox: ['application/mbox'],
    mhtml: ['multipart/related', 'message/rfc822', 'application/x-mimearchive'],
    mht: ['multipart/related', 'message/rfc822', 'application/x-mimearchive'],
  },
  price: [{ metric: 'megabytes', per: 10 }],
  accepts: ['ole'],
  engines: ['htmlparser2', 'iconv-lite', 'chardet'].map(packageEngine),
  capabilities: [text, markdown, attachments, images, metadata, json, chunks],
})
