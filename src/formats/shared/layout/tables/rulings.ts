import type { PageContent, RuleLine, Shape } from '../page-content.ts'

/** A drawn line: `at` is its height or, of a vertical one, its distance from the left. */
export type Ruling = { at: number; from: number; to: number }
export type Rulings = { horizontal: readonly Ruling[]; vertical: readonly Ruling[] }

/** Pages with more lines are drawings. */
const MAX_LINES = 20_000
const MAX_FILLS = 400
/** Lines this near to each other, in points, are one line drawn twice, or in pieces. */
const SAME_LINE = 1.6
const SAME_PIECE = 2.5
const MIN_LENGTH = 4

/** The horizontal and vertical lines of a page, pieces put together. */
export const rulingsOf = (page: PageContent): Rulings => {
  if (page.lines.length > MAX_LINES) return { horizontal: [], vertical: [] }
  const horizontal: Ruling[] = []
  const vertical: Ruling[] = []
  const fills = fillsOf(page.shapes)
  for (const line of page.lines) {
    const width = Math.abs(line.x2 - line.x1)
    const height = Math.abs(line.y2 - line.y1)
    if (isInvisible(line, fills)) continue
    if (height <= 1 && width > height) horizontal.push(rulingAt((line.y1 + line.y2) / 2, line.x1, line.x2))
    else if (width <= 1 && height > width) vertical.push(rulingAt((line.x1 + line.x2) / 2, line.y1, line.y2))
  }
  return { horizontal: joinPieces(horizontal), vertical: joinPieces(vertical) }
}

const rulingAt = (at: number, a: number, b: number): Ruling => ({ at, from: Math.min(a, b), to: Math.max(a, b) })

const fillsOf = (shapes: readonly Shape[]): Shape[] => {
  const fills: Shape[] = []
  for (const shape of shapes) {
    if (fills.length === MAX_FILLS) break
    if (shape.fill && !isWhite(shape.fill) && shape.width > 4 && shape.height > 4) fills.push(shape)
  }
  return fills
}

const isWhite = (color: string): boolean => /^f[a-f\d]f[a-f\d]f[a-f\d]$/i.test(color)

/** White on white parts nothing; white on a fill is how some tables part their cells. */
const isInvisible = ({ color, x1, x2, y1, y2 }: RuleLine, fills: readonly Shape[]): boolean => {
  if (!color || !isWhite(color)) return false
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2]
  return !fills.some(
    (fill) => x > fill.x - 2 && x < fill.x + fill.width + 2 && y > fill.y - 2 && y < fill.y + fill.height + 2,
  )
}

const joinPieces = (rulings: Ruling[]): Ruling[] => {
  rulings.sort((a, b) => a.at - b.at)
  const joined: Ruling[] = []
  let group: Ruling[] = []
  const close = () => {
    group.sort((a, b) => a.from - b.from)
    let current: Ruling | undefined
    for (const piece of group) {
      if (current && piece.from <= current.to + SAME_PIECE) {
        current = { at: current.at, from: current.from, to: Math.max(current.to, piece.to) }
        continue
      }
      if (current && current.to - current.from >= MIN_LENGTH) joined.push(current)
      current = piece
    }
    if (current && current.to - current.from >= MIN_LENGTH) joined.push(current)
    group = []
  }
  for (const ruling of rulings) {
    const first = group[0]
    if (first && ruling.at - first.at > SAME_LINE) close()
    group.push(ruling)
  }
  close()
  return joined
}
