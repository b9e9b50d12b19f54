/** Writes the result: one JSON value, or the text for a person. */
export const print = (value: unknown, text: string, asJson: boolean): void => {
  process.stdout.write(asJson ? `${JSON.stringify(value)}\n` : `${text}\n`)
}

/** Rows as aligned columns. */
export const table = (rows: readonly Readonly<Record<string, unknown>>[]): string => {
  const first = rows[0]
  if (!first) return '(none)'
  const keys = Object.keys(first)
  const cells = [keys, ...rows.map((row) => keys.map((key) => show(row[key])))]
  const widths = keys.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? '').length)))
  return cells
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const show = (value: unknown): string => {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
