import { defineFormat } from '../../core/catalog.ts'
import { packageEngine } from '../shared/engine-version.ts'
import { json } from './json.ts'
import { markdown } from './markdown.ts'
import { metadata } from './metadata.ts'
import { tables } from './tables.ts'
import { text } from './text.ts'

export default defineFormat({
  name: 'data',
  category: 'data',
  pool: 'document',
  extensions: ['csv', 'tsv', 'tab', 'psv', 'json', 'jsonl', 'ndjson', 'geojson', 'xml', 'yaml', 'yml', 'toml'],
  mimeTypes: {
    csv: ['text/csv'],
    tsv: ['text/tab-separated-values'],
    tab: ['text/tab-separated-values'],
    psv: ['text/plain'],
    json: ['application/json'],
    jsonl: ['application/jsonl'],
    ndjson: ['application/x-ndjson'],
    geojson: ['application/geo+json'],
    xml: ['application/xml', 'text/xml'],
    yaml: ['application/yaml'],
    yml: ['application/yaml'],
    toml: ['application/toml'],
  },
  price: [{ metric: 'megabytes', per: 5 }],
  accepts: [],
  engines: ['iconv-lite', 'chardet', 'yaml', 'smol-toml', 'saxes'].map(packageEngine),
  capabilities: [text, markdown, json, tables, metadata],
})
