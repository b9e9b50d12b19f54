import type { PageWord } from './page-words.ts'
import type { Sketch, SketchCell } from './sketch.ts'

/** Runs with more words outside a table are not cells with a long line. */
const MAX_TAKEN_IN = 50

/**
 * Gives runs that are partly in a table wholly to it or wholly back, so that no word is lost or said twice: runs go where
 * most of their words are. `free` holds the words of no table.
 */
export const settleRuns = (sketches: readonly Sketch[], free: readonly PageWord[]): Sketch[] => {
  const loose = Map.groupBy(free, ({ run }) => run)
  return sketches.map((sketch) => {
    const taken = new Map<number, number>()
    for (const { run } of wordsOf(sketch)) if (loose.has(run)) taken.set(run, (taken.get(run) ?? 0) + 1)
    let result = sketch
    for (const [run, count] of taken) {
      const others = loose.get(run) ?? []
      if (count < others.length || others.length > MAX_TAKEN_IN) result = giveBack(result, run)
      else for (const word of others) result = takeIn(result, word)
    }
    return result
  })
}

const wordsOf = ({ cells }: Sketch): PageWord[] => cells.flatMap(({ lines }) => lines.flat())

const giveBack = (sketch: Sketch, run: number): Sketch => ({
  ...sketch,
  cells: sketch.cells.map((cell) => ({
    ...cell,
    lines: cell.lines.map((words) => words.filter((word) => word.run !== run)).filter((words) => words.length > 0),
  })),
})

/** Adds a word to the line of its run that ends or begins nearest to it. */
const takeIn = (sketch: Sketch, word: PageWord): Sketch => {
  let best: { distance: number; cell: SketchCell; line: readonly PageWord[] } | undefined
  for (const cell of sketch.cells)
    for (const line of cell.lines)
      for (const other of line) {
        const distance = Math.max(word.x0 - other.x1, other.x0 - word.x1)
        if (other.run === word.run && (!best || distance < best.distance)) best = { distance, cell, line }
      }
  if (!best) return sketch
  const { cell, line } = best
  const longer = [...line, word].sort((a, b) => a.x0 - b.x0)
  const lines = cell.lines.map((other) => (other === line ? longer : other))
  return { ...sketch, cells: sketch.cells.map((other) => (other === cell ? { ...cell, lines } : other)) }
}
