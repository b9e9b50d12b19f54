import type { PageContent, RuleLine, TextRun } from '../page-content.ts'

/** Widths of the letters and spaces of the made-up font of these pages, in ems. */
const LETTER_EM = 0.5
const SPACE_EM = 0.3

/** A run at a place, with the boxes of its words. */
export const runAt = (text: string, x: number, y: number, look: Partial<TextRun> = {}): TextRun => {
  const fontSize = look.fontSize ?? 10
  const space = look.monospace ? LETTER_EM : SPACE_EM
  const wide = (part: string): number =>
    [...part].reduce((sum, character) => sum + (character === ' ' ? space : LETTER_EM), 0) * fontSize
  const words: { text: string; x: number; y: number; width: number; height: number }[] = []
  let left = x
  for (const word of text.split(' ')) {
    words.push({ text: word, x: left, y, width: wide(word), height: fontSize })
    left += wide(`${word} `)
  }
  const box = { x, y, width: wide(text), height: fontSize }
  const style = { font: 'Test', bold: false, italic: false, monospace: false, rotation: 0 }
  return { text, ...box, ...style, ...(words.length > 1 ? { words } : {}), ...look, fontSize }
}

/** A page of runs and lines. */
export const pageOf = (runs: readonly TextRun[], lines: readonly RuleLine[] = []): PageContent => ({
  number: 3,
  width: 600,
  height: 800,
  source: 'text',
  runs,
  lines,
  shapes: [],
  images: [],
  links: [],
  structure: [],
})

/** Rows of texts, each column at its place; an empty text is none. */
export const rowsAt = (
  rows: readonly (readonly string[])[],
  columns: readonly number[],
  top: number,
  pitch: number,
  boldRows = 0,
): TextRun[] =>
  rows.flatMap((row, index) =>
    row.flatMap((text, column) =>
      text === '' ? [] : [runAt(text, columns[column] ?? 0, top + index * pitch, { bold: index < boldRows })],
    ),
  )

export const level = (y: number, x1: number, x2: number): RuleLine => ({ x1, y1: y, x2, y2: y, thickness: 0.5 })
export const upright = (x: number, y1: number, y2: number): RuleLine => ({ x1: x, y1, x2: x, y2, thickness: 0.5 })

/** Lines of prose of a width, one above the other. */
export const prose = (lines: number, x: number, y: number, characters: number): TextRun[] =>
  Array.from({ length: lines }, (_, index) =>
    runAt(PROSE.slice((index * 7) % 40, ((index * 7) % 40) + characters).trim(), x, y + index * 12),
  )

const PROSE = 'the quick brown fox jumps over the lazy dog and then some more words follow it over the hill '.repeat(3)
