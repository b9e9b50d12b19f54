import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { encodingOption, findEncoding } from '../shared/encoding.ts'
import { readPlainText } from '../shared/plain-text.ts'

/** The whole text of the file as UTF-8, well formed or not. */
export const text = defineCapability({
  id: 'data.text',
  output: 'text',
  defaultSelected: true,
  detail: 'The text as UTF-8 without a byte-order mark, lines ended by a line feed.',
  options: { encoding: encodingOption },
  async *extract(source, options, context) {
    const encoding = await findEncoding(source, context, options.encoding)
    yield {
      path: artifactPath(source, 'text', 'txt'),
      mediaType: 'text/plain; charset=utf-8',
      data: readPlainText(source, context, encoding),
    }
  },
})
