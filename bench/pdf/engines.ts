import { readFile } from 'node:fs/promises'
import { countPages } from '../../src/engines/liteparse.ts'
import { readPages } from '../../src/formats/pdf/read-pages.ts'
import { writeMarkdown } from '../../src/formats/shared/document/write-markdown.ts'
import { createAssembler } from '../../src/formats/shared/layout/assemble.ts'

/** What turns a PDF into markdown. Nothing is left out: the truth of the corpus has running headers and footers too. */
export const engines = {
  ours: (path: string): Promise<string> => convertWithOurs(path, 'keep'),
  liteparse: async (path: string): Promise<string> => {
    const { LiteParse } = await import('@llamaindex/liteparse')
    const parser = new LiteParse({ ocrEnabled: false, quiet: true, outputFormat: 'markdown', keepHeadersFooters: true })
    return (await parser.parse(path)).text
  },
  'pdf-inspector': async (path: string): Promise<string> => {
    const { processPdfAsync } = await import('@firecrawl/pdf-inspector')
    return (await processPdfAsync(await readFile(path))).markdown ?? ''
  },
} satisfies Record<string, (path: string) => Promise<string>>

export type EngineName = keyof typeof engines

/** Our own way, with running headers and footers or without. */
export const convertWithOurs = async (path: string, headersFooters: 'keep' | 'drop'): Promise<string> => {
  const assembler = createAssembler()
  const numbers = Array.from({ length: await pagesIn(path) }, (_, index) => index + 1)
  for await (const page of readPages({ path, password: '' }, numbers)) assembler.add(page)
  return [...writeMarkdown(assembler.finish(), { headersFooters })].join('')
}

/** Loads the libraries of an engine; throws where npm has none for this platform. */
export const loadEngine = async (name: EngineName): Promise<void> => {
  if (name === 'pdf-inspector') await import('@firecrawl/pdf-inspector')
  else await import('@llamaindex/liteparse')
}

/** The rebuilt files have a page each: asking would make the measure one of opening files. */
const pagesIn = async (path: string): Promise<number> =>
  path.includes('/rebuilt/') ? 1 : countPages({ path, password: '' })
