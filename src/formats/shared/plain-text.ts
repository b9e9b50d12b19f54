import type { Context, Source } from '../../core/catalog.ts'
import { decodeText, normalizeNewlines } from './decode.ts'
import type { EncodingReport } from './encoding.ts'
import { readChunks } from './read-chunks.ts'

/** The text of a source as UTF-8; bytes that already are what goes out are passed on untouched. */
export const readPlainText = (
  source: Source,
  context: Context,
  encoding: EncodingReport,
  newlines: 'lf' | 'keep' = 'lf',
): AsyncIterable<string | Uint8Array> => {
  if (encoding.damaged) {
    context.warn('text.damaged', `Some bytes are not ${encoding.name}; they are written as U+FFFD.`)
  }
  if (encoding.isOutputAlready) return readChunks(source, context, [0.2, 1])
  const chunks = decodeText(source, context, encoding)
  return newlines === 'keep' ? chunks : normalizeNewlines(chunks)
}
