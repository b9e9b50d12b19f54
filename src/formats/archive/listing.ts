import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { passwordOption } from '../shared/password-option.ts'
import { writeCsv, writeJson } from './listing-tables.ts'
import { writeTree } from './listing-tree.ts'
import { openSource } from './open.ts'

/** What is in the archive. */
export const listing = defineCapability({
  id: 'archive.listing',
  output: 'listing',
  defaultSelected: true,
  detail: 'Every member with its size, packed size, time, mode, checksum and kind; nothing is unpacked to the result.',
  options: {
    password: passwordOption,
    formats: {
      type: 'list',
      allowedValues: ['json', 'text', 'csv'],
      defaultValue: ['json', 'text'],
      detail: '`json` and `csv` say everything; `text` is a tree to read.',
    },
  },
  async *extract(source, { password, formats }, context) {
    const reader = await openSource(source, password, context)
    if (formats.includes('json')) {
      yield {
        path: artifactPath(source, 'listing', 'json'),
        mediaType: 'application/json',
        data: inPieces(writeJson(reader)),
      }
    }
    if (formats.includes('text')) {
      yield {
        path: artifactPath(source, 'listing', 'txt'),
        mediaType: 'text/plain; charset=utf-8',
        data: inPieces(writeTree(reader, source)),
      }
    }
    if (formats.includes('csv')) {
      yield {
        path: artifactPath(source, 'listing', 'csv'),
        mediaType: 'text/csv; charset=utf-8',
        data: inPieces(writeCsv(reader)),
      }
    }
  },
})

const PIECE_CHARACTERS = 65_536

/** Lines gathered into pieces that are worth writing. */
async function* inPieces(lines: Iterable<string>): AsyncGenerator<string> {
  let piece = ''
  for (const line of lines) {
    piece += line
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  yield piece
}
