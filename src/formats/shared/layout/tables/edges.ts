import type { Band, PageWord, Segment } from './page-words.ts'

/** A space wider than these, in ems, parts texts if the second begins where others do; runs end at it more often. */
const WIDE_SPACE_EM = 0.36
const SPACE_EM = 0.28

/** Where the texts of lines begin, end and have their middle. */
export type Edges = { add: (band: Band) => void; hold: (band: Band) => boolean; part: (band: Band) => Band }

/** Remembers edges of lines, and finds those of other lines that are alike. */
export const edgesOf = (em: number): Edges => {
  const step = 0.35 * em
  const fine = 0.1 * em
  const known = [new Set<number>(), new Set<number>(), new Set<number>()]
  const starts = new Set<number>()
  const places = ({ x0, x1 }: Segment): number[] => [x0, x1, (x0 + x1) / 2]
  const isNear = (places: Set<number> | undefined, place: number): boolean =>
    places !== undefined && (places.has(place) || places.has(place - 1) || places.has(place + 1))
  return {
    add: ({ segments }) => {
      for (const segment of segments) {
        starts.add(Math.round(segment.x0 / fine))
        for (const [kind, x] of places(segment).entries()) known[kind]?.add(Math.round(x / step))
      }
    },
    hold: ({ segments }) =>
      segments.every((segment) => places(segment).some((x, kind) => isNear(known[kind], Math.round(x / step)))),
    part: (band) => {
      const segments = band.segments.flatMap(({ words }) =>
        partSegment(words, (word, before) => {
          const gap = word.x0 - before.x1
          const isWide = gap > (word.run === before.run ? WIDE_SPACE_EM : SPACE_EM) * word.size * word.spacing
          return isWide && isNear(starts, Math.round(word.x0 / fine))
        }),
      )
      return segments.length === band.segments.length ? band : { ...band, segments }
    },
  }
}

const partSegment = (words: readonly PageWord[], begins: (word: PageWord, before: PageWord) => boolean): Segment[] => {
  const parts: PageWord[][] = []
  for (const word of words) {
    const part = parts.at(-1)
    const before = part?.at(-1)
    if (part && before && !begins(word, before)) part.push(word)
    else parts.push([word])
  }
  return parts.map((part) => ({ words: part, x0: part[0]?.x0 ?? 0, x1: Math.max(...part.map(({ x1 }) => x1)) }))
}
