import type { Charsets } from '../mime/charsets.ts'

/** Properties of an Outlook item by their number: text, number, time or bytes. */
export type Properties = {
  text(id: number): string | undefined
  number(id: number): number | undefined
  /** ISO 8601, UTC. */
  time(id: number): string | undefined
  flag(id: number): boolean | undefined
  bytes(id: number): Buffer | undefined
}

export type PropertyValue = { type: number; data: Buffer }

export const TYPE = {
  short: 0x0002,
  long: 0x0003,
  double: 0x0005,
  boolean: 0x000b,
  object: 0x000d,
  ansi: 0x001e,
  unicode: 0x001f,
  time: 0x0040,
  binary: 0x0102,
} as const

/** Numbers of the properties that are read. */
export const ID = {
  importance: 0x0017,
  messageClass: 0x001a,
  subject: 0x0037,
  submitTime: 0x0039,
  representedName: 0x0042,
  representedAddress: 0x0065,
  transportHeaders: 0x007d,
  recipientType: 0x0c15,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  displayBcc: 0x0e02,
  displayCc: 0x0e03,
  displayTo: 0x0e04,
  deliveryTime: 0x0e06,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  messageId: 0x1035,
  references: 0x1039,
  inReplyTo: 0x1042,
  displayName: 0x3001,
  emailAddress: 0x3003,
  creationTime: 0x3007,
  modificationTime: 0x3008,
  attachData: 0x3701,
  attachExtension: 0x3703,
  attachName: 0x3704,
  attachMethod: 0x3705,
  attachLongName: 0x3707,
  attachMime: 0x370e,
  attachContentId: 0x3712,
  attachLocation: 0x3713,
  attachHidden: 0x7ffe,
  smtpAddress: 0x39fe,
  internetCodePage: 0x3fde,
  messageCodePage: 0x3ffd,
  senderSmtp: 0x5d01,
  representedSmtp: 0x5d02,
} as const

/** Looks into values, whose text may be in the code page that the item names. */
export const makeProperties = (
  values: ReadonlyMap<number, PropertyValue>,
  charsets: Charsets,
  codePage?: number,
): Properties => {
  const numberOf = (id: number): number | undefined => {
    const value = values.get(id)
    if (value?.type === TYPE.long && value.data.length >= 4) return value.data.readInt32LE(0)
    if (value?.type === TYPE.short && value.data.length >= 2) return value.data.readInt16LE(0)
    return value?.type === TYPE.double && value.data.length >= 8 ? value.data.readDoubleLE(0) : undefined
  }
  const page = codePage ?? numberOf(ID.messageCodePage) ?? numberOf(ID.internetCodePage)
  return {
    number: numberOf,
    text(id) {
      const value = values.get(id)
      if (!value) return undefined
      const text = value.type === TYPE.unicode ? value.data.toString('utf16le') : decodePage(value, page, charsets)
      return text?.split('\u0000', 1)[0]
    },
    time(id) {
      const value = values.get(id)
      return value?.type === TYPE.time ? readFileTime(value.data) : undefined
    },
    flag(id) {
      const value = values.get(id)
      return value?.type === TYPE.boolean ? value.data[0] === 1 : undefined
    },
    bytes: (id) => values.get(id)?.data,
  }
}

const decodePage = (
  { type, data }: PropertyValue,
  page: number | undefined,
  charsets: Charsets,
): string | undefined => {
  if (type !== TYPE.ansi) return undefined
  // Programs often write the code page of the machine, and the text in UTF-8.
  const utf8 = data.toString('utf8')
  if (!utf8.includes('\ufffd')) return utf8
  return charsets.decode(data, pageName(page)) ?? data.toString('latin1')
}

/** The character set of a Windows code page. */
export const pageName = (page: number | undefined): string =>
  page === undefined || page === 0
    ? 'windows-1252'
    : page === 65001
      ? 'utf-8'
      : page === 20127
        ? 'us-ascii'
        : page >= 28591 && page <= 28606
          ? `iso-8859-${page - 28590}`
          : page === 20866
            ? 'koi8-r'
            : page === 50220 || page === 50221 || page === 50222
              ? 'iso-2022-jp'
              : page === 51932
                ? 'euc-jp'
                : page === 51949
                  ? 'euc-kr'
                  : page === 936 || page === 52936 || page === 54936
                    ? 'gb18030'
                    : `cp${page}`

const TICKS_PER_MS = 10_000n
const EPOCH_MS = 11_644_473_600_000n

const readFileTime = (data: Buffer): string | undefined => {
  if (data.length < 8) return undefined
  const ms = data.readBigUInt64LE(0) / TICKS_PER_MS - EPOCH_MS
  // Some items have a time at the very end of the calendar instead of none.
  if (ms < 0n || ms > 253_402_300_799_999n) return undefined
  const iso = new Date(Number(ms)).toISOString()
  return iso.startsWith('45') ? undefined : iso.replace(/\.\d{3}Z$/, 'Z')
}
