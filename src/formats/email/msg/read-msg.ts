import { JobFailure } from '../../../core/errors.ts'
import type { CompoundFile } from '../../shared/ole/compound-file.ts'
import type { Attachment, BodyPiece, Header, Mail, Problem } from '../mail.ts'
import { type Address, readAddresses } from '../mime/addresses.ts'
import { bufferBytes } from '../mime/bytes.ts'
import { type Charsets, loadCharsets } from '../mime/charsets.ts'
import { readDate } from '../mime/dates.ts'
import { decodeWords } from '../mime/encoded-words.ts'
import { makeHeaderBudget, type RawHeader, readHeaderBlock } from '../mime/header-block.ts'
import { decodeHeaders } from '../mime/read-mail.ts'
import { readDetails } from './item-details.ts'
import { readNames } from './named-properties.ts'
import { ID, makeProperties, type Properties, type PropertyValue, TYPE } from './properties.ts'
import { openStorages, readStream, readStreamPieces, type Storage } from './storage.ts'
import { readBody } from './tnef.ts'
import { writeEml } from './write-eml.ts'

const MAX_VALUE_BYTES = 32 * 1_048_576
const MAX_ATTACHMENTS = 5_000
const MAX_DEPTH = 20
const PROPERTIES = '__properties_version1.0'

/** Reads a message of Outlook; the file stays open for what is attached. */
export const readMsg = async (file: CompoundFile): Promise<Mail> => {
  const charsets = await loadCharsets()
  const root = openStorages(file)
  if (!root.streams.has(PROPERTIES)) throw unreadable('no message')
  const mail = readItem(root, { charsets, names: readNames(root), headerBytes: 32, depth: 0, path: '' })
  const saysNothing = mail.subject === null && mail.body.length === 0 && mail.attachments.length === 0
  if (saysNothing && mail.from.length === 0 && mail.to.length === 0) throw unreadable('damaged')
  return mail
}

const unreadable = (reason: string): JobFailure =>
  new JobFailure('extract.source_unreadable', { reason }, { detail: 'The file is no message of Outlook, or damaged.' })

type Place = {
  charsets: Charsets
  names: ReadonlyMap<string, number>
  headerBytes: number
  /** Of the item around it, which holds for what says none. */
  codePage?: number | undefined
  depth: number
  path: string
}

const readItem = (storage: Storage, place: Place): Mail => {
  const { charsets } = place
  const item = makeProperties(readValues(storage, place.headerBytes), charsets)
  const problems: Problem[] = []
  const codePage = item.number(ID.messageCodePage) ?? item.number(ID.internetCodePage)
  const transport = readTransportHeaders(item, charsets)
  const recipients = listStorages(storage, '__recip_version1.0_').map((each) =>
    makeProperties(readValues(each, 8), charsets, codePage),
  )
  const attachments = listStorages(storage, '__attach_version1.0_').map((each, index) =>
    readAttachment(each, `${place.path}${index + 1}`, { ...place, codePage }, problems),
  )
  const details = readDetails(item, place.names)
  const body = readBody(item, undefined, charsets)
  const isEncrypted = /^ipm\.note\.(?:smime$|secure\.sign$|.*rpmsg)/i.test(item.text(ID.messageClass) ?? '')
  const isRights = attachments.some(({ name }) => /^message\.rpmsg$/i.test(name ?? ''))
  const isSmime = isEncrypted && attachments.some(({ name }) => /\.p7m$/i.test(name ?? ''))
  if (isRights || isSmime)
    problems.push({ code: 'email.encrypted', detail: 'The body is encrypted; only its headers can be read.' })
  return {
    subject: item.text(ID.subject)?.trim() || null,
    date:
      transport.date ?? item.time(ID.submitTime) ?? item.time(ID.deliveryTime) ?? item.time(ID.creationTime) ?? null,
    from: transport.from.length > 0 ? transport.from : readSender(item, 'represented'),
    sender: transport.from.length > 0 ? [] : differing(readSender(item, 'sender'), readSender(item, 'represented')),
    replyTo: transport.replyTo,
    to: readRecipients(recipients, 1, item.text(ID.displayTo)),
    cc: readRecipients(recipients, 2, item.text(ID.displayCc)),
    bcc: readRecipients(recipients, 3, item.text(ID.displayBcc)),
    headers: transport.headers.length > 0 ? transport.headers : makeHeaders(item),
    body: [
      ...(details.length > 0 ? [{ kind: 'details' as const, entries: details }] : []),
      ...(body ? [body] : []),
      ...showMessages(attachments),
    ],
    attachments,
    protection: {
      signed: /^ipm\.note\.smime\.multipartsigned/i.test(item.text(ID.messageClass) ?? '') ? 'smime' : null,
      encrypted: isRights ? 'rights' : isSmime ? 'smime' : null,
    },
    problems,
  }
}

const showMessages = (attachments: readonly Attachment[]): BodyPiece[] =>
  attachments.flatMap((attachment) => (attachment.mail ? [{ kind: 'message', attachment, mail: attachment.mail }] : []))

const listStorages = ({ storages }: Storage, prefix: string): Storage[] =>
  storages.filter(({ name }) => name.startsWith(prefix)).slice(0, MAX_ATTACHMENTS)

