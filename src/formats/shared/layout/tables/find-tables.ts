import type { Box, Table } from '../../document/model.ts'
import type { PageContent } from '../page-content.ts'
import { findAligned } from './aligned.ts'
import { buildTable } from './build-table.ts'
import { findLattices } from './lattice.ts'
import { sketchLattice } from './lattice-cells.ts'
import { bandsOf, type PageWord, turnedWordsOf, wordsOf } from './page-words.ts'
import { refineLattice } from './refine-lattice.ts'
import { isAlignedTable, isDrawing, isLatticeTable, isRuledTable } from './reject.ts'
import { findRuledRows } from './ruled-rows.ts'
import { rulingsOf } from './rulings.ts'
import type { Sketch } from './sketch.ts'
import { settleRuns } from './whole-runs.ts'
import { partZones } from './zones.ts'

/** A table of a page and the runs, as indexes into the page's runs, that stand in it. */
export type FoundTable = { table: Table; box: Box; runs: ReadonlySet<number> }

/** Pages with more words are no pages to read. */
const MAX_WORDS = 15_000
/** Pages with more grids than this are drawings. */
const MAX_LATTICES = 200

/**
 * The tables of a page, from top to bottom: first those that lines draw cell by cell, then those with rules between rows,
 * then those that only stand in columns; each way only sees the words that the ones before it left.
 */
export const findTables = (page: PageContent): FoundTable[] => {
  if (page.runs.length > MAX_WORDS) return []
  const words = wordsOf(page)
  if (words.length < 4 || words.length > MAX_WORDS) return []
  const rulings = rulingsOf(page)
  const sketches: Sketch[] = []
  /** Words of no table, and of no diagram or chart. */
  const open = new Set(words)
  const drawn = new Set<PageWord>()
  const take = (sketch: Sketch) => {
    const own = wordsIn(sketch)
    if (own.some((word) => !word.turned && !open.has(word))) return
    for (const word of own) open.delete(word)
    sketches.push(sketch)
  }
  const turned = turnedWordsOf(page)
  const lattices = findLattices(rulings)
  for (const lattice of lattices.length > MAX_LATTICES ? [] : lattices) {
    const sketch = sketchLattice(lattice, [...open, ...turned])
    if (isDrawing(sketch)) for (const word of wordsIn(sketch)) drawn.add(word)
    else if (isLatticeTable(sketch)) take(refineLattice(sketch))
  }
  for (const word of drawn) open.delete(word)
  for (const { sketch, rules } of findRuledRows(rulings.horizontal, [...open]))
    if (isRuledTable(sketch, rules)) take(sketch)
  if (hasGaps([...open]))
    for (const zone of partZones([...open], rulings.vertical))
      for (const sketch of findAligned(bandsOf(zone), rulings.horizontal)) if (isAlignedTable(sketch)) take(sketch)
  if (sketches.length === 0) return []
  return settleRuns(sketches, [...open, ...drawn])
    .sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x)
    .map((sketch) => buildTable(sketch, page.number))
}

const wordsIn = ({ cells }: Sketch): PageWord[] => cells.flatMap(({ lines }) => lines.flat())

/** Whether at least two lines have gaps in them: without, nothing can stand in columns. */
const hasGaps = (words: readonly PageWord[]): boolean =>
  bandsOf(words).filter(({ segments }) => segments.length > 1).length > 1
