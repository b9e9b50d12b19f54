import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { isNotebook, readDocument, readTree } from './page.ts'
import { readDocumentLinks, readLinks } from './page-links.ts'

/** Where the page leads. */
export const links = defineCapability({
  id: 'web.links',
  output: 'links',
  defaultSelected: true,
  detail: 'Every link with its text, in the order of the page, as JSON.',
  options: {},
  async *extract(source, _options, context) {
    const found = isNotebook(source)
      ? readDocumentLinks((await readDocument(source, 'full', context)).document)
      : readLinks(await readTree(source, context))
    if (found.length === 0) return
    yield {
      path: artifactPath(source, 'links', 'json'),
      mediaType: 'application/json',
      data: writeJsonFile({ links: found }),
    }
  },
})
