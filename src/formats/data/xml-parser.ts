import type { SaxesParser } from 'saxes'
import type { Context, Source } from '../../core/catalog.ts'
import { decodeText, overLimit } from '../shared/decode.ts'
import { findEncoding } from '../shared/encoding.ts'
import type { Span } from '../shared/read-chunks.ts'
import { MAX_DEPTH } from './json-scanner.ts'
import { Malformed } from './malformed.ts'

/** What a parser meets, in order. */
export type XmlEvents = {
  open(name: string, attributes: [string, string][]): void
  close(): void
  text(text: string): void
  declaration?(version: string): void
  doctype?(doctype: string): void
}

// Feeds and exports in the wild have these, and their meaning is clear.
const TOLERATED = /undefined entity|disallowed character in entity name|empty entity name/

const COMMON_ENTITIES: Record<string, string> = {
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  deg: '°',
  micro: 'µ',
  times: '×',
  euro: '€',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
}

/**
 * Runs an XML source through the parser, pausing after every piece; gives at its end what is wrong with the source, or
 * how many entities were left as they are.
 */
export async function* parseXml(
  source: Source,
  context: Context,
  encodingName: string,
  span: Span,
  events: XmlEvents,
): AsyncGenerator<void, Malformed | number> {
  const { SaxesParser: Parser } = await import('saxes')
  const parser: SaxesParser = new Parser({ xmlns: false, position: true })
  Object.assign(parser.ENTITIES, COMMON_ENTITIES)
  let problem: Malformed | undefined
  let unknownEntities = 0
  let depth = 0
  parser.on('error', (error) => {
    if (TOLERATED.test(error.message) && unknownEntities < MAX_UNKNOWN_ENTITIES) unknownEntities++
    else
      problem ??= new Malformed(error.message.replace(/^\d+:\d+: /, '').slice(0, 200), parser.line, parser.column + 1)
  })
  parser.on('opentag', (tag) => {
    if (++depth > MAX_DEPTH) throw overLimit('depth', MAX_DEPTH)
    events.open(tag.name, Object.entries(tag.attributes) as [string, string][])
  })
  parser.on('closetag', () => {
    depth--
    events.close()
  })
  parser.on('text', (text) => events.text(text))
  parser.on('cdata', (text) => events.text(text))
  parser.on('xmldecl', ({ version }) => events.declaration?.(version ?? '1.0'))
  parser.on('doctype', (doctype) => events.doctype?.(doctype.trim()))
  const encoding = await findEncoding(source, context, encodingName)
  let isStart = true
  for await (const piece of decodeText(source, context, encoding, span)) {
    // Blank lines before the declaration are a common slip.
    const text: string = isStart ? piece.trimStart() : piece
    isStart &&= text === ''
    // In parts: a megabyte of markup would keep the thread for too long.
    for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
      parser.write(text.slice(at, at + PIECE_CHARACTERS))
      if (problem) return problem
      yield
    }
  }
  parser.close()
  return problem ?? unknownEntities
}
const PIECE_CHARACTERS = 65_536
// Each one costs the parser an error; a document full of them is no document.
const MAX_UNKNOWN_ENTITIES = 10_000

/** Parses to the end; for listeners that need no pauses. */
export const parseWholeXml = async (
  source: Source,
  context: Context,
  encodingName: string,
  span: Span,
  events: XmlEvents,
): Promise<Malformed | number> => {
  const run = parseXml(source, context, encodingName, span, events)
  for (;;) {
    const step = await run.next()
    if (step.done) return step.value
  }
}
