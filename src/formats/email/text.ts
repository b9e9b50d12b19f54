import { defineCapability } from '../../core/catalog.ts'
import { tableLayoutOption } from '../shared/document/options.ts'
import { writeText } from '../shared/document/write-text.ts'
import { headersOption, messagesOption, readingOptions } from './options.ts'
import { writeMessages } from './write-messages.ts'

/** What a message says, in plain text. */
export const text = defineCapability({
  id: 'email.text',
  output: 'text',
  defaultSelected: true,
  detail: 'Plain text, UTF-8: who wrote to whom and when, then the body; quoted text after `>`.',
  options: {
    ...readingOptions,
    messages: messagesOption,
    headers: headersOption,
    tableLayout: tableLayoutOption,
  },
  async *extract(source, options, context) {
    yield* writeMessages(source, options, context, {
      folder: 'text',
      extension: 'txt',
      mediaType: 'text/plain; charset=utf-8',
      headers: options.headers ? 'lines' : 'none',
      separator: '\n----------\n\n',
      write: ({ document }) =>
        writeText(document, {
          pageBreaks: 'none',
          headersFooters: 'keep',
          tableLayout: options.tableLayout,
          quotes: 'marked',
        }),
    })
  },
})
