import { defineCapability } from '../../core/catalog.ts'
import { writeJsonOutput } from '../shared/document/write-outputs.ts'
import { contentOption, outputsOption, readDocument } from './page.ts'

/** All that is known of the page's content, for programs. */
export const json = defineCapability({
  id: 'web.json',
  output: 'json',
  defaultSelected: false,
  detail: 'The page as JSON: blocks with kind, text, styles and links, images.',
  options: { content: contentOption, outputs: outputsOption },
  async *extract(source, { content, outputs }, context) {
    const { document } = await readDocument(source, content, context, outputs)
    yield writeJsonOutput(source, document)
  },
})
