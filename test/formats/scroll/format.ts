import { readFile } from 'node:fs/promises'
import { defineCapability, defineFormat, type Source } from '../../../src/core/catalog.ts'
import { JobFailure } from '../../../src/core/errors.ts'

/** A `.scroll` is text whose pages are parted by form feeds. */
const readPages = async (source: Source): Promise<string[]> => {
  const text = await readFile(source.path, 'utf8')
  if (text.trim() === '') throw new JobFailure('extract.source_unreadable')
  return text.split('\f')
}

const text = defineCapability({
  id: 'scroll.text',
  output: 'text',
  defaultSelected: true,
  options: { perPage: { type: 'boolean', defaultValue: false, detail: 'A file for each page.' } },
  async *extract(source, { perPage }, context) {
    const pages = await readPages(source)
    const mediaType = 'text/plain; charset=utf-8'
    if (!perPage) {
      yield { path: 'text/scroll.txt', mediaType, data: pages.join('\n') }
      return
    }
    for (const [index, data] of pages.entries()) {
      yield { path: `text/page-${index + 1}.txt`, mediaType, data, provenance: { page: index + 1 } }
      context.progress((index + 1) / pages.length)
    }
  },
})

/** A document family for tests, priced by pages alone. */
export default defineFormat({
  name: 'scroll',
  category: 'document',
  pool: 'document',
  extensions: ['scroll'],
  mimeTypes: { scroll: ['application/x-scroll'] },
  price: [{ metric: 'pages', per: 10 }],
  accepts: [],
  engines: [{ name: 'scroll', version: '1.0.0' }],
  probe: async (source) => ({ pages: (await readPages(source)).length }),
  capabilities: [text],
})
