import { defineFormat } from '../../core/catalog.ts'
import { OFFICE_TOOLS } from '../../engines/libreoffice.ts'
import { packageEngine } from '../shared/engine-version.ts'
import { csv } from './csv.ts'
import { images } from './images.ts'
import { json } from './json.ts'
import { markdown } from './markdown.ts'
import { metadata } from './metadata.ts'
import { countSheets } from './probe.ts'
import { text } from './text.ts'

const CONVERTED = ['numbers']

export default defineFormat({
  name: 'excel',
  category: 'spreadsheet',
  pool: 'document',
  extensions: ['xlsx', 'xlsm', 'xltx', 'xltm', 'xlsb', 'xls', 'ods', ...CONVERTED],
  mimeTypes: {
    xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    xlsm: ['application/vnd.ms-excel.sheet.macroEnabled.12'],
    xltx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.template'],
    xltm: ['application/vnd.ms-excel.template.macroEnabled.12'],
    xlsb: ['application/vnd.ms-excel.sheet.binary.macroEnabled.12'],
    xls: ['application/vnd.ms-excel'],
    ods: ['application/vnd.oasis.opendocument.spreadsheet'],
    numbers: ['application/vnd.apple.numbers'],
  },
  price: [
    { metric: 'megabytes', per: 5 },
    { metric: 'sheets', per: 5 },
  ],
  accepts: ['zip', 'ole'],
  engines: ['yauzl', '@e965/xlsx', 'officecrypto-tool'].map(packageEngine),
  tools: OFFICE_TOOLS.sheets.map((tool) => ({ ...tool, extensions: CONVERTED })),
  probe: async (source, context, { password = '' }) => ({
    sheets: await countSheets(source, context, String(password)),
  }),
  capabilities: [text, markdown, csv, json, images, metadata],
})
