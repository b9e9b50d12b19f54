import { LatexReader } from './latex-source.ts'

/** A `tabular` body as a pipe table; cells that span columns leave the others empty. */
export const convertTabular = (body: string, convertCell: (cell: string) => string): string => {
  const cleaned = body.replace(
    /\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot|centering|specialrule(?:\{[^{}]*\}){3}|cline\{[^{}]*\}|cmidrule(?:\([^()]*\))?\{[^{}]*\}|addlinespace(?:\[[^\][]*\])?|rowcolor\{[^{}]*\})/g,
    '',
  )
  const rows = splitRows(cleaned).map((row) => row.flatMap((cell) => expandCell(cell, convertCell)))
  const filled = rows.filter((row) => row.some((cell) => cell !== ''))
  if (filled.length === 0) return ''
  const columns = filled.reduce((most, row) => Math.max(most, row.length), 0)
  const write = (row: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, c) => (row[c] ?? '').replaceAll('|', '\\|')).join(' | ')} |`
  const [head = [], ...others] = filled
  return [write(head), write(Array(columns).fill('-')), ...others.map(write)].join('\n')
}

const expandCell = (cell: string, convertCell: (cell: string) => string): string[] => {
  const at = cell.search(/\\multi(?:column|row)/)
  if (at < 0) return [convertCell(cell)]
  const reader = new LatexReader(cell)
  reader.at = at + 1
  const command = reader.readCommand()
  const span = reader.readArgument()
  reader.readOptional()
  reader.readArgument()
  const text = convertCell(cell.slice(0, at) + reader.readArgument() + cell.slice(reader.at))
  const extra = command.startsWith('multicolumn') ? Math.min(100, Math.max(0, Number(span) - 1 || 0)) : 0
  return [text, ...Array<string>(extra).fill('')]
}

/** Splits at `\\` and `&` that stand in no braces. */
const splitRows = (body: string): string[][] => {
  const rows: string[][] = [[]]
  let depth = 0
  let start = 0
  const endCell = (end: number) => rows.at(-1)?.push(body.slice(start, end))
  for (let i = 0; i < body.length; i++) {
    const character = body[i]
    if (character === '{') depth++
    else if (character === '}') depth--
    else if (character === '&' && depth <= 0) {
      endCell(i)
      start = i + 1
    } else if (character === '\\') {
      const isRowEnd = depth <= 0 && (body[i + 1] === '\\' || body.startsWith('tabularnewline', i + 1))
      if (isRowEnd) {
        endCell(i)
        i += body[i + 1] === '\\' ? 1 : 'tabularnewline'.length
        const gap = /^\s{0,100}\[[^\][]{0,40}\]/.exec(body.slice(i + 1, i + 200))?.[0].length ?? 0
        start = i + 1 + gap
        rows.push([])
      } else i++
    }
  }
  endCell(body.length)
  return rows
}
