import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { describePackage } from '../shared/ooxml/describe-package.ts'
import { openPackage } from '../shared/ooxml/open-package.ts'
import { readProperties } from '../shared/ooxml/properties.ts'

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
      const { core, application, custom } = await readProperties(file)
      const data = writeJsonFile({
        format: source.extension,
        bytes: source.bytes,
        ...core,
        application,
        ...(Object.keys(custom).length > 0 ? { custom } : {}),
        ...(await describePackage(file)),
      })
      yield { path: artifactPath(source, 'metadata', 'json'), mediaType: 'application/json', data }
    } finally {
      file.close()
    }
  },
})
