import { type Bytes, findPatterns } from './bytes.ts'

/** Where a message lies in a mailbox, without the line that parts it from the one before. */
export type MailboxEntry = { start: number; end: number }

const MARK = Buffer.from('\nFrom ')
/** Lines that begin like a separator and are none; whoever has so many means no good. */
const MAX_FALSE_SEPARATORS = 500_000
const LINE_BYTES = 512
const HEADER_NAME_BYTES = 102
const HEADER_BYTES = 16_384

/** The messages of a mailbox (mbox) in order, found as they are asked for; nothing but a window is in memory. */
export function* splitMailbox(bytes: Bytes): Generator<MailboxEntry> {
  let start = findFirst(bytes)
  const search = { triesLeft: MAX_FALSE_SEPARATORS }
  while (start < bytes.length) {
    const bodyStart = afterLine(bytes, start)
    const next = findNext(bytes, bodyStart, search)
    yield { start: bodyStart, end: Math.max(bodyStart, trimBlankLine(bytes, next)) }
    start = next
  }
}

/** Whether the file begins as a mailbox does. */
export const isMailbox = (bytes: Bytes): boolean => /^\s*From \S/.test(bytes.read(0, LINE_BYTES).toString('latin1'))

const findFirst = (bytes: Bytes): number => {
  const head = bytes.read(0, LINE_BYTES).toString('latin1')
  return head.length - head.trimStart().length
}

const findNext = (bytes: Bytes, bodyStart: number, search: { triesLeft: number }): number => {
  const known = findByLength(bytes, bodyStart)
  if (known !== undefined) return known
  if (isSeparator(bytes, bodyStart)) return bodyStart
  for (const mark of findPatterns(bytes, MARK, bodyStart, bytes.length)) {
    if (isSeparator(bytes, mark + 1)) return mark + 1
    if (search.triesLeft-- <= 0) break
  }
  return bytes.length
}

const FULL = /^From .*\b[A-Z][a-z]{2} [A-Z][a-z]{2}\s+\d{1,2} \d{1,2}:\d{2}(?::\d{2})?\b.*\b\d{4}\b/

/**
 * A line in a text may begin with `From` too: what parts messages has a date, or
 * an address, with an empty line before and a header after.
 */
const isSeparator = (bytes: Bytes, at: number): boolean => {
  // The bytes around are looked at in one go: this is asked for every line that begins so.
  const from = Math.max(0, at - 3)
  const around = bytes.read(from, at + LINE_BYTES)
  const isAfterBlank = at === 0 || isBlankBefore(around, at - from)
  const newline = around.indexOf(10, at - from)
  const line = around.toString('latin1', at - from, newline < 0 ? around.length : newline)
  if (!line.startsWith('From ') || !(isAfterBlank || line.includes(':'))) return false
  const next = newline < 0 ? '' : around.toString('latin1', newline + 1, newline + 1 + HEADER_NAME_BYTES)
  const isBeforeHeader = /^[!-9;-~]{1,100}:/.test(next)
  if (FULL.test(line)) return isAfterBlank || isBeforeHeader
  return isAfterBlank && isBeforeHeader && /^From (?:\S*@|-\s|MAILER-DAEMON)/.test(line)
}

const isBlankBefore = (around: Buffer, at: number): boolean =>
  around[at - 1] === 10 &&
  (at < 2 || around[at - 2] === 10 || (around[at - 2] === 13 && (at < 3 || around[at - 3] === 10)))

/** Some mailboxes say how long a message is; that holds only where the next one begins right there. */
const findByLength = (bytes: Bytes, start: number): number | undefined => {
  const header = bytes.read(start, start + HEADER_BYTES)
  if (!header.includes('Content-Length:') && !header.includes('Content-length:')) return undefined
  const head = header.toString('latin1')
  const blank = /\r?\n\r?\n/.exec(head)
  if (!blank) return undefined
  const length = Number(/^Content-Length:[ \t]*(\d{1,15})\s*$/im.exec(head.slice(0, blank.index))?.[1] ?? Number.NaN)
  if (!Number.isSafeInteger(length)) return undefined
  const end = start + blank.index + blank[0].length + length
  if (end > bytes.length) return undefined
  const after = bytes.read(end, end + 4)
  let skipped = 0
  while (skipped < after.length && (after[skipped] === 10 || after[skipped] === 13)) skipped++
  if (end + skipped >= bytes.length) return bytes.length
  return isSeparator(bytes, end + skipped) ? end + skipped : undefined
}

const afterLine = (bytes: Bytes, start: number): number => {
  for (const newline of findPatterns(bytes, Buffer.from('\n'), start, bytes.length)) return newline + 1
  return bytes.length
}

/** The empty line before a separator was put there with it. */
const trimBlankLine = (bytes: Bytes, end: number): number => {
  const tail = bytes.read(Math.max(0, end - 4), end).toString('latin1')
  if (tail.endsWith('\r\n\r\n')) return end - 2
  return tail.endsWith('\n\n') ? end - 1 : end
}
