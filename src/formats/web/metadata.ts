import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { findEncoding } from '../shared/encoding.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { describeNotebook } from './notebook/notebook-facts.ts'
import { readNotebook } from './notebook/read-notebook.ts'
import { isNotebook, readDocument, readTree } from './page.ts'
import { readPageFacts } from './page-facts.ts'

/** What the page says about itself. */
export const metadata = defineCapability({
  id: 'web.metadata',
  output: 'metadata',
  defaultSelected: true,
  detail: 'Title, description, author, dates, language, OpenGraph, JSON-LD, headings and counts, as JSON.',
  options: {},
  async *extract(source, _options, context) {
    const facts = isNotebook(source)
      ? describeNotebook(await readNotebook(source, context), await readDocument(source, 'full', context))
      : readPageFacts(await readTree(source, context))
    const { name } = await findEncoding(source, context, 'auto')
    yield {
      path: artifactPath(source, 'metadata', 'json'),
      mediaType: 'application/json',
      data: writeJsonFile({ ...facts, encoding: name }),
    }
  },
})
