import type { CodeLine, TextDraft } from './drafts.ts'
import { median } from './geometry.ts'
import type { Line } from './lines.ts'

/** A line as typed: gaps become as many spaces as characters would fill them. */
export const readCodeLine = (line: Line): CodeLine => {
  const parts = line.fragments.flatMap((fragment) =>
    fragment.words
      ? fragment.words.map(({ text, x, width }) => ({ text, x, right: x + width }))
      : [{ text: fragment.text.trim(), x: fragment.x, right: fragment.right }],
  )
  const characterWidth =
    median(parts.map(({ text, x, right }) => (right - x) / Math.max(1, text.length))) || line.size * 0.6
  let text = ''
  let right = line.x
  for (const part of parts) {
    const column = Math.round((part.x - line.x) / characterWidth)
    const isApart = part.x - right > characterWidth * 0.3
    text += `${' '.repeat(isApart ? Math.min(200, Math.max(1, column - text.length)) : 0)}${part.text}`
    right = part.right
  }
  return { text, x: line.x, y: line.y, bottom: line.bottom, characterWidth }
}

/** The text of drafts that make one piece of code, with its indents and empty lines. */
export const joinCode = (drafts: readonly TextDraft[]): string => {
  const lines = drafts.flatMap((draft) => (draft.codeLines ?? []).map((line) => ({ ...line, page: draft.page })))
  const left = Math.min(...lines.map(({ x }) => x))
  const text: string[] = []
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1]
    if (above && above.page === line.page && line.y - above.bottom > (line.bottom - line.y) * 0.8) text.push('')
    text.push(
      `${' '.repeat(Math.min(200, Math.max(0, Math.round((line.x - left) / line.characterWidth))))}${line.text}`,
    )
  }
  return text.join('\n')
}
