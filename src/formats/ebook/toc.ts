import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { plainText } from '../shared/document/inline-content.ts'
import type { Block } from '../shared/document/model.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { MAX_TOC_ENTRIES, type TocEntry } from './book.ts'
import { readBook } from './read-book.ts'

/** The table of contents. */
export const toc = defineCapability({
  id: 'ebook.toc',
  output: 'toc',
  defaultSelected: false,
  detail: 'The table of contents as JSON, nested; where the file has none, the headings of the text.',
  options: {},
  async *extract(source, _options, context) {
    const book = await readBook(source, context)
    const entries = book.toc.length > 0 ? book.toc : outlineOf(book.blocks)
    if (entries.length === 0) {
      context.warn('ebook.no_toc', 'The book has no table of contents and no headings.')
      return
    }
    const data = writeJsonFile({ source: book.toc.length > 0 ? 'file' : 'headings', entries })
    yield { path: artifactPath(source, 'toc', 'json'), mediaType: 'application/json', data }
  },
})

const outlineOf = (blocks: readonly Block[]): TocEntry[] => {
  const top: TocEntry[] = []
  const path: { level: number; entry: TocEntry }[] = []
  let count = 0
  for (const block of blocks) {
    if (block.kind !== 'heading' || ++count > MAX_TOC_ENTRIES) continue
    const entry: TocEntry = { title: plainText(block.content).replace(/\s+/g, ' ').trim(), children: [] }
    while ((path.at(-1)?.level ?? 0) >= block.level) path.pop()
    const siblings = path.at(-1)?.entry.children ?? top
    siblings.push(entry)
    path.push({ level: block.level, entry })
  }
  return top
}
