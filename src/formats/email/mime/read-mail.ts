import type { BodyPiece, Header, Mail } from '../mail.ts'
import { readAddresses } from './addresses.ts'
import type { Bytes } from './bytes.ts'
import { type Charsets, decodeBody, loadCharsets } from './charsets.ts'
import { readDate } from './dates.ts'
import { decodeWords } from './encoded-words.ts'
import type { RawHeader } from './header-block.ts'
import { headerValue } from './header-values.ts'
import { readBody } from './read-body.ts'
import { makeReading, type Reading } from './reading.ts'
import { type RawPart, type ScannedMessage, scanMessage } from './scan-parts.ts'

/** Reads a message from its bytes; what is attached is read only when it is asked for. */
export const readMail = async (bytes: Bytes, start = 0, end = bytes.length): Promise<Mail> => {
  const scanned = scanMessage(bytes, start, end)
  return await readScanned(bytes, scanned.root, scanProblems(scanned))
}

const scanProblems = ({ isTruncated, isCapped }: ScannedMessage): Mail['problems'] => [
  ...(isTruncated ? [{ code: 'email.truncated', detail: 'The message ends before its last part does.' }] : []),
  ...(isCapped
    ? [
        {
          code: 'email.too_many_parts',
          detail: 'The message has more parts or headers than are read; the rest is left out.',
        },
      ]
    : []),
]

const readScanned = async (bytes: Bytes, root: RawPart, problems: Mail['problems'] = []): Promise<Mail> => {
  const charsets = await loadCharsets()
  const fallback = await findFallback(root)
  const reading = makeReading(charsets, fallback, readScanned)
  reading.problems.push(...problems)
  const body = await readBody(root, bytes, reading)
  return makeMail(root.headers, body, reading)
}

const makeMail = (raw: readonly RawHeader[], body: readonly BodyPiece[], reading: Reading): Mail => {
  const decode = (text: string): string => decodeWords(text, reading.charsets, reading.fallback)
  const addresses = (name: string) =>
    raw.filter((header) => header.name.toLowerCase() === name).flatMap((header) => readAddresses(header.raw, decode))
  const subject = decode(headerValue(raw, 'subject')).trim()
  return {
    subject: subject || null,
    date: readDate(headerValue(raw, 'date')) ?? null,
    from: addresses('from'),
    sender: addresses('sender'),
    replyTo: addresses('reply-to'),
    to: addresses('to'),
    cc: addresses('cc'),
    bcc: addresses('bcc'),
    headers: decodeHeaders(raw, decode),
    body,
    attachments: reading.attachments,
    protection: reading.protection,
    problems: reading.problems,
  }
}

/** All headers as text; white space that folding left is one blank. */
export const decodeHeaders = (raw: readonly RawHeader[], decode: (text: string) => string): Header[] =>
  raw.map(({ name, raw: value }) => ({ name, value: decode(value).replace(/\s+/g, ' ').trim() }))

/** The character set of headers that hold bare 8-bit text: that of the first body which names one, or a guess. */
const findFallback = async (root: RawPart): Promise<string> => {
  const bare = root.headers.map(({ raw }) => raw).filter((raw) => /[\u0080-\u00ff]/.test(raw))
  if (bare.length === 0) return 'utf-8'
  const bytes = Buffer.from(bare.join('\n').slice(0, 65_536), 'latin1')
  if (!bytes.toString('utf8').includes('\ufffd')) return 'utf-8'
  const declared = declaredCharset(root)
  if (declared) return declared
  const text = await decodeBody(bytes, '')
  const charsets: Charsets = await loadCharsets()
  const names = [
    'windows-1252',
    'windows-1251',
    'gb18030',
    'shift_jis',
    'big5',
    'cp949',
    'koi8-r',
    'windows-1250',
    'euc-jp',
  ]
  return names.find((name) => charsets.decode(bytes, name) === text) ?? 'windows-1252'
}

const declaredCharset = (part: RawPart): string | undefined => {
  const own = part.contentType.type.startsWith('text/') ? part.contentType.params.charset : undefined
  if (own && !/^"?(?:us-)?ascii|utf-?8/i.test(own)) return own
  for (const child of part.children) {
    const found = declaredCharset(child)
    if (found) return found
  }
  return undefined
}
