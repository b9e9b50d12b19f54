import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { encodingOption, findEncoding } from '../shared/encoding.ts'
import { readPlainText } from '../shared/plain-text.ts'

/** The whole text of the file as UTF-8. */
export const text = defineCapability({
  id: 'text.text',
  output: 'text',
  defaultSelected: true,
  detail: 'The text as UTF-8 without a byte-order mark.',
  options: {
    encoding: encodingOption,
    newlines: {
      type: 'enum',
      allowedValues: ['lf', 'keep'],
      defaultValue: 'lf',
      detail: 'lf ends every line in a line feed; keep leaves the ends as they are.',
    },
  },
  async *extract(source, options, context) {
    const encoding = await findEncoding(source, context, options.encoding)
    yield {
      path: artifactPath(source, 'text', 'txt'),
      mediaType: 'text/plain; charset=utf-8',
      data: readPlainText(source, context, encoding, options.newlines),
    }
  },
})
