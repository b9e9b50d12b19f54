import type { Attachment, BodyPiece } from '../mail.ts'
import type { Charsets } from '../mime/charsets.ts'
import { ID, makeProperties, type Properties, type PropertyValue, pageName, TYPE } from './properties.ts'
import { readRtf } from './rtf.ts'
import { decompressRtf } from './rtf-compression.ts'

const SIGNATURE = 0x223e9f78
const ATTRIBUTE = {
  body: 0x800c,
  attachStart: 0x9002,
  attachTitle: 0x8010,
  attachData: 0x800f,
  attachProperties: 0x9005,
  messageProperties: 0x9003,
  codePage: 0x9007,
} as const
const MAX_ATTACHMENTS = 1_000
const MAX_PROPERTIES = 10_000
const MAX_VALUES = 1_000

type Draft = { title: string | undefined; data: Buffer | undefined; properties: Properties | undefined }

/** Unpacks a `winmail.dat`; undefined where the file is none. */
export const readTnef = (
  data: Buffer,
  path: string,
  charsets: Charsets,
): { body: BodyPiece | undefined; attachments: Attachment[] } | undefined => {
  if (data.length < 6 || data.readUInt32LE(0) !== SIGNATURE) return undefined
  let page: number | undefined
  let plain: string | undefined
  let message: Properties | undefined
  const drafts: Draft[] = []
  for (const { id, value } of readAttributes(data)) {
    const last = drafts.at(-1)
    if (id === ATTRIBUTE.codePage && value.length >= 4) page = value.readUInt32LE(0)
    else if (id === ATTRIBUTE.body) plain = decodeText(value, page, charsets)
    else if (id === ATTRIBUTE.messageProperties) message = makeProperties(readProperties(value), charsets, page)
    else if (id === ATTRIBUTE.attachStart) {
      if (drafts.length >= MAX_ATTACHMENTS) break
      drafts.push({ title: undefined, data: undefined, properties: undefined })
    } else if (last && id === ATTRIBUTE.attachTitle) last.title = decodeText(value, page, charsets)
    else if (last && id === ATTRIBUTE.attachData) last.data = value
    else if (last && id === ATTRIBUTE.attachProperties)
      last.properties = makeProperties(readProperties(value), charsets, page)
  }
  return {
    body: message ? readBody(message, plain, charsets) : plain ? { kind: 'text', text: plain } : undefined,
    attachments: drafts.map((draft, index) => toAttachment(draft, `${path}.${index + 1}`)),
  }
}

const decodeText = (value: Buffer, page: number | undefined, charsets: Charsets): string => {
  const text = charsets.decode(value, pageName(page)) ?? value.toString('latin1')
  return (text.split('\u0000', 1)[0] as string).replace(/\r\n?/g, '\n')
}

function* readAttributes(data: Buffer): Generator<{ id: number; value: Buffer }> {
  for (let at = 6; at + 9 <= data.length; ) {
    const id = data.readUInt16LE(at + 1)
    const length = data.readUInt32LE(at + 5)
    yield { id, value: data.subarray(at + 9, at + 9 + length) }
    at += 9 + length + 2
  }
}

/** The body of an item: HTML where it has it, also inside RTF, else plain text. */
export const readBody = (item: Properties, plain: string | undefined, charsets: Charsets): BodyPiece | undefined => {
  const html = item.bytes(ID.html)
  const htmlText =
    html && (item.text(ID.html) ?? charsets.decode(html, pageName(item.number(ID.internetCodePage) ?? 65001)))
  const text = (plain ?? item.text(ID.body) ?? '').replace(/\r\n?/g, '\n')
  const textPiece: BodyPiece | undefined = text.trim() === '' ? undefined : { kind: 'text', text }
  const rich: BodyPiece | undefined = htmlText ? { kind: 'html', html: htmlText } : readRtfBody(item, charsets)
  if (rich && textPiece) {
    // RTF that holds no HTML says no more than the plain text beside it.
    return rich.kind === 'html' ? { kind: 'choice', html: [rich], text: [textPiece] } : textPiece
  }
  return rich ?? textPiece
}

const readRtfBody = (item: Properties, charsets: Charsets): BodyPiece | undefined => {
  const compressed = item.bytes(ID.rtf)
  const rtf = compressed && decompressRtf(compressed)
  const piece = rtf && readRtf(rtf, charsets)
  return piece?.kind === 'text' && piece.text.trim() === '' ? undefined : piece
}

const toAttachment = ({ title, data, properties }: Draft, part: string): Attachment => {
  const object = properties?.bytes(ID.attachData)
  // The data of an object begins with the sixteen bytes that name its interface.
  const content = data ?? (object && object.length > 16 ? object.subarray(16) : Buffer.alloc(0))
  const name = properties?.text(ID.attachLongName) ?? properties?.text(ID.attachName) ?? title ?? null
  const contentId = properties?.text(ID.attachContentId)?.replace(/^<|>$/g, '') || null
  return {
    name,
    mediaType: properties?.text(ID.attachMime)?.toLowerCase() || 'application/octet-stream',
    contentId,
    location: null,
    isInline: contentId !== null && (properties?.flag(ID.attachHidden) ?? false),
    part,
    read: () => [content],
  }
}

const pad = (length: number): number => (length + 3) & ~3

/** The properties in one attribute; what cannot be followed ends them. */
const readProperties = (data: Buffer): Map<number, PropertyValue> => {
  const found = new Map<number, PropertyValue>()
  if (data.length < 4) return found
  const count = Math.min(data.readUInt32LE(0), MAX_PROPERTIES)
  let at = 4
  for (let i = 0; i < count && at + 4 <= data.length; i++) {
    const type = data.readUInt16LE(at)
    const id = data.readUInt16LE(at + 2)
    at += 4
    if (id >= 0x8000) {
      const afterName = skipName(data, at)
      if (afterName === undefined) return found
      at = afterName
    }
    const value = readValue(data, at, type)
    if (!value) return found
    found.set(id, { type: type & 0x0fff, data: value.data })
    at = value.next
  }
  return found
}

const skipName = (data: Buffer, at: number): number | undefined => {
  if (at + 24 > data.length) return undefined
  const isNumber = data.readUInt32LE(at + 16) === 0
  return isNumber ? at + 24 : at + 24 + pad(data.readUInt32LE(at + 20))
}

const FIXED: Readonly<Record<number, number>> = {
  [TYPE.short]: 4,
  [TYPE.long]: 4,
  4: 4,
  [TYPE.double]: 8,
  6: 8,
  7: 8,
  10: 4,
  [TYPE.boolean]: 4,
  20: 8,
  [TYPE.time]: 8,
  72: 16,
}

const readValue = (data: Buffer, start: number, type: number): { data: Buffer; next: number } | undefined => {
  const isMany = (type & 0x1000) !== 0
  const fixed = FIXED[type & 0x0fff]
  if (fixed && !isMany) return { data: data.subarray(start, start + fixed), next: start + fixed }
  if (start + 4 > data.length) return undefined
  const count = data.readUInt32LE(start)
  if (fixed) return { data: Buffer.alloc(0), next: start + 4 + count * fixed }
  if (count > MAX_VALUES) return undefined
  let at = start + 4
  let first: Buffer | undefined
  for (let i = 0; i < count; i++) {
    if (at + 4 > data.length) return undefined
    const length = data.readUInt32LE(at)
    first ??= data.subarray(at + 4, at + 4 + length)
    at += 4 + pad(length)
  }
  return { data: first ?? Buffer.alloc(0), next: at }
}
