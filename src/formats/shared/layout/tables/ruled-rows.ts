import { sketchColumns } from './column-table.ts'
import { edgesOf } from './edges.ts'
import { type Band, bandsOf, type PageWord } from './page-words.ts'
import type { Ruling } from './rulings.ts'
import type { Sketch } from './sketch.ts'

/** Rules of a table begin and end within this many points of each other. */
const SAME_END = 6
const MIN_RULE = 60
/** More rules of one width are a ruled sheet of paper or a drawing. */
const MAX_RULES = 400
/** A line of text that fills this part of the width between the rules, without a gap, is not of a table. */
const FULL_LINE = 0.72
/** How far, in points, a table may go on before its first rule and behind its last, and how many lines. */
const BESIDE = 60
const MAX_NEIGHBOURS = 5

/** A table between rules, and how many rules those are. */
export type RuledSketch = { sketch: Sketch; rules: number }

/** Tables that only have lines between rows: above and below the head, and at the end. */
export const findRuledRows = (rules: readonly Ruling[], words: readonly PageWord[]): RuledSketch[] =>
  stacksOf(rules).flatMap((stack) => tablesOf(stack, words))

const stacksOf = (rules: readonly Ruling[]): Ruling[][] => {
  const stacks: Ruling[][] = []
  const long = rules.filter(({ from, to }) => to - from >= MIN_RULE)
  if (long.length > MAX_RULES) return []
  for (const rule of long.toSorted((a, b) => a.at - b.at)) {
    const stack = stacks.find(([first]) => first && isAlike(first, rule))
    if (stack) stack.push(rule)
    else stacks.push([rule])
  }
  return stacks.filter((stack) => stack.length > 1)
}

const isAlike = (a: Ruling, b: Ruling): boolean =>
  Math.abs(a.from - b.from) <= SAME_END && Math.abs(a.to - b.to) <= SAME_END

/** Stretches of a stack of rules between which text stands in columns. */
const tablesOf = (stack: readonly Ruling[], words: readonly PageWord[]): RuledSketch[] => {
  const first = stack[0]
  const last = stack.at(-1)
  if (!first || !last) return []
  const bands = bandsOf(
    words.filter((word) => {
      const [x, y] = [(word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2]
      const isBeside = x > first.from - SAME_END && x < first.to + SAME_END
      return isBeside && y > first.at - BESIDE && y < last.at + BESIDE
    }),
  )
  const tables: RuledSketch[] = []
  let start = bands.findIndex((band) => middleOf(band) > first.at)
  let next = start
  let rules: Ruling[] = []
  const close = (end: number) => {
    const inside = end > start ? withNeighbours(bands, start, end, rules.length) : []
    const sketch = inside.length > 1 ? sketchColumns(inside, rules, 0.9) : undefined
    if (sketch) tables.push({ sketch, rules: rules.length })
    start = next
    rules = []
  }
  if (start < 0) return []
  for (const [index, rule] of stack.entries()) {
    const below = stack[index + 1]
    const from = next
    while (below && next < bands.length && middleOf(bands[next]) < below.at) next++
    if (rules.length > 0 || next > from) rules.push(rule)
    const between = bands.slice(from, next)
    if (!below || between.length === 0) continue
    const kind = kindOf(between, rule, below)
    const isEarly = bands.slice(start, from).every(({ segments }) => segments.length < 2)
    if (kind === 'columns' || (kind === 'single' && !isEarly)) continue
    close(from)
    if (kind === 'single') {
      start = from
      rules.push(rule)
    }
  }
  close(next)
  return tables
}

const middleOf = (band: Band | undefined): number => (band ? (band.y0 + band.y1) / 2 : Infinity)

/**
 * Takes in lines right below the last rule that stand in the same columns and, where there is no rule above the head,
 * those right above the first. None at all if two rules only hold the head of what follows.
 */
const withNeighbours = (bands: readonly Band[], start: number, end: number, rules: number): Band[] => {
  const inside = bands.slice(start, end)
  const edges = edgesOf(inside[0]?.size ?? 10)
  for (const band of inside) if (band.segments.length > 1) edges.add(band)
  const belongs = (band: Band | undefined, gap: number): band is Band =>
    band !== undefined && band.segments.length > 1 && gap < band.size && edges.hold(band)
  const above: Band[] = []
  for (let index = start - 1; rules < 3 && start - index <= MAX_NEIGHBOURS; index--) {
    const band = bands[index]
    if (!belongs(band, ((above[0] ?? inside[0])?.y0 ?? 0) - (band?.y1 ?? 0))) break
    above.unshift(band)
  }
  const below: Band[] = []
  for (let index = end; index - end < MAX_NEIGHBOURS; index++) {
    const band = bands[index]
    if (!belongs(band, (band?.y0 ?? 0) - ((below.at(-1) ?? inside.at(-1))?.y1 ?? 0))) break
    below.push(band)
  }
  return rules < 3 && below.length > 0 ? [] : [...above, ...inside, ...below]
}

/** Whether what stands between two rules is in columns, is other text, or can be a row with one entry. */
const kindOf = (bands: readonly Band[], above: Ruling, below: Ruling): 'columns' | 'single' | 'other' => {
  const width = below.to - below.from
  const full = bands.filter(({ segments, x0, x1 }) => segments.length === 1 && x1 - x0 > FULL_LINE * width).length
  if (full * 3 > bands.length) return 'other'
  if (bands.some(({ segments }) => segments.length > 1)) return 'columns'
  const [first, last] = [bands[0], bands.at(-1)]
  if (!first || !last || first.words.some(({ text }) => /^(?:table|figure|source)\b/i.test(text))) return 'other'
  return first.y0 - above.at < 0.9 * first.size && below.at - last.y1 < 0.9 * last.size ? 'single' : 'other'
}
