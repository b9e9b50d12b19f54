import { TextDecoder } from 'node:util'
import { JobFailure } from '../../../core/errors.ts'
import { overLimit } from '../decode.ts'
import type { XmlEvents } from './events.ts'
import { createScopes, type Prefixes } from './namespaces.ts'
import { createScanner, ScanError } from './scan-xml.ts'

export type XmlLimits = { depth: number; elements: number }
export const XML_LIMITS: XmlLimits = { depth: 400, elements: 20_000_000 }

const PIECE_CHARACTERS = 65_536

/**
 * Reads a part of a package: a document type is refused (no entity is ever declared), depth and size are limited, and
 * prefixes follow the namespace and not the whim of the writer. `pause` is awaited between pieces.
 */
export const readXml = async (
  content: Uint8Array | AsyncIterable<Uint8Array>,
  prefixes: Prefixes,
  events: XmlEvents,
  { limits = XML_LIMITS, pause }: { limits?: XmlLimits; pause?: () => Promise<void> | undefined } = {},
): Promise<void> => {
  const scopes = createScopes(prefixes)
  let depth = 0
  let elements = 0
  const scanner = createScanner({
    open(name, attributes, declares) {
      if (++depth > limits.depth) throw overLimit('xmlDepth', limits.depth)
      if (++elements > limits.elements) throw overLimit('xmlElements', limits.elements)
      if (declares) scopes.declare(attributes, depth)
      events.open(scopes.elementName(name), scopes.attributes(attributes))
    },
    close(name) {
      events.close(scopes.elementName(name))
      scopes.leave(depth--)
    },
    text: events.text,
  })
  try {
    for await (const text of decodePieces(content)) {
      scanner.write(text)
      await pause?.()
    }
    scanner.end()
  } catch (error) {
    throw error instanceof ScanError ? toFailure(error) : error
  }
}

/** The text of a part; UTF-8 unless a mark or the declaration tells otherwise. */
async function* decodePieces(content: Uint8Array | AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  for await (const bytes of content instanceof Uint8Array ? [content] : content) {
    decoder ??= chooseDecoder(bytes)
    for (let at = 0; at < bytes.length; at += PIECE_CHARACTERS) {
      yield decoder.decode(bytes.subarray(at, at + PIECE_CHARACTERS), { stream: true })
    }
  }
  const rest = decoder?.decode()
  if (rest) yield rest
}

const chooseDecoder = (head: Uint8Array): TextDecoder => {
  const [first, second] = head
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return new TextDecoder('utf-16le')
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return new TextDecoder('utf-16be')
  const declaration = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 200)).toString('latin1')
  const name = /^(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(declaration)?.[1] ?? 'utf-8'
  try {
    // A declared UTF-16 that began like single bytes is not UTF-16.
    return new TextDecoder(/^utf-?16/i.test(name) ? 'utf-8' : name)
  } catch {
    return new TextDecoder()
  }
}

const DETAILS = {
  malformed: { reason: 'xml', detail: 'A part of the file is not well-formed XML.' },
  doctype: { reason: 'doctype', detail: 'A part of the file declares a document type, which is not allowed there.' },
} as const

const toFailure = (cause: ScanError): JobFailure => {
  const { reason, detail } = DETAILS[cause.problem]
  return new JobFailure('extract.source_unreadable', { reason }, { detail, cause })
}
