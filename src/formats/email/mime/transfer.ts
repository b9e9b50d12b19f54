import { decodeUuLine } from './uuencode.ts'

/** The bytes that a transfer encoding stands for, as they come. */
export const decodeTransfer = (pieces: Iterable<Buffer>, encoding: string): Iterable<Buffer> => {
  switch (encoding.trim().toLowerCase()) {
    case 'base64':
      return decodeBase64(pieces)
    case 'quoted-printable':
      return decodeQuotedPrintable(pieces)
    case 'x-uuencode':
    case 'x-uue':
    case 'uuencode':
      return decodeUuencode(pieces)
    default:
      return pieces
  }
}

/** Base64 with whatever stands between its characters; what comes after its end and is none ends it. */
function* decodeBase64(pieces: Iterable<Buffer>): Generator<Buffer> {
  let carry = ''
  let isPadded = false
  for (const piece of pieces) {
    let text = piece.toString('latin1')
    if (isPadded && /[^A-Za-z0-9+/=\s]/.test(text)) return
    const padding = text.indexOf('=')
    // A footer that a mailing list hung below.
    const hasFooter = padding >= 0 && /[^A-Za-z0-9+/=\s]/.test(text.slice(padding))
    if (hasFooter) text = text.slice(0, padding)
    isPadded ||= padding >= 0
    const runs = text.replace(/[^A-Za-z0-9+/=]+/g, '').split(/=+/)
    runs[0] = carry + runs[0]
    carry = runs.pop() as string
    const decoded = runs.filter((run) => run.length > 1).map((run) => Buffer.from(run, 'base64'))
    if (decoded.length > 0) yield Buffer.concat(decoded)
    if (hasFooter) break
    const whole = carry.length - (carry.length % 4)
    if (whole > 0) yield Buffer.from(carry.slice(0, whole), 'base64')
    carry = carry.slice(whole)
  }
  if (carry.length > 1) yield Buffer.from(carry, 'base64')
}

const MAX_LINE_CHARACTERS = 65_536

function* decodeQuotedPrintable(pieces: Iterable<Buffer>): Generator<Buffer> {
  let carry = ''
  for (const piece of pieces) {
    const text = carry + piece.toString('latin1')
    const newline = text.lastIndexOf('\n')
    const isEndless = newline < 0 && text.length > MAX_LINE_CHARACTERS
    const end = isEndless ? endOutsideEscape(text) : newline + 1
    carry = text.slice(end)
    if (end > 0) yield decodeLines(text.slice(0, end))
  }
  if (carry !== '') yield decodeLines(carry)
}

const endOutsideEscape = (text: string): number => {
  const equals = text.lastIndexOf('=')
  return equals > text.length - 3 ? equals : text.length
}

const decodeLines = (text: string): Buffer =>
  Buffer.from(
    text
      .split('\n')
      .map((line, index, lines) => {
        const isLast = index === lines.length - 1
        const ending = isLast ? '' : line.endsWith('\r') ? '\r\n' : '\n'
        // White space at the end of a line was added on the way.
        const content = isLast ? line : line.trimEnd()
        return content.endsWith('=') ? content.slice(0, -1) : content + ending
      })
      .join('')
      .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

function* decodeUuencode(pieces: Iterable<Buffer>): Generator<Buffer> {
  let carry = ''
  for (const piece of pieces) {
    const lines = (carry + piece.toString('latin1')).split('\n')
    carry = lines.pop() as string
    const decoded = lines.filter((line) => !/^(?:begin \d|end\s*$)/.test(line)).map((line) => decodeUuLine(line))
    if (decoded.length > 0) yield Buffer.concat(decoded)
    if (carry.length > MAX_LINE_CHARACTERS) return
  }
}
