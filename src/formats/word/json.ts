import { defineCapability } from '../../core/catalog.ts'
import { writeJsonOutput } from '../shared/document/write-outputs.ts'
import { passwordOption } from '../shared/password-option.ts'
import { readDocument } from './document.ts'

/** All that is known of the document, for programs. */
export const json = defineCapability({
  id: 'word.json',
  output: 'json',
  defaultSelected: false,
  detail: 'The document as JSON: blocks with kind, text, styles and links, notes, images.',
  options: { password: passwordOption },
  async *extract(source, { password }, context) {
    yield writeJsonOutput(source, await readDocument(source, context, password))
  },
})
