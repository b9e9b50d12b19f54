import { JobFailure } from '../../../core/errors.ts'
import { dropDocumentType } from '../../shared/xml/drop-document-type.ts'
import type { Attributes } from '../../shared/xml/events.ts'
import { readXml } from '../../shared/xml/read-xml.ts'
import { createTreeBuilder, type Element } from '../../shared/xml/tree.ts'
import { localName } from '../xml.ts'

/** What a FictionBook is made of, as it comes. */
export type Fb2Events = {
  description(element: Element): void
  body(element: Element): void
  /** A picture begins; its content follows in pieces, as base64. */
  beginBinary(attributes: Attributes): void
  binaryPiece(text: string): void
  endBinary(): void
}

const LIMITS = { depth: 300, elements: 4_000_000 }

/** Sends the parts of a FictionBook; pictures are never whole in memory. */
export const scanFb2 = async (
  content: AsyncIterable<Buffer>,
  events: Fb2Events,
  pause?: () => Promise<void> | undefined,
): Promise<void> => {
  const builder = createTreeBuilder()
  let depth = 0
  let isBinary = false
  await readXml(
    withoutDocumentType(content),
    new Map(),
    {
      open(name, attributes) {
        depth++
        if (builder.isOpen) {
          builder.open(name, attributes)
          return
        }
        const local = localName({ name, attributes, children: [] })
        if (depth === 1 && local !== 'FictionBook') throw notFb2()
        if (depth !== 2) return
        if (local === 'description') builder.begin(name, attributes, events.description)
        else if (local === 'body') builder.begin(name, attributes, events.body)
        else if (local === 'binary') {
          isBinary = true
          events.beginBinary(attributes)
        }
      },
      close(name) {
        if (builder.isOpen) builder.close(name)
        else if (isBinary) {
          isBinary = false
          events.endBinary()
        }
        depth--
      },
      text(text) {
        if (builder.isOpen) builder.text(text)
        else if (isBinary) events.binaryPiece(text)
      },
    },
    { limits: LIMITS, ...(pause ? { pause } : {}) },
  )
}

const notFb2 = (): JobFailure =>
  new JobFailure('extract.source_unreadable', { reason: 'no-document' }, { detail: 'The file holds no FictionBook.' })

async function* withoutDocumentType(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const piece of content) {
    yield isFirst ? dropDocumentType(piece) : piece
    isFirst = false
  }
}
