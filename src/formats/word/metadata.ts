import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { describeFile } from '../shared/ooxml/describe-package.ts'
import { openPackage } from '../shared/ooxml/open-package.ts'

/** What the file says about itself. */
export const metadata = defineCapability({
  id: 'word.metadata',
  output: 'metadata',
  defaultSelected: true,
  detail: 'JSON: title, author, dates, counts, custom properties, template, macros, embedded files, links to outside.',
  options: {},
  async *extract(source) {
    const file = await openPackage(source)
    try {
      const data = writeJsonFile(await describeFile(source, file))
      yield { path: artifactPath(source, 'metadata', 'json'), mediaType: 'application/json', data }
    } finally {
      file.close()
    }
  },
})
