import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { countPages } from './count-pages.ts'
import { readBook } from './read-book.ts'

/** What the book says about itself. */
export const metadata = defineCapability({
  id: 'ebook.metadata',
  output: 'metadata',
  defaultSelected: true,
  detail:
    'JSON: title, authors, language, identifiers, publisher, dates, description, subjects, series, cover, counts.',
  options: {},
  async *extract(source, _options, context) {
    const { facts, cover, chapters, pictures, notes, toc } = await readBook(source, context)
    const { version, more, title, subtitle, ...said } = facts
    const data = writeJsonFile({
      format: source.extension,
      version,
      bytes: source.bytes,
      title: title ?? null,
      ...(subtitle ? { subtitle } : {}),
      ...said,
      ...more,
      cover: cover ? { path: cover.path, mediaType: cover.mediaType, bytes: cover.bytes } : null,
      counts: {
        pages: await countPages(source, context),
        chapters,
        tocEntries: toc.length,
        images: pictures.length,
        notes: notes.length,
      },
    })
    yield { path: artifactPath(source, 'metadata', 'json'), mediaType: 'application/json', data }
  },
})
