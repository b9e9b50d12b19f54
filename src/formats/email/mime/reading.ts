import type { Attachment, BodyPiece, Mail, Problem, Protection } from '../mail.ts'
import { type Bytes, readPieces } from './bytes.ts'
import { type Charsets, decodeBody } from './charsets.ts'
import { decodeParameter, decodeWords } from './encoded-words.ts'
import { headerValue, readDisposition } from './header-values.ts'
import type { RawPart } from './scan-parts.ts'
import { decodeTransfer } from './transfer.ts'

/** Text of one message that is held in memory; the rest is left out. */
const MAX_TEXT_BYTES = 8 * 1_048_576
/** What must be opened whole to be understood: a signed envelope, a `winmail.dat`. */
export const MAX_ENVELOPE_BYTES = 64 * 1_048_576

/** What stands around a part, where that decides what it is. */
export type Place = 'message' | 'mixed' | 'alternative' | 'related' | 'resource'

/** What is gathered while one message is read. */
export type Reading = {
  readonly charsets: Charsets
  /** Character set of bare 8-bit text in headers. */
  readonly fallback: string
  readonly attachments: Attachment[]
  readonly problems: Problem[]
  readonly protection: Protection
  /** Text of a body was found. */
  hasText: boolean
  textBytesLeft: number
  envelopesLeft: number
  /** Reads the message inside a part. */
  readInner(bytes: Bytes, root: RawPart): Promise<Mail>
}

export const makeReading = (charsets: Charsets, fallback: string, readInner: Reading['readInner']): Reading => ({
  charsets,
  fallback,
  attachments: [],
  problems: [],
  protection: { signed: null, encrypted: null },
  hasText: false,
  textBytesLeft: MAX_TEXT_BYTES,
  envelopesLeft: 20,
  readInner,
})

/** A part as the reader of its content sees it. */
export type Leaf = {
  part: RawPart
  bytes: Bytes
  path: string
  type: string
  /** File name, decoded; absent where it has none. */
  name: string | undefined
  disposition: string
  contentId: string | null
  location: string | null
}

export const describeLeaf = (part: RawPart, bytes: Bytes, path: string, reading: Reading): Leaf => {
  const { headers, contentType } = part
  const disposition = readDisposition(headerValue(headers, 'content-disposition'))
  const name =
    decodeParameter(disposition.params, 'filename', reading.charsets, reading.fallback) ??
    decodeParameter(contentType.params, 'name', reading.charsets, reading.fallback)
  const contentId = headerValue(headers, 'content-id').trim().replace(/^<|>$/g, '')
  const location = decodeWords(headerValue(headers, 'content-location').replace(/\s+/g, ''), reading.charsets, 'utf-8')
  return {
    part,
    bytes,
    path,
    type: contentType.type,
    name: name?.trim() || undefined,
    disposition: disposition.kind,
    contentId: contentId || null,
    location: location || null,
  }
}

/** The decoded bytes of a part. */
export const readLeaf = ({ part, bytes }: Leaf): Iterable<Buffer> =>
  decodeTransfer(
    readPieces(bytes, part.bodyStart, part.bodyEnd),
    headerValue(part.headers, 'content-transfer-encoding').replace(/\(.*?\)|[;\s].*$/g, ''),
  )

/** At most so many decoded bytes of a part; undefined where there are more. */
export const readLeafWhole = (leaf: Leaf, maxBytes: number): Buffer | undefined => {
  const pieces: Buffer[] = []
  let length = 0
  for (const piece of readLeaf(leaf)) {
    length += piece.length
    if (length > maxBytes) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** The text of a part with single line feeds; what is over the limit of the message is left out. */
export const readLeafText = async (leaf: Leaf, reading: Reading): Promise<string> => {
  const pieces: Buffer[] = []
  for (const piece of readLeaf(leaf)) {
    const taken = piece.subarray(0, reading.textBytesLeft)
    pieces.push(taken)
    reading.textBytesLeft -= taken.length
    if (taken.length === piece.length) continue
    addProblem(reading, 'email.text_too_long', 'The message has more text than is read; the rest is left out.')
    break
  }
  const bytes = Buffer.concat(pieces)
  const charset = leaf.part.contentType.params.charset ?? ''
  const declared = leaf.type === 'text/html' ? declaredInHtml(bytes) : undefined
  const text = await decodeBody(bytes, charset, declared)
  return text.replace(/\r\n?/g, '\n').replaceAll('\u0000', '')
}

const declaredInHtml = (bytes: Buffer): string | undefined =>
  /<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9._-]{2,40})/i
    .exec(bytes.toString('latin1', 0, 4_096))?.[1]
    ?.toLowerCase()

export const addProblem = ({ problems }: Reading, code: string, detail: string): void => {
  if (!problems.some((problem) => problem.code === code)) problems.push({ code, detail })
}

/** Puts a part among the attachments. */
export const addAttachment = (leaf: Leaf, reading: Reading, more: Partial<Attachment> = {}): Attachment => {
  const attachment: Attachment = {
    name: leaf.name ?? null,
    mediaType: leaf.type,
    contentId: leaf.contentId,
    location: leaf.location,
    isInline: leaf.disposition === 'inline' && leaf.type.startsWith('image/'),
    part: leaf.path,
    read: () => readLeaf(leaf),
    ...more,
  }
  reading.attachments.push(attachment)
  return attachment
}

export type ReadPart = (part: RawPart, bytes: Bytes, path: string) => Promise<BodyPiece[]>
