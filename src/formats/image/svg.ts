import { readFile } from 'node:fs/promises'
import type { Source } from '../../core/catalog.ts'
import { type PictureInput, readHeader } from '../../engines/sharp.ts'
import { overLimit } from '../shared/decode.ts'
import { perSource } from '../shared/per-source.ts'

const MAX_BYTES = 16 * 1_048_576
/** Longest side of the picture made of a drawing; between the two it keeps its own size. */
const MIN_SIDE_PIXELS = 1_024
const MAX_SIDE_PIXELS = 4_096
/** At this density a unit of the drawing is a pixel. */
const UNIT_DENSITY = 72
const MIN_DENSITY = 1
const MAX_DENSITY = 100_000

// Texts are looked at byte by byte: whatever their encoding, all that counts here is ASCII.
const MARK = /^\xEF\xBB\xBF/
const DECLARATION = /^<\?xml\s[^>]*\?>/
const PROLOG = /^(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE[^<>[]*(?:\[(?:[^\]"']|"[^"]*"|'[^']*')*\]\s*)?>)/
const OUTSIDE = /<(?:\w{1,20}:)?(?:image|feImage|use)\s[^>]{0,2000}?\bhref\s{0,9}=\s{0,9}["']\s{0,9}(?!#|data:)[^\s"']/
const ROOT = /^<(?:[\w.-]+:)?svg[\s/>]/

/** Whether a file begins like XML whose root is a drawing. */
export const isDrawing = (head: Buffer): boolean => {
  let rest = decode(head)
  for (let found = PROLOG.exec(rest); found; found = PROLOG.exec(rest)) rest = rest.slice(found[0].length)
  return ROOT.test(rest)
}

/** A drawing and its own size; as a picture it has the size that `picture` gives it. */
export type Drawing = {
  picture: PictureInput
  width: number
  height: number
  /** Whether it shows something that is not in the file. */
  refersOutside: boolean
}

/** Reads a drawing. It is rendered from memory, without an address: nothing outside that it refers to is opened. */
export const readDrawing = perSource(async (source: Source): Promise<Drawing> => {
  if (source.bytes > MAX_BYTES) throw overLimit('svgBytes', MAX_BYTES)
  const text = decode(await readFile(source.path))
  const declaration = DECLARATION.exec(text)?.[0] ?? ''
  // The library looks for these letters near the start before it takes a text for a drawing.
  const input = Buffer.from(`${declaration}<!--<svg-->${text.slice(declaration.length)}`, 'latin1')
  const { width, height } = await readHeader({ input, options: { density: UNIT_DENSITY } }, true)
  const longest = Math.max(width, height)
  const scale = Math.min(Math.max(longest, MIN_SIDE_PIXELS), MAX_SIDE_PIXELS) / longest
  const density = Math.min(Math.max(UNIT_DENSITY * scale, MIN_DENSITY), MAX_DENSITY)
  return { picture: { input, options: { density } }, width, height, refersOutside: OUTSIDE.test(text) }
})

const decode = (bytes: Buffer): string => {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return fromUtf16(bytes)
  if (first === 0xfe && second === 0xff) return fromUtf16(Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16())
  return bytes.toString('latin1').replace(MARK, '')
}

/** The declaration names an encoding that the text has no longer. */
const fromUtf16 = (bytes: Buffer): string =>
  Buffer.from(bytes.toString('utf16le', 2)).toString('latin1').replace(DECLARATION, '')
