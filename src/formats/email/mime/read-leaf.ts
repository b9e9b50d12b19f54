import type { BodyPiece } from '../mail.ts'
import { readRtf } from '../msg/rtf.ts'
import { readTnef } from '../msg/tnef.ts'
import { openEnvelope } from './der.ts'
import {
  addAttachment,
  addProblem,
  type Leaf,
  MAX_ENVELOPE_BYTES,
  type Place,
  type Reading,
  type ReadPart,
  readLeafText,
  readLeafWhole,
} from './reading.ts'
import { scanBuffer } from './scan-parts.ts'
import { enrichedToHtml, isPgpMessage, openClearSigned } from './text-forms.ts'
import { decodeUuLine, splitUuencoded } from './uuencode.ts'

/** What one part gives to the body, and to the attachments of the reading. */
export const readLeafPieces = async (
  leaf: Leaf,
  place: Place,
  reading: Reading,
  readInner: ReadPart,
): Promise<BodyPiece[]> => {
  const { type } = leaf
  if (place === 'resource' && !/^application\/(?:ms-tnef|vnd\.ms-tnef)$/.test(type)) {
    addAttachment(leaf, reading, { isInline: type.startsWith('image/') || leaf.contentId !== null })
    return []
  }
  if (/^text\/(?:calendar|x-vcalendar)$|^application\/ics$/.test(type))
    return await readBeside(leaf, 'calendar', reading)
  if (/^text\/(?:x-)?vcard$|^text\/directory$/.test(type)) return await readBeside(leaf, 'contact', reading)
  if (/^application\/(?:x-)?pkcs7-mime$/.test(type)) return await readEnvelope(leaf, reading, readInner)
  if (/^application\/(?:vnd\.)?ms-tnef$/.test(type) || /^winmail\.dat$/i.test(leaf.name ?? ''))
    return await readWinmail(leaf, reading)
  if (
    /^(?:message\/(?:delivery-status|disposition-notification|feedback-report|global-delivery-status|external-body)|text\/rfc822-headers)$/.test(
      type,
    )
  )
    return [{ kind: 'report', text: await readLeafText(leaf, reading) }]
  if (isBody(leaf, place)) return await readText(leaf, reading)
  if (/(?:pkcs7|pgp)-signature$/.test(type)) reading.protection.signed ??= /pgp/.test(type) ? 'pgp' : 'smime'
  const attachment = addAttachment(leaf, reading)
  return type.startsWith('image/') && leaf.disposition !== 'attachment' ? [{ kind: 'image', attachment }] : []
}

/** Texts that are files even where they have no name. */
const FILE_TYPE = /^text\/(?:css|javascript|csv|xml|x-.*script|x-diff|x-patch)$/

/** A text that has a name is a file, unless it is all that the message says. */
const isBody = ({ type, name, disposition }: Leaf, place: Place): boolean => {
  if (!type.startsWith('text/') || (place !== 'message' && FILE_TYPE.test(type))) return false
  if (disposition === 'attachment') return false
  return name === undefined || place !== 'mixed'
}

const readText = async (leaf: Leaf, reading: Reading): Promise<BodyPiece[]> => {
  const raw = await readLeafText(leaf, reading)
  reading.hasText ||= raw.trim() !== ''
  if (leaf.type === 'text/html')
    return [{ kind: 'html', html: raw, ...(leaf.location ? { location: leaf.location } : {}) }]
  if (leaf.type === 'text/enriched' || leaf.type === 'text/richtext')
    return [{ kind: 'html', html: enrichedToHtml(raw) }]
  if (leaf.type === 'text/rtf') return [readRtf(Buffer.from(raw, 'latin1'), reading.charsets)]
  if (isPgpMessage(raw)) {
    reading.protection.encrypted ??= 'pgp'
    addProblem(reading, 'email.encrypted', 'The body, or a part of it, is encrypted.')
  }
  const opened = openClearSigned(raw)
  if (opened !== undefined) reading.protection.signed ??= 'pgp'
  const { text, files } = splitUuencoded(opened ?? raw)
  for (const { name, lines } of files) {
    addAttachment({ ...leaf, name, type: 'application/octet-stream', contentId: null, location: null }, reading, {
      isInline: false,
      read: () => [Buffer.concat(lines.map(decodeUuLine))],
    })
  }
  if (text.trim() === '') return []
  const { format, delsp } = leaf.part.contentType.params
  const isFlowed = format?.toLowerCase() === 'flowed'
  const flowed = delsp?.toLowerCase() === 'yes' ? 'delete-space' : 'keep-space'
  return [{ kind: 'text', text, ...(isFlowed ? { flowed } : {}) }]
}

/** Something that is shown in the body and is a file too. */
const readBeside = async (leaf: Leaf, kind: 'calendar' | 'contact', reading: Reading): Promise<BodyPiece[]> => {
  const name = leaf.name ?? (kind === 'calendar' ? 'invite.ics' : 'contact.vcf')
  addAttachment({ ...leaf, name }, reading, { isInline: false })
  return [{ kind, text: await readLeafText(leaf, reading) }]
}

/** The content of a signed envelope stands where the envelope stood. */
const readEnvelope = async (leaf: Leaf, reading: Reading, readInner: ReadPart): Promise<BodyPiece[]> => {
  const name = leaf.name ?? 'smime.p7m'
  const der = reading.envelopesLeft-- > 0 ? readLeafWhole(leaf, MAX_ENVELOPE_BYTES) : undefined
  const envelope = der ? openEnvelope(der) : { kind: 'unknown' as const }
  if (envelope.kind === 'signed') {
    reading.protection.signed ??= 'smime'
    const { bytes, scanned } = scanBuffer(envelope.content)
    return await readInner(scanned.root, bytes, leaf.path)
  }
  addAttachment({ ...leaf, name }, reading, { isInline: false })
  if (envelope.kind === 'encrypted') {
    reading.protection.encrypted ??= 'smime'
    addProblem(reading, 'email.encrypted', 'The body is encrypted; only its headers can be read.')
  } else addProblem(reading, 'email.envelope_unreadable', 'A signed or encrypted part could not be opened.')
  return []
}

/** What Outlook packed into one file, unpacked; the file itself where that fails. */
const readWinmail = async (leaf: Leaf, reading: Reading): Promise<BodyPiece[]> => {
  const data = reading.envelopesLeft-- > 0 ? readLeafWhole(leaf, MAX_ENVELOPE_BYTES) : undefined
  const unpacked = data && readTnef(data, leaf.path, reading.charsets)
  if (!unpacked) {
    addAttachment(leaf, reading)
    addProblem(reading, 'email.winmail_unreadable', 'A winmail.dat could not be unpacked; it is kept as it is.')
    return []
  }
  reading.attachments.push(...unpacked.attachments)
  // What it says is mostly said again outside it.
  return unpacked.body && !reading.hasText ? [unpacked.body] : []
}
