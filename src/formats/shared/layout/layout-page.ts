import type { Table } from '../document/model.ts'
import { type Atom, orderColumns } from './columns.ts'
import type { Draft, TextDraft } from './drafts.ts'
import { backTurner, type Fragment, type FramedFragments, readFragments } from './fragments.ts'
import { type Edges, edgesAround, edgesOf } from './geometry.ts'
import { layOutTagged, type TaggedLayout } from './layout-tagged.ts'
import { formLines, type Line, mergeLevel, toLine } from './lines.ts'
import { findMargins, type Row } from './margins.ts'
import { isLoneMarker } from './markers.ts'
import type { PageContent } from './page-content.ts'
import { groupDisplayLines, isAlike, type PageStyle, readPageStyle } from './page-style.ts'
import { findPanels, type Panel } from './panels.ts'
import { type ColumnPlace, formParagraphs } from './paragraphs.ts'
import { findRules, type Rule } from './rules.ts'
import { findTables } from './tables/find-tables.ts'

/** What is read as one between the lines. */
type Item =
  | { kind: 'lines'; lines: Line[]; box: Edges }
  | { kind: 'panel'; panel: Panel; number: number }
  | { kind: 'table'; table: Table; box: Edges }
  | { kind: 'image'; image: string; box: Edges }
  | { kind: 'drafts'; drafts: readonly Draft[]; box: Edges }

/** What stands on a page, in reading order. */
export const layOutPage = (page: PageContent): Draft[] => {
  const tables = findTables(page)
  const tagged = layOutTagged(
    page,
    tables.map(({ table, box, runs }) => ({
      kind: 'table',
      page: page.number,
      box: edgesOf(box),
      table,
      column: 0,
      runs,
    })),
  )
  if (tagged) return withUntagged(page, tagged)
  const taken = new Set<number>()
  for (const { runs } of tables) for (const run of runs) taken.add(run)
  const [main, ...others] = readFragments(page, taken)
  const objects: Item[] = [
    ...tables.map(({ table, box }): Item => ({ kind: 'table', table, box: edgesOf(box) })),
    ...page.images.map((image): Item => ({ kind: 'image', image: image.id, box: edgesOf(image) })),
  ]
  if (!main) return readRegion([], objects, page, [], readPageStyle([]))
  const drafts = main.frame === 0 ? layOutUpright(page, main, objects) : layOutTurned(page, main, objects)
  return [...drafts, ...others.flatMap((framed) => layOutAside(page, framed))]
}

/** What the tree does not know are marks of the page: they go before and after what it does. */
const withUntagged = (page: PageContent, { drafts, rest }: TaggedLayout): Draft[] => {
  const taken = new Set(page.runs.keys().filter((index) => !rest.has(index)))
  const framed = readFragments(page, taken)
  const upright = framed.find(({ frame }) => frame === 0)
  const bare = { ...page, shapes: [], lines: [], images: [] }
  const known: Item = { kind: 'drafts', drafts, box: edgesAround(drafts.map(({ box }) => box)) }
  const inTree = new Set<Draft>(drafts)
  // What is in no element repeats on other pages, or it was forgotten: all of it may be furniture.
  const around = (upright ? layOutUpright(bare, upright, [known]) : drafts).map((draft) =>
    inTree.has(draft) || draft.kind !== 'text' || draft.zone
      ? draft
      : { ...draft, zone: draft.box.y < page.height / 2 ? ('top' as const) : ('bottom' as const) },
  )
  return [...around, ...framed.filter((other) => other !== upright).flatMap((other) => layOutAside(page, other))]
}

const layOutUpright = (page: PageContent, { fragments }: FramedFragments, objects: readonly Item[]): Draft[] => {
  const lines = attachMarkers(formLines(fragments))
  const { panels, rest } = findPanels(page, lines)
  const panelItems = panels.map((panel, number): Item => ({ kind: 'panel', panel, number }))
  const boxes = [...objects, ...panelItems].map(boxOfItem)
  const margins = findMargins(rest, page.height, boxes)
  const rules = findRules(page.lines, rest, boxes)
  const style = readPageStyle(page.runs)
  const body = readRegion(margins.rest, [...objects, ...panelItems], page, rules, style)
  return [
    ...margins.top.flatMap((rows) => readMargin(rows, page, 'top', style)),
    ...body,
    ...margins.bottom.flatMap((rows) => readMargin(rows, page, 'bottom', style)),
  ]
}

/** A page whose text stands turned is laid out as if upright; its boxes are turned back. */
const layOutTurned = (page: PageContent, main: FramedFragments, objects: readonly Item[]): Draft[] => {
  const upright: PageContent = { ...page, width: main.width, height: main.height, shapes: [], lines: [], images: [] }
  const back = backTurner(main.frame, page.width, page.height)
  const drafts = layOutUpright(upright, main, []).map((draft) => ({ ...draft, box: back(draft.box) }))
  return [...drafts, ...readRegion([], objects, page, [], readPageStyle([]))]
}

/** Text that stands otherwise than the page's: labels of axes, stamps in the margin. It comes after the rest. */
const layOutAside = (page: PageContent, framed: FramedFragments): TextDraft[] => {
  const back = backTurner(framed.frame, page.width, page.height)
  const lines = mergeLevel(formLines(framed.fragments))
  const style = readPageStyle(page.runs)
  return lines
    .flatMap((line) => readMargin([[line]], page, 'side', style))
    .map((draft) => ({ ...draft, box: back(draft.box) }))
}

