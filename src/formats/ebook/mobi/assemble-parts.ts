import { overLimit } from '../../shared/decode.ts'
import { isGiven, type MobiHeader } from './header.ts'
import { readIndex } from './index-table.ts'
import { damaged, type PalmDatabase } from './palm-database.ts'

/** A piece of text that belongs into a skeleton. */
export type Fragment = { insertAt: number; length: number }

/** A file of the book: where it begins in the text as a whole, and its markup. */
export type Part = { start: number; markup: Buffer }

const MAX_PARTS = 20_000
/** Putting fragments into their skeleton copies it; no book needs more of that. */
const MAX_COPIED_BYTES = 1024 ** 3

/** Puts the files of a book of the newer format together: skeletons, and the fragments that fill them. */
export const assembleParts = (
  file: PalmDatabase,
  header: MobiHeader,
  text: Buffer,
): { parts: Part[]; fragments: Fragment[] } => {
  const flow = firstFlow(file, header, text)
  if (!isGiven(header.skeletonIndex)) return { parts: [{ start: 0, markup: flow }], fragments: [] }
  const skeletons = readIndex(file, header.base + header.skeletonIndex, header.encoding).entries
  const fragments = isGiven(header.fragmentIndex)
    ? readIndex(file, header.base + header.fragmentIndex, header.encoding).entries.map(
        ({ label, tags }): Fragment => ({ insertAt: Number(label) || 0, length: tags.get(6)?.[1] ?? 0 }),
      )
    : []
  const parts: Part[] = []
  let nextFragment = 0
  let copiedBytes = 0
  for (const { tags } of skeletons.slice(0, MAX_PARTS)) {
    const [start = 0, length = 0] = tags.get(6) ?? []
    const count = tags.get(1)?.[0] ?? 0
    let at = start + length
    if (at > flow.length) throw damaged('skeleton')
    let markup = flow.subarray(start, at)
    for (const fragment of fragments.slice(nextFragment, nextFragment + count)) {
      const place = Math.min(markup.length, Math.max(0, fragment.insertAt - start))
      const piece = flow.subarray(at, at + fragment.length)
      copiedBytes += markup.length + piece.length
      if (copiedBytes > MAX_COPIED_BYTES) throw overLimit('copiedBytes', MAX_COPIED_BYTES)
      markup = Buffer.concat([markup.subarray(0, place), piece, markup.subarray(place)])
      at += fragment.length
    }
    nextFragment += count
    parts.push({ start, markup })
  }
  return { parts, fragments }
}

/** The text proper, without the styles and drawings that are kept behind it. */
const firstFlow = (file: PalmDatabase, header: MobiHeader, text: Buffer): Buffer => {
  if (!isGiven(header.flowTable) || header.base + header.flowTable >= file.recordCount) return text
  const table = file.read(header.base + header.flowTable)
  if (table.toString('latin1', 0, 4) !== 'FDST' || table.length < 20) return text
  const end = table.readUInt32BE(16)
  return end > 0 && end <= text.length ? text.subarray(0, end) : text
}
