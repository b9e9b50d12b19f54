import type { Edges } from './geometry.ts'
import type { Line } from './lines.ts'
import type { RuleLine } from './page-content.ts'

/** A horizontal rule that parts what is above from what is below. */
export type Rule = { x: number; right: number; y: number }

const MIN_LENGTH_POINTS = 25
const RULES_LIMIT = 200
const NEAR_LINES = 40

/** The rules of a page that part text: not underlines, not those of tables and figures. */
export const findRules = (drawn: readonly RuleLine[], lines: readonly Line[], objects: readonly Edges[]): Rule[] => {
  const level = drawn
    .filter(({ x1, x2, y1, y2 }) => Math.abs(y1 - y2) < 1 && Math.abs(x2 - x1) >= MIN_LENGTH_POINTS)
    .map(({ x1, x2, y1 }) => ({ x: Math.min(x1, x2), right: Math.max(x1, x2), y: y1 }))
    .sort((a, b) => b.right - b.x - (a.right - a.x))
    .slice(0, RULES_LIMIT)
    .filter((rule) => !objects.some((object) => isOn(rule, object)))
  if (level.length === 0) return level
  const byBottom = [...lines].sort((a, b) => a.bottom - b.bottom)
  return level.filter((rule) => !isUnderline(rule, byBottom))
}

const isOn = ({ x, right, y }: Rule, box: Edges): boolean =>
  y >= box.y - 3 && y <= box.bottom + 3 && right > box.x && x < box.right

const isUnderline = (rule: Rule, byBottom: readonly Line[]): boolean => {
  let low = 0
  let high = byBottom.length
  while (low < high) {
    const half = (low + high) >> 1
    if ((byBottom[half] as Line).bottom < rule.y - 4) low = half + 1
    else high = half
  }
  for (const line of byBottom.slice(low, low + NEAR_LINES)) {
    if (line.bottom > rule.y + line.size) break
    const touches = rule.y > line.y + line.size * 0.5 && rule.y < line.bottom + line.size * 0.2
    if (touches && rule.x >= line.x - 3 && rule.right <= line.right + 3) return true
  }
  return false
}