const readMargin = (
  rows: readonly Row[],
  page: PageContent,
  zone: NonNullable<TextDraft['zone']>,
  style: PageStyle,
): TextDraft[] => {
  const isBeside = rows.some((row) => row.length > 1)
  const parts = isBeside ? rows.flat().map((line) => [line]) : [rows.flat()]
  return parts.flatMap((lines) => {
    const { x, right } = edgesAround(lines)
    return formParagraphs(lines, { page: page.number, column: -1, left: x, right, zone, isBeside, rules: [], style })
  })
}

const boxOfItem = (item: Item): Edges => (item.kind === 'panel' ? item.panel : item.box)

const toAtom = (lines: Line[]): Atom<Item> => {
  const [line] = lines as [Line]
  const box = lines.length === 1 ? line : edgesAround(lines)
  return {
    x: box.x,
    y: box.y,
    right: box.right,
    bottom: box.bottom,
    value: { kind: 'lines', lines, box },
    characters: line.characters,
    ...(lines.length > 1 ? { lines: lines.length } : {}),
    numeric: line.characters < 12 && NUMERIC.test(line.fragments.map(({ text }) => text).join('')),
    size: line.size,
  }
}

const NUMERIC = /^[\s\d.,%$€£()+–—-]*\d[\s\d.,%$€£()+–—-]*$/

const readRegion = (
  lines: readonly Line[],
  objects: readonly Item[],
  page: PageContent,
  rules: readonly Rule[],
  style: PageStyle,
  panel?: number,
): Draft[] => {
  const atoms: Atom<Item>[] = [
    ...groupDisplayLines(lines, style).map(toAtom),
    ...objects.map((item): Atom<Item> => ({ ...boxOfItem(item), value: item, size: 0 })),
  ]
  const drafts: Draft[] = []
  for (const [number, column] of orderColumns(atoms, style.rightToLeft === 'most').entries()) {
    const inColumn = rules.filter(({ x, right }) => x < column.right && right > column.left)
    const place: ColumnPlace = {
      page: page.number,
      column: number,
      left: column.left,
      right: column.right,
      ...(panel === undefined ? {} : { panel }),
      rules: inColumn,
      style,
    }
    drafts.push(...readColumn(column.atoms, place, page))
  }
  return drafts
}

const readColumn = (atoms: readonly Atom<Item>[], place: ColumnPlace, page: PageContent): Draft[] => {
  const drafts: Draft[] = []
  let waiting: Line[] = []
  const flush = () => {
    if (waiting.length > 0) drafts.push(...formParagraphs(mergeLevel(waiting), place))
    waiting = []
  }
  const inPanel = place.panel === undefined ? {} : { panel: place.panel }
  for (const { value } of atoms) {
    if (value.kind === 'lines') {
      waiting.push(...value.lines)
      continue
    }
    flush()
    const { page: number, column } = place
    if (value.kind === 'drafts') drafts.push(...value.drafts)
    else if (value.kind === 'panel')
      drafts.push(...readRegion(value.panel.lines, [], page, [], place.style, value.number))
    else if (value.kind === 'table')
      drafts.push({ kind: 'table', page: number, box: value.box, table: value.table, column, ...inPanel })
    else drafts.push({ kind: 'image', page: number, box: value.box, image: value.image, column, ...inPanel })
  }
  flush()
  return drafts
}

const NEAR_LINES = 30
const SECTION_NUMBER = /^\s*\d{1,3}(?:\.\d{1,3})+\.?\s*$/
const NOTE_LABEL = /^\s*(?:\d{1,3}|[*∗†‡§¶])\s*$/

/** How far to the right of a marker, in sizes of the text, what it marks may begin; 0 for what is no marker. */
const markerReach = ({ text }: Fragment): number =>
  isLoneMarker(text) ? 4 : SECTION_NUMBER.test(text) ? 5 : NOTE_LABEL.test(text) ? 1.5 : 0

const isLoneMarkerLine = ({ fragments, characters }: Line): boolean =>
  characters < 12 && fragments.length === 1 && markerReach(fragments[0] as Fragment) > 0

/** Joins markers of items, numbers of sections and labels of notes that stand by themselves with the line they mark. */
const attachMarkers = (lines: readonly Line[]): readonly Line[] => {
  if (!lines.some(isLoneMarkerLine)) return lines
  const sorted = [...lines].sort((a, b) => a.y - b.y)
  const gone = new Set<Line>()
  const joined = new Map<Line, Line>()
  for (const [index, line] of sorted.entries()) {
    if (!isLoneMarkerLine(line)) continue
    const only = line.fragments[0] as Fragment
    const reach = markerReach(only)
    let best: Line | undefined
    for (let near = Math.max(0, index - NEAR_LINES); near < Math.min(sorted.length, index + NEAR_LINES); near++) {
      const other = sorted[near] as Line
      if (other === line || gone.has(other) || other.x < line.right - 1) continue
      const overlap = Math.min(line.bottom, other.bottom) - Math.max(line.y, other.y)
      if (overlap < Math.min(line.bottom - line.y, other.bottom - other.y) * 0.5) continue
      if (other.x - line.right < other.size * reach && (!best || other.x < best.x)) best = other
    }
    if (best && SECTION_NUMBER.test(only.text) && !isAlike(line, best)) best = undefined
    if (best && NOTE_LABEL.test(only.text) && best.size < line.size * 1.05) best = undefined
    if (!best || joined.has(best)) continue
    gone.add(line)
    joined.set(best, line)
  }
  return lines
    .filter((line) => !gone.has(line))
    .map((line) => {
      const marker = joined.get(line)
      return marker ? toLine([...marker.fragments, ...line.fragments]) : line
    })
}
