import { choosePieces, type Mail } from '../mail.ts'
import type { Address } from '../mime/addresses.ts'

/** A message that is kept in a form only Outlook can open, written as mail: for the messages inside a message. */
export function* writeEml(mail: Mail): Generator<Buffer> {
  const boundary = '=_quarry_part'
  yield Buffer.from(
    `${writeHeaders(mail)}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n`,
  )
  for (const piece of choosePieces(mail.body, 'auto')) {
    const type = piece.kind === 'html' ? 'text/html' : piece.kind === 'calendar' ? 'text/calendar' : 'text/plain'
    const text =
      piece.kind === 'html'
        ? piece.html
        : piece.kind === 'details'
          ? piece.entries.map(([label, value]) => `${label}: ${value}`).join('\n')
          : 'text' in piece
            ? piece.text
            : undefined
    if (text === undefined || typeof text !== 'string') continue
    yield Buffer.from(
      `--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n`,
    )
    yield* writeBase64([Buffer.from(text)])
  }
  for (const { name, mediaType, contentId, isInline, mail: inner, read } of mail.attachments) {
    const type = /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? mediaType : 'application/octet-stream'
    const id = contentId ? `Content-ID: <${contentId.replace(/[\r\n<>]/g, '')}>\r\n` : ''
    const file = `filename*=utf-8''${encodeURIComponent((name ?? 'attachment').toWellFormed()).replace(/['()*]/g, escapeSign)}`
    yield Buffer.from(
      `--${boundary}\r\nContent-Type: ${type}\r\n${id}Content-Disposition: ${isInline ? 'inline' : 'attachment'}; ${file}\r\n${inner ? '' : 'Content-Transfer-Encoding: base64\r\n'}\r\n`,
    )
    // A message inside a message may not be encoded.
    if (inner) yield* writeNested(read())
    else yield* writeBase64(read())
  }
  yield Buffer.from(`--${boundary}--\r\n`)
}

const escapeSign = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`

/** The boundary inside is another one: each level adds a letter. */
function* writeNested(pieces: Iterable<Buffer>): Generator<Buffer> {
  for (const piece of pieces)
    yield Buffer.from(piece.toString('latin1').replaceAll('=_quarry_part', '=_quarry_part_'), 'latin1')
  yield Buffer.from('\r\n')
}

const LINE_BYTES = 57

function* writeBase64(pieces: Iterable<Buffer>): Generator<Buffer> {
  let carry = Buffer.alloc(0)
  for (const piece of pieces) {
    const joined = Buffer.concat([carry, piece])
    const whole = joined.length - (joined.length % LINE_BYTES)
    carry = joined.subarray(whole)
    if (whole > 0) yield wrap(joined.subarray(0, whole))
  }
  yield wrap(carry)
}

const wrap = (bytes: Buffer): Buffer => Buffer.from(bytes.toString('base64').replace(/.{1,76}/g, '$&\r\n'))

const writeHeaders = ({ subject, date, from, to, cc, headers }: Mail): string => {
  const id = headers.find(({ name }) => /^message-id$/i.test(name))?.value
  const lines = [
    ['From', from.map(encodeAddress).join(', ')],
    ['To', to.map(encodeAddress).join(', ')],
    ['Cc', cc.map(encodeAddress).join(', ')],
    ['Subject', subject ? encodeWord(subject) : ''],
    ['Date', date ? writeDate(date) : ''],
    ['Message-ID', id?.replace(/[^\u0021-\u007e]/g, '') ?? ''],
  ]
  return lines.flatMap(([name, value]) => (value ? [`${name}: ${value}\r\n`] : [])).join('')
}

const encodeAddress = ({ name, address }: Address): string =>
  [name ? encodeWord(name) : '', address ? `<${address.replace(/[\s<>]/g, '')}>` : ''].filter(Boolean).join(' ')

const encodeWord = (text: string): string => {
  const flat = text.replace(/\s+/g, ' ')
  if (/^[\w .'!?-]*$/.test(flat)) return flat
  return (
    flat
      .toWellFormed()
      .match(/.{1,12}/gu)
      ?.map((piece) => `=?utf-8?B?${Buffer.from(piece).toString('base64')}?=`)
      .join('\r\n ') ?? ''
  )
}

const writeDate = (iso: string): string => {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? '' : date.toUTCString().replace('GMT', '+0000')
}