/** Values of fixed size lie in one stream; the others each in their own. */
const readValues = (storage: Storage, headerBytes: number): Map<number, PropertyValue> => {
  const values = new Map<number, PropertyValue>()
  const fixed = readStream(storage.streams.get(PROPERTIES), 1_048_576)
  for (let at = headerBytes; at + 16 <= fixed.length; at += 16) {
    const type = fixed.readUInt16LE(at)
    if (type < 0x000c || type === TYPE.time || type === 0x0014) {
      values.set(fixed.readUInt16LE(at + 2), { type, data: fixed.subarray(at + 8, at + 16) })
    }
  }
  for (const [name, stream] of storage.streams) {
    const [, id, type] = /^__substg1\.0_([0-9A-F]{4})([0-9A-F]{4})$/i.exec(name) ?? []
    // What is attached is read when it is asked for.
    if (!id || !type || Number.parseInt(id, 16) === ID.attachData) continue
    values.set(Number.parseInt(id, 16), { type: Number.parseInt(type, 16), data: readStream(stream, MAX_VALUE_BYTES) })
  }
  return values
}

const readAttachment = (storage: Storage, part: string, place: Place, problems: Problem[]): Attachment => {
  const facts = makeProperties(readValues(storage, 8), place.charsets, place.codePage)
  const data = storage.streams.get('__substg1.0_37010102')
  const inner = storage.storages.find(({ name }) => name === '__substg1.0_3701000D')
  const contentId = facts.text(ID.attachContentId)?.replace(/^<|>$/g, '') || null
  const name = facts.text(ID.attachLongName) || facts.text(ID.attachName) || facts.text(ID.displayName) || null
  const base = {
    name,
    mediaType: facts.text(ID.attachMime)?.toLowerCase() || 'application/octet-stream',
    contentId,
    location: facts.text(ID.attachLocation) ?? null,
    isInline: contentId !== null && (facts.flag(ID.attachHidden) ?? false),
    part,
  }
  const isItem = inner?.streams.has(PROPERTIES) ?? false
  if (inner && isItem && place.depth < MAX_DEPTH) {
    const mail = readItem(inner, { ...place, headerBytes: 24, depth: place.depth + 1, path: `${part}.` })
    problems.push(...mail.problems)
    const title = (mail.subject ?? name ?? 'message').slice(0, 100)
    return {
      ...base,
      name: `${title}.eml`,
      mediaType: 'message/rfc822',
      isInline: false,
      mail,
      read: () => writeEml(mail),
    }
  }
  if (!data)
    problems.push({
      code: 'email.attachment_unreadable',
      detail: `The attachment ${part} has no content that can be taken out.`,
    })
  return { ...base, read: () => (data ? readStreamPieces(data) : []) }
}

const readSender = (item: Properties, who: 'represented' | 'sender'): Address[] => {
  const isSender = who === 'sender'
  const name = item.text(isSender ? ID.senderName : ID.representedName) ?? item.text(ID.senderName) ?? null
  const address =
    item.text(isSender ? ID.senderSmtp : ID.representedSmtp) ??
    item.text(isSender ? ID.senderAddress : ID.representedAddress) ??
    item.text(ID.senderSmtp) ??
    item.text(ID.senderAddress)
  return name || address ? [toAddress(name, address)] : []
}

const differing = (sender: Address[], from: readonly Address[]): Address[] =>
  sender[0]?.address === from[0]?.address ? [] : sender

/** An address inside an Exchange server (`/O=…/CN=…`) is none that anybody could write to. */
const toAddress = (name: string | null, address: string | undefined): Address => {
  const usable = address?.includes('@') ? address : null
  return { name: name && name !== usable ? name.replace(/^'(.*)'$/, '$1') : usable ? null : name, address: usable }
}

const readRecipients = (recipients: readonly Properties[], type: number, display: string | undefined): Address[] => {
  const found = recipients
    .filter((each) => (each.number(ID.recipientType) ?? 1) % 0x10 === type)
    .map((each) =>
      toAddress(each.text(ID.displayName) ?? null, each.text(ID.smtpAddress) ?? each.text(ID.emailAddress)),
    )
  if (found.length > 0 || !display) return found
  return display.split(';').flatMap((name) => (name.trim() ? [toAddress(name.trim(), name.trim())] : []))
}

type Transport = { headers: Header[]; date: string | undefined; from: Address[]; replyTo: Address[] }

/** The headers that the message came with, where it came over the internet. */
const readTransportHeaders = (item: Properties, charsets: Charsets): Transport => {
  const text = item.text(ID.transportHeaders) ?? ''
  const bytes = bufferBytes(Buffer.from(`${text.replace(/^Microsoft Mail Internet Headers[^\n]*\n/, '')}\n`, 'utf8'))
  const raw: RawHeader[] = readHeaderBlock(bytes, 0, bytes.length, makeHeaderBudget(), () => false).headers
  const decode = (value: string): string => decodeWords(value, charsets, 'utf-8')
  const all = (name: string) => raw.filter((header) => header.name.toLowerCase() === name)
  const addresses = (name: string) => all(name).flatMap((header) => readAddresses(header.raw, decode))
  return {
    headers: decodeHeaders(raw, decode),
    date: readDate(all('date')[0]?.raw ?? ''),
    from: addresses('from'),
    replyTo: addresses('reply-to'),
  }
}

/** Headers of an item that never had any. */
const makeHeaders = (item: Properties): Header[] =>
  (
    [
      ['Message-ID', ID.messageId],
      ['In-Reply-To', ID.inReplyTo],
      ['References', ID.references],
    ] as const
  ).flatMap(([name, id]) => {
    const value = item.text(id)?.trim()
    return value ? [{ name, value }] : []
  })
