import { orderColumns } from './columns.ts'
import type { Draft, TableDraft, TextDraft } from './drafts.ts'
import { createFragmentReader, type Fragment } from './fragments.ts'
import { type Edges, edgesAround, edgesOf, overlapOf } from './geometry.ts'
import { formLines, type Line, mergeLevel } from './lines.ts'
import type { PageContent } from './page-content.ts'
import { type PageStyle, readPageStyle } from './page-style.ts'
import { formParagraphs, formSingle } from './paragraphs.ts'
import { coversText, readTaggedParts, type TaggedPart } from './structure-tree.ts'

/** What of a page the structure tree put in order, and the runs it did not know. */
export type TaggedLayout = { drafts: Draft[]; rest: ReadonlySet<number> }

/** More steps back up the page than this share, in one column, and the tree's order is not that of reading. */
const BACKWARD_SHARE = 0.15

/** Lays a page out by its structure tree; nothing where the file has none or it is not to be trusted. */
export const layOutTagged = (
  page: PageContent,
  tables: readonly (TableDraft & { runs: ReadonlySet<number> })[],
): TaggedLayout | undefined => {
  if (page.structure.length === 0) return undefined
  const parts = readTaggedParts(page.structure)
  if (parts.length === 0 || !coversText(page, parts)) return undefined
  const runsOf = new Map<number, number[]>()
  page.runs.forEach(({ mcid, rotation, text }, index) => {
    if (mcid === undefined || rotation !== 0 || !/\S/.test(text)) return
    const known = runsOf.get(mcid)
    if (known) known.push(index)
    else runsOf.set(mcid, [index])
  })
  const style = readPageStyle(page.runs)
  const readFragment = createFragmentReader(page)
  const inTables = new Map<number, TableDraft>()
  for (const { runs, ...table } of tables) for (const run of runs) inTables.set(run, table)
  const placed = new Set<Draft>()
  const seen = new Set<number>()
  const drafts: Draft[] = []
  for (const part of parts) {
    const own: number[] = []
    for (const mcid of part.mcids) for (const run of runsOf.get(mcid) ?? []) if (!seen.has(run)) own.push(run)
    for (const run of own) seen.add(run)
    const fragments: Fragment[] = []
    for (const run of own) {
      const table = inTables.get(run)
      if (!table) fragments.push(readFragment(run))
      else if (!placed.has(table)) {
        placed.add(table)
        drafts.push(table)
      }
    }
    if (fragments.length > 0) drafts.push(...readPart(part, fragments, page, style))
  }
  for (const table of inTables.values()) if (!placed.has(table)) placeByHeight(drafts, table, placed)
  if (!isInOrder(drafts)) return undefined
  const figures = parts.filter(({ kind }) => kind === 'figure')
  for (const [index, image] of page.images.entries()) {
    const alt = figures.length === page.images.length ? figures[index]?.alt : undefined
    const draft: Draft = {
      kind: 'image',
      page: page.number,
      box: edgesOf(image),
      image: image.id,
      column: 0,
      ...(alt ? { alt } : {}),
    }
    placeByHeight(drafts, draft, placed)
  }
  const rest = new Set(page.runs.keys())
  for (const run of seen) rest.delete(run)
  for (const run of inTables.keys()) rest.delete(run)
  return { drafts, rest }
}

const readPart = (part: TaggedPart, fragments: Fragment[], page: PageContent, style: PageStyle): TextDraft[] => {
  const lines = formLines(fragments)
  const place = { page: page.number, column: 0, rules: [], style }
  const isOne = part.tagged.as === 'heading' || part.tagged.as === 'item'
  const inColumns = orderLines(lines).map(mergeLevel)
  const { x: left, right } = edgesAround(fragments)
  const drafts = isOne
    ? [formSingle(inColumns.flat(), { ...place, left, right })]
    : inColumns.flatMap((own) => formParagraphs(own, { ...place, ...spanOf(own) }))
  return drafts.map((draft) => ({ ...draft, tagged: part.tagged, edge: edgeOf(draft, page.height) }))
}

const EDGE_SHARE = 0.12

const edgeOf = ({ box, text, lines }: TextDraft, height: number): TextDraft['edge'] => {
  if (lines > 3 || text.length > 120) return undefined
  if (box.bottom < height * EDGE_SHARE) return 'top'
  return box.y > height * (1 - EDGE_SHARE) ? 'bottom' : undefined
}

/** Lines of one part by columns; a part that goes on at the top of the next column has lines beside none of its own. */
const orderLines = (lines: readonly Line[]): Line[][] => {
  const clusters: Line[][] = []
  let right = -Infinity
  for (const line of [...lines].sort((a, b) => a.x - b.x)) {
    if (line.x > right + line.size * 0.6) clusters.push([])
    clusters.at(-1)?.push(line)
    right = Math.max(right, line.right)
  }
  const spans = clusters.map(edgesAround)
  const areApart = spans.every((span, index) => {
    const next = spans[index + 1]
    return !next || overlapOf(span.y, span.bottom, next.y, next.bottom) <= 0
  })
  if (clusters.length > 1 && areApart) return clusters
  const atoms = lines.map((line) => ({
    ...edgesOfLine(line),
    value: line,
    characters: line.characters,
    size: line.size,
  }))
  return orderColumns(atoms).map((column) => column.atoms.map(({ value }) => value))
}

/** Puts what the tree does not place before the first draft of its column that stands lower. */
const placeByHeight = (drafts: Draft[], draft: Draft, placed: Set<Draft>): void => {
  placed.add(draft)
  const index = drafts.findIndex(
    ({ box }) => box.y >= draft.box.y && overlapOf(box.x, box.right, draft.box.x, draft.box.right) > 0,
  )
  drafts.splice(index < 0 ? drafts.length : index, 0, draft)
}

const edgesOfLine = ({ x, y, right, bottom }: Line): Edges => ({ x, y, right, bottom })

const spanOf = (lines: readonly Line[]): { left: number; right: number } => {
  const { x, right } = edgesAround(lines)
  return { left: x, right }
}

const isInOrder = (drafts: readonly Draft[]): boolean => {
  let steps = 0
  let backward = 0
  for (const [index, draft] of drafts.entries()) {
    const above = drafts[index - 1]
    if (!above || overlapOf(above.box.x, above.box.right, draft.box.x, draft.box.right) <= 0) continue
    steps++
    if (draft.box.bottom < above.box.y) backward++
  }
  return backward <= Math.max(1, steps * BACKWARD_SHARE)
}
