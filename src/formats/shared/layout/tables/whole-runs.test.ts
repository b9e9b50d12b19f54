import { expect, it } from 'vitest'
import type { PageWord } from './page-words.ts'
import type { Sketch } from './sketch.ts'
import { settleRuns } from './whole-runs.ts'

const word = (run: number, text: string, x0: number): PageWord => {
  const look = { size: 10, spacing: 1, bold: false, italic: false, monospace: false }
  return { run, text, x0, x1: x0 + 20, y0: 100, y1: 110, ...look }
}
const sketchOf = (words: readonly PageWord[]): Sketch => {
  const box = { x: 0, y: 100, width: 100, height: 10 }
  const cell = { row: 0, column: 0, rowSpan: 1, columnSpan: 1, lines: [words], box }
  return { rows: 1, columns: 1, cells: [cell], box, confidence: 1 }
}
const textsOf = (sketch: Sketch | undefined): string[] =>
  sketch?.cells.flatMap(({ lines }) => lines.flat().map(({ text }) => text)) ?? []

it('takes in the rest of a run that is mostly in the table', () => {
  const [settled] = settleRuns([sketchOf([word(1, 'a', 0), word(1, 'b', 25)])], [word(1, 'c', 50), word(2, 'd', 0)])
  expect(textsOf(settled)).toEqual(['a', 'b', 'c'])
})

it('gives back what a run that is mostly elsewhere left in the table', () => {
  const [settled] = settleRuns([sketchOf([word(1, 'a', 0), word(2, 'b', 25)])], [word(2, 'c', 50), word(2, 'd', 75)])
  expect(textsOf(settled)).toEqual(['a'])
})
