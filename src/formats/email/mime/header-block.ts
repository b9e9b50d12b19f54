import type { Bytes } from './bytes.ts'

/** A header as it stands, unfolded; each character is one byte. */
export type RawHeader = { name: string; raw: string }

export type HeaderBlock = { headers: RawHeader[]; bodyStart: number }

/** What one message may still say in its headers, all parts together. */
export type HeaderBudget = { characters: number; headers: number; isSpent: boolean }

export const makeHeaderBudget = (): HeaderBudget => ({ characters: 8 * 1_048_576, headers: 10_000, isSpent: false })

const READ_BYTES = 65_536
/** A longer line is no header; what follows it in the line is left out. */
const MAX_LINE_BYTES = 1_048_576
const MAX_VALUE_CHARACTERS = 1_048_576
const FIELD = /^([!-9;-~]{1,200})[ \t]*:[ \t]*/

/**
 * Reads headers up to the empty line after them. A line that can be no header ends them too, and begins the body:
 * `isDelimiter` tells the lines that part one body from the next.
 */
export const readHeaderBlock = (
  bytes: Bytes,
  start: number,
  end: number,
  budget: HeaderBudget,
  isDelimiter: (line: string) => boolean,
): HeaderBlock => {
  const headers: RawHeader[] = []
  let folded: string[] = []
  let foldedCharacters = 0
  const finish = (): void => {
    const line = folded.join('')
    folded = []
    foldedCharacters = 0
    const name = FIELD.exec(line)
    if (!name?.[1]) return
    const raw = line.slice(name[0].length).trimEnd()
    budget.characters -= line.length
    budget.headers--
    if (budget.characters < 0 || budget.headers < 0) budget.isSpent = true
    else headers.push({ name: name[1], raw })
  }
  let at = start
  for (const { text, next } of readLines(bytes, start, end)) {
    if (text === '') {
      finish()
      return { headers, bodyStart: next }
    }
    const isFolded = (text.startsWith(' ') || text.startsWith('\t')) && folded.length > 0
    if (isFolded) {
      if (foldedCharacters < MAX_VALUE_CHARACTERS) folded.push(text.replace(/^\t/, ' '))
      else budget.isSpent = true
      foldedCharacters += text.length
    } else {
      finish()
      const isEnvelope = at === start && /^>?From /.test(text)
      if (isDelimiter(text) || (!isEnvelope && !FIELD.test(text))) return { headers, bodyStart: at }
      if (!isEnvelope) {
        folded.push(text)
        foldedCharacters = text.length
      }
    }
    at = next
  }
  finish()
  return { headers, bodyStart: end }
}

/** Lines without their ends, one character per byte, and where the next one begins. */
function* readLines(bytes: Bytes, start: number, end: number): Generator<{ text: string; next: number }> {
  let at = start
  while (at < end) {
    let window = bytes.read(at, Math.min(end, at + READ_BYTES))
    if (!window.includes(10) && window.length === READ_BYTES)
      window = bytes.read(at, Math.min(end, at + MAX_LINE_BYTES))
    if (window.length === 0) return
    let from = 0
    for (let newline = window.indexOf(10); newline >= 0; newline = window.indexOf(10, from)) {
      yield { text: lineText(window.subarray(from, newline)), next: at + newline + 1 }
      from = newline + 1
    }
    const isLast = at + window.length >= end
    if (from === 0 || isLast) {
      if (from < window.length) yield { text: lineText(window.subarray(from)), next: at + window.length }
      at += window.length
    } else at += from
  }
}

const lineText = (line: Buffer): string =>
  line.toString('latin1', 0, line.at(-1) === 13 ? line.length - 1 : line.length)
