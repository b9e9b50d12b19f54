const MAX_INDENT = 120

/** The lines of a text with tabs as spaces and no blanks at their ends; what is indented absurdly is indented less. */
export const splitLines = (text: string): string[] =>
  text.split('\n').map((raw) => {
    const line = raw.replaceAll('\t', '        ').trimEnd()
    const indent = line.length - line.trimStart().length
    return indent > MAX_INDENT ? line.slice(indent - MAX_INDENT) : line
  })

/** Where the lines that are blank or indented by at least `indent` end; blank lines at the end do not count. */
export const endOfIndented = (lines: readonly string[], from: number, indent: number): number => {
  let end = from
  for (let i = from; i < lines.length; i++) {
    const line = lines[i] as string
    if (line === '') continue
    if (line.length - line.trimStart().length < indent) break
    end = i + 1
  }
  return end
}

const indentOf = (line: string): number => line.length - line.trimStart().length

/** Takes away the indentation that all lines share. */
export const dedent = (lines: string[]): string[] => {
  const common = lines.reduce((least, line) => (line === '' ? least : Math.min(least, indentOf(line))), 1_000)
  return lines.map((line) => line.slice(Math.min(common, indentOf(line))))
}

/** Takes away up to so much indentation from each line. */
export const dedentBy = (lines: string[], width: number): string[] =>
  lines.map((line) => line.slice(Math.min(width, indentOf(line))))
