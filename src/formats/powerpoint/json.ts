import { defineCapability } from '../../core/catalog.ts'
import { writeJsonOutput } from '../shared/document/write-outputs.ts'
import { slideOptions } from './options.ts'
import { readDocument } from './read-content.ts'

/** All that is known of the slides, for programs. */
export const json = defineCapability({
  id: 'powerpoint.json',
  output: 'json',
  defaultSelected: false,
  detail: 'The slides as JSON: blocks with kind, text, styles, slide and box, images.',
  options: slideOptions,
  async *extract(source, options, context) {
    yield writeJsonOutput(source, await readDocument(source, options, context))
  },
})
