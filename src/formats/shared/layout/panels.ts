import { type Edges, edgesOf, overlapOf } from './geometry.ts'
import type { Line } from './lines.ts'
import type { PageContent } from './page-content.ts'

/** An area of the page, filled or framed, with text in it: a sidebar, or a figure with its labels. */
export type Panel = Edges & { lines: Line[] }

const PANELS_LIMIT = 40
const MIN_WIDTH_POINTS = 40
const MIN_HEIGHT_POINTS = 25
/** A lower area with one line in it is the ground of that line: a heading on a bar. */
const BAR_HEIGHT_POINTS = 45
/** What is narrower and low, with nothing in it, is an ornament. */
const EMPTY_WIDTH_POINTS = 60
const PAGE_SHARE = 0.6

/** Areas that hold text of their own or none at all, which are pictures, and the lines that stand in none of them. */
export const findPanels = (
  page: Pick<PageContent, 'width' | 'height' | 'shapes' | 'images'>,
  lines: readonly Line[],
): { panels: Panel[]; rest: Line[] } => {
  const areas = candidateAreas(page)
  if (areas.length === 0 || lines.length === 0) return { panels: [], rest: [...lines] }
  const holders = new Map<Line, Edges>()
  const held = new Map<Edges, Line[]>(areas.map((area) => [area, []]))
  const cut = new Map<Edges, number>()
  for (const line of lines) {
    const share = (area: Edges) => coveredShare(line, area)
    for (const area of areas) {
      const covered = share(area)
      if (covered >= 0.8) {
        // The largest area comes first: what is inside of it is its own.
        if (!holders.has(line)) {
          holders.set(line, area)
          held.get(area)?.push(line)
        }
      } else if (covered > 0.2) cut.set(area, (cut.get(area) ?? 0) + 1)
    }
  }
  const panels: Panel[] = []
  for (const [area, inside] of held) {
    const isBar = inside.length < 2 && area.bottom - area.y < BAR_HEIGHT_POINTS
    if ((cut.get(area) ?? 0) > inside.length * 0.3) continue
    if (isBar && (inside.length > 0 || area.right - area.x < EMPTY_WIDTH_POINTS)) continue
    panels.push({ ...area, lines: inside })
  }
  const inPanels = new Set(panels.flatMap((panel) => panel.lines))
  return { panels, rest: lines.filter((line) => !inPanels.has(line)) }
}

const candidateAreas = ({
  width,
  height,
  shapes,
  images,
}: Pick<PageContent, 'width' | 'height' | 'shapes' | 'images'>): Edges[] => {
  const pageArea = width * height
  const visible = shapes.filter((shape) => (shape.fill && shape.fill !== 'ffffff') || (shape.stroke && !shape.curved))
  return [...visible, ...images]
    .filter(
      (box) =>
        box.width >= MIN_WIDTH_POINTS &&
        box.height >= MIN_HEIGHT_POINTS &&
        box.width * box.height < pageArea * PAGE_SHARE,
    )
    .sort((a, b) => b.width * b.height - a.width * a.height)
    .slice(0, PANELS_LIMIT)
    .map(edgesOf)
}

const coveredShare = (line: Line, area: Edges): number => {
  const across = overlapOf(line.x, line.right, area.x - 3, area.right + 3) / Math.max(1, line.right - line.x)
  const down = overlapOf(line.y, line.bottom, area.y - 3, area.bottom + 3) / Math.max(1, line.bottom - line.y)
  return across <= 0 || down <= 0 ? 0 : across * down
}
