import type { RstContext } from './rst-context.ts'
import { convertInline } from './rst-inline.ts'
/** Cells of a table found in the lines of a document, and how many lines it took. */
export type FoundTable = { head: string[]; rows: string[][]; lineCount: number }

const isGridRule = (line: string) => /^\+[-=+]+\+$/.test(line)

/** A grid table (`+---+`); cells that span columns are put into the first of them. */
export const readGridTable = (lines: readonly string[], from: number): FoundTable | undefined => {
  if (!isGridRule((lines[from] ?? '').trim())) return undefined
  const taken: string[] = []
  for (let i = from; i < lines.length; i++) {
    const line = (lines[i] ?? '').trim()
    if (!line.startsWith('+') && !line.startsWith('|')) break
    taken.push(line)
  }
  if (taken.length < 3) return undefined
  const edges = new Set<number>()
  for (const line of taken) {
    if (isGridRule(line)) for (let i = 0; i < line.length; i++) if (line[i] === '+') edges.add(i)
  }
  const columns = [...edges].sort((a, b) => a - b)
  if (columns.length > 200) return undefined
  const rows: string[][] = []
  let headRows = 0
  let open: string[][] | undefined
  for (const line of taken) {
    if (isGridRule(line)) {
      if (open) rows.push(open.map((cell) => joinCell(cell)))
      if (line.includes('=')) headRows = rows.length
      open = columns.slice(1).map(() => [])
      continue
    }
    for (let i = 0; i + 1 < columns.length && open; i++) {
      const left = columns[i] as number
      if (line[left] !== '|' && line[left] !== '+') continue
      let right = i + 1
      while (right < columns.length - 1 && line[columns[right] as number] !== '|') right++
      open[i]?.push(line.slice(left + 1, columns[right]).trim())
    }
  }
  return splitHead(rows, headRows, taken.length)
}

/** A simple table (`=== ===`); a row whose first cell is empty goes on with the row above. */
export const readSimpleTable = (lines: readonly string[], from: number): FoundTable | undefined => {
  const rule = (lines[from] ?? '').trimEnd()
  if (!/^\s*=+(?:\s+=+)+$/.test(rule)) return undefined
  const starts = [...rule.matchAll(/=+/g)].map((match) => match.index)
  const rows: string[][] = []
  let headRows = 0
  let rules = 1
  let i = from + 1
  for (; i < lines.length; i++) {
    const line = lines[i] ?? ''
    if (/^\s*=[=\s]*$/.test(line)) {
      rules++
      const next = lines[i + 1]
      if (next === undefined || next.trim() === '') break
      headRows = rows.length
      continue
    }
    if (line.trim() === '') continue
    if (/^\s*-[-\s]*$/.test(line)) continue
    const cells = starts.map((start, c) => line.slice(start, starts[c + 1]).trim())
    const last = rows.at(-1)
    if (cells[0] === '' && last && rows.length > headRows) {
      for (const [c, cell] of cells.entries()) last[c] = `${last[c] ?? ''} ${cell}`.trim()
    } else rows.push(cells)
  }
  if (rules < 2) return undefined
  return splitHead(rows, headRows, i - from + 1)
}

const joinCell = (lines: string[]): string => lines.filter(Boolean).join(' ')

const splitHead = (rows: string[][], headRows: number, lineCount: number): FoundTable => {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const heads = rows.slice(0, headRows)
  const head = Array.from({ length: columns }, (_, c) =>
    heads
      .map((row) => row[c] ?? '')
      .filter(Boolean)
      .join(' '),
  )
  return { head, rows: rows.slice(headRows), lineCount }
}

/** A table as Markdown, its cells still reStructuredText. */
export const writeRstTable = ({ head, rows }: FoundTable, context: RstContext): string => {
  // The cells are converted first, so the writer must only take care of what a cell itself needs.
  const cell = (text: string) => convertInline(text, context).replaceAll('|', '\\|')
  const columns = head.length
  const row = (cells: string[]) => `| ${Array.from({ length: columns }, (_, c) => cell(cells[c] ?? '')).join(' | ')} |`
  return [row(head), `| ${Array.from({ length: columns }, () => '-').join(' | ')} |`, ...rows.map(row)].join('\n')
}

/** A table of cells that are still reStructuredText. */
export const convertTable = (head: string[], rows: string[][], context: RstContext): string =>
  rows.length + head.length === 0 ? '' : writeRstTable({ head: fillHead(head, rows), rows, lineCount: 0 }, context)

const fillHead = (head: string[], rows: string[][]): string[] => {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), head.length)
  return Array.from({ length: columns }, (_, c) => head[c] ?? '')
}
