import { type Bytes, bufferBytes } from './bytes.ts'
import { makeHeaderBudget, type RawHeader, readHeaderBlock } from './header-block.ts'
import { type ContentType, headerValue, readContentType } from './header-values.ts'

/** A part of a message by where it lies; what is in it has not been looked at. */
export type RawPart = {
  headers: RawHeader[]
  contentType: ContentType
  bodyStart: number
  bodyEnd: number
  /** Parts of a multipart; the one message inside a message part. */
  children: RawPart[]
}

export type ScannedMessage = {
  root: RawPart
  /** A multipart that never ends: the message was cut off. */
  isTruncated: boolean
  /** There was more of it than the limits allow. */
  isCapped: boolean
}

const MAX_PARTS = 5_000
const MAX_DEPTH = 50
/** Most delimiters are near the one before; far ones are looked for in growing pieces. */
const MIN_SCAN_BYTES = 8_192
const MAX_SCAN_BYTES = 1_048_576
const MAX_DELIMITER_BYTES = 512
/** Lines that look like delimiters and are none; whoever has so many means no good. */
const MAX_FALSE_DELIMITERS = 1_000_000
const MARK = Buffer.from('\n--')
const IDENTITY = /^(?:|7bit|8bit|binary)$/

/** Finds the parts of a message in one pass over its bytes, however deep they are nested. */
export const scanMessage = (bytes: Bytes, start = 0, end = bytes.length): ScannedMessage => {
  const budget = makeHeaderBudget()
  /** Parts whose end is not known yet, the message itself first. */
  const open: RawPart[] = []
  const multiparts: { boundary: string; part: RawPart }[] = []
  let count = 0
  let isCapped = false
  const search = { triesLeft: MAX_FALSE_DELIMITERS }

  const findMultipart = (line: string): { index: number; isClosing: boolean } | undefined => {
    if (!line.startsWith('--')) return undefined
    const name = line.slice(2).trimEnd()
    for (let index = multiparts.length - 1; index >= 0; index--) {
      const boundary = multiparts[index]?.boundary
      if (name === boundary) return { index, isClosing: false }
      if (name === `${boundary}--`) return { index, isClosing: true }
    }
    return undefined
  }

  const begin = (at: number, isDigest: boolean): number => {
    const { headers, bodyStart } = readHeaderBlock(bytes, at, end, budget, (line) => findMultipart(line) !== undefined)
    const contentType = readContentType(
      headerValue(headers, 'content-type'),
      isDigest ? 'message/rfc822' : 'text/plain',
    )
    const part: RawPart = { headers, contentType, bodyStart, bodyEnd: end, children: [] }
    open.at(-1)?.children.push(part)
    open.push(part)
    count++
    if (open.length > MAX_DEPTH) {
      isCapped ||= contentType.type.startsWith('multipart/')
      return bodyStart
    }
    const encoding = headerValue(headers, 'content-transfer-encoding').trim().toLowerCase()
    if (contentType.type.startsWith('multipart/')) {
      const boundary = contentType.params.boundary?.trimEnd() || sniffBoundary(bytes, bodyStart, end)
      if (boundary) multiparts.push({ boundary, part })
    } else if (isMessage(contentType.type) && IDENTITY.test(encoding)) {
      return begin(skipBlankLines(bytes, bodyStart, end), false)
    }
    return bodyStart
  }

  /** Ends every part that is open inside the one at this place of the chain. */
  const closeInside = (keep: RawPart, at: number): void => {
    const bodyEnd = endBeforeLine(bytes, at)
    for (let last = open.at(-1); last && last !== keep; last = open.at(-1)) {
      last.bodyEnd = Math.max(last.bodyStart, bodyEnd)
      open.pop()
    }
  }

  let at = begin(skipBlankLines(bytes, start, end), false)
  const root = open[0] as RawPart
  for (;;) {
    const found = multiparts.length === 0 ? undefined : findDelimiter(bytes, at, end, findMultipart, multiparts, search)
    if (!found) break
    const { part } = multiparts[found.index] as { part: RawPart }
    closeInside(part, found.lineStart)
    multiparts.length = found.isClosing ? found.index : found.index + 1
    at = found.lineEnd
    if (found.isClosing) continue
    if (count >= MAX_PARTS) {
      isCapped = true
      multiparts.length = 0
      break
    }
    at = begin(at, part.contentType.type === 'multipart/digest')
  }
  return { root, isTruncated: multiparts.length > 0, isCapped: isCapped || budget.isSpent || search.triesLeft < 0 }
}

/** A message that is already in memory. */
export const scanBuffer = (buffer: Buffer): { bytes: Bytes; scanned: ScannedMessage } => {
  const bytes = bufferBytes(buffer)
  return { bytes, scanned: scanMessage(bytes) }
}

/** Whether a part holds a message of its own. */
export const isMessage = (type: string): boolean => type === 'message/rfc822' || type === 'message/global'

type Delimiter = { lineStart: number; lineEnd: number; index: number; isClosing: boolean }

const findDelimiter = (
  bytes: Bytes,
  start: number,
  end: number,
  match: (line: string) => { index: number; isClosing: boolean } | undefined,
  multiparts: readonly { boundary: string }[],
  search: { triesLeft: number },
): Delimiter | undefined => {
  const firstBytes = new Set(multiparts.map(({ boundary }) => boundary.charCodeAt(0)))
  const check = (lineStart: number): Delimiter | undefined => {
    const line = bytes.read(lineStart, Math.min(end, lineStart + MAX_DELIMITER_BYTES))
    const newline = line.indexOf(10)
    const length = newline < 0 ? line.length : newline
    const found = match(line.toString('latin1', 0, length))
    return found && { lineStart, lineEnd: Math.min(end, lineStart + length + 1), ...found }
  }
  // Where the last line ended, the next one begins: a delimiter there has its line feed behind us.
  const atOnce = check(start)
  if (atOnce) return atOnce
  let scanBytes = MIN_SCAN_BYTES
  for (let at = start; at < end; ) {
    const piece = bytes.read(at, Math.min(end, at + scanBytes))
    for (let mark = piece.indexOf(MARK); mark >= 0; mark = piece.indexOf(MARK, mark + 1)) {
      const next = piece[mark + MARK.length]
      if (next !== undefined && !firstBytes.has(next)) continue
      if (search.triesLeft-- <= 0) return undefined
      const found = check(at + mark + 1)
      if (found) return found
    }
    if (piece.length < scanBytes) return undefined
    at += scanBytes - MARK.length
    scanBytes = Math.min(MAX_SCAN_BYTES, scanBytes * 2)
  }
  return undefined
}

const skipBlankLines = (bytes: Bytes, start: number, end: number): number => {
  const head = bytes.read(start, Math.min(end, start + 1_024))
  let skipped = head.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0
  while (head[skipped] === 10 || head[skipped] === 13) skipped++
  return start + skipped
}

/** The line break before a delimiter belongs to the delimiter. */
const endBeforeLine = (bytes: Bytes, lineStart: number): number => {
  const before = bytes.read(Math.max(0, lineStart - 2), lineStart)
  if (before.at(-1) !== 10) return lineStart
  return before.length === 2 && before[0] === 13 ? lineStart - 2 : lineStart - 1
}

/** A multipart that does not say its boundary shows it in the first line that looks like one. */
const sniffBoundary = (bytes: Bytes, start: number, end: number): string | undefined =>
  /(?:^|\n)--([^\s-][^\r\n]{5,100})\r?\n[A-Za-z-]+:/.exec(
    bytes.read(start, Math.min(end, start + 8_192)).toString('latin1'),
  )?.[1]
