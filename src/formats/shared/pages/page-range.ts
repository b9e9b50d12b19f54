/** Whole-value regular expression of a page range: `3`, `1-3,8,12-`, `-5`. Blanks are allowed anywhere. */
export const PAGE_RANGE_PATTERN =
  '\\s*(?:\\d+\\s*(?:-\\s*\\d*)?|-\\s*\\d+)\\s*(?:,\\s*(?:\\d+\\s*(?:-\\s*\\d*)?|-\\s*\\d+)\\s*)*'

/** Numbers of the pages that a range names, in order, each once, and whether it names others that the file has not. */
export const parsePageRange = (range: string, pageCount: number): { numbers: number[]; goesBeyond: boolean } => {
  const all = Array.from({ length: pageCount }, (_, i) => i + 1)
  if (range.trim() === '') return { numbers: all, goesBeyond: false }
  const parts = range.split(',').map((part) => parsePart(part, pageCount))
  return {
    numbers: all.filter((page) => parts.some(({ from, to }) => from <= page && page <= to)),
    goesBeyond: parts.some(({ from, to }) => from < 1 || to > pageCount),
  }
}

/** `7-` goes to the end, `-7` comes from the beginning, `9-7` is `7-9`. */
const parsePart = (part: string, pageCount: number): { from: number; to: number } => {
  const [first = '', last] = part.split('-').map((number) => number.trim())
  const from = first === '' ? 1 : Number(first)
  const to = last === undefined ? from : last === '' ? Math.max(from, pageCount) : Number(last)
  return { from: Math.min(from, to), to: Math.max(from, to) }
}
