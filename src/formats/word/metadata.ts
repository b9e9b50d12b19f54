import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { describeFile } from '../shared/ooxml/describe-package.ts'
import { openPackage } from '../shared/ooxml/open-package.ts'
import { passwordOption } from '../shared/password-option.ts'
import { asDocx } from './legacy/as-docx.ts'
import { describeLegacy } from './legacy/describe-legacy.ts'

/** What the file says about itself. */
export const metadata = defineCapability({
  id: 'word.metadata',
  output: 'metadata',
  defaultSelected: true,
  detail: 'JSON: title, author, dates, counts, custom properties, template, macros, embedded files, links to outside.',
  options: { password: passwordOption },
  async *extract(source, { password }, context) {
    const file = await openPackage(await asDocx(source, context, password))
    try {
      const data = writeJsonFile(await describeFile(source, file, await describeLegacy(source)))
      yield { path: artifactPath(source, 'metadata', 'json'), mediaType: 'application/json', data }
    } finally {
      file.close()
    }
  },
})
