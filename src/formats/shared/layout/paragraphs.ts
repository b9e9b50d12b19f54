import { isCaption } from './captions.ts'
import { readCodeLine } from './code-text.ts'
import type { TextDraft } from './drafts.ts'
import { edgesAround, median, middleOf } from './geometry.ts'
import { inlinesOf, type Piece, piecesOf, textOfPieces } from './inline-text.ts'
import type { Line } from './lines.ts'
import { type Marker, readMarker } from './markers.ts'
import { DISPLAY_LEADING, DISPLAY_LINES_LIMIT, isAlike, isDisplay, isRtlText, type PageStyle } from './page-style.ts'
import type { Rule } from './rules.ts'

/** What paragraphs of a column are told of where they stand. */
export type ColumnPlace = {
  page: number
  column: number
  left: number
  right: number
  panel?: number
  zone?: TextDraft['zone']
  isBeside?: boolean
  rules: readonly Rule[]
  style: PageStyle
}

type ReadLine = Line & { pieces: Piece[]; text: string; marker: Marker | undefined; textX: number }

/** Lines of a column, from top to bottom, as paragraphs. */
export const formParagraphs = (lines: readonly Line[], place: ColumnPlace): TextDraft[] => {
  const read = lines.map((line) => readLine(line, place.style))
  const leading = typicalLeading(read)
  const rightEdge = usualRightEdge(read, place.right)
  const groups: ReadLine[][] = []
  for (const [index, line] of read.entries()) {
    const group = groups.at(-1)
    if (group && continues(group, line, read[index + 1], { leading, rightEdge, place })) group.push(line)
    else groups.push([line])
  }
  return groups.map((group, index) =>
    toDraft(group, groups[index - 1]?.at(-1), groups[index + 1]?.[0], rightEdge, place),
  )
}

/** All lines as one paragraph, whatever their look. */
export const formSingle = (lines: readonly Line[], place: ColumnPlace): TextDraft =>
  toDraft(
    lines.map((line) => readLine(line, place.style)),
    undefined,
    undefined,
    place.right,
    place,
  )

const readLine = (line: Line, style: PageStyle): ReadLine => {
  const isRtl = style.rightToLeft !== 'none' && isRtlText(line.fragments.map(({ text }) => text).join(' '), style)
  const pieces = piecesOf(line, isRtl)
  const text = textOfPieces(pieces)
  const marker = readMarker(text)
  const { x, y, right, bottom, fragments, size, characters, bold, monospace, italic } = line
  const textX = marker ? textStart(line, marker) : x
  return { x, y, right, bottom, fragments, size, characters, bold, monospace, italic, pieces, text, marker, textX }
}

/** Where the text after a marker begins. */
const textStart = (line: Line, marker: Marker): number => {
  const [first, second] = line.fragments
  if (!first) return line.x
  if (first.text.trim().length <= marker.text.length) return second?.x ?? first.right
  const words = first.words
  if (words && words[0]?.text === marker.text && words[1]) return words[1].x
  return first.x + ((first.right - first.x) * marker.length) / Math.max(1, first.text.length)
}

/** The distance between lines that most lines of the column keep, in sizes of the text. */
const typicalLeading = (lines: readonly ReadLine[]): number => {
  const distances: number[] = []
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] as ReadLine
    const above = lines[index - 1] as ReadLine
    const distance = (middleOf(line) - middleOf(above)) / line.size
    if (distance > 0.7 && distance < 2.6 && Math.abs(line.size - above.size) < line.size * 0.1) distances.push(distance)
  }
  if (distances.length < 2) return distances[0] && distances[0] < 1.7 ? distances[0] : 1.3
  // Paragraphs of a line each would make the gaps between them the typical distance.
  distances.sort((a, b) => a - b)
  return distances[Math.floor(distances.length * 0.4)] as number
}

/** Where full lines end: most do, and an odd one that reaches further is not the measure. */
const usualRightEdge = (lines: readonly ReadLine[], columnRight: number): number => {
  if (lines.length < 4) return columnRight
  const edges = lines.map(({ right }) => right).sort((a, b) => a - b)
  return edges[Math.floor(edges.length * 0.9)] as number
}

const ENDS_SENTENCE = /[.!?:;…。！？]["'”’»)\]]*\d{0,3}$/u
/** The number of a chapter above its title. */
const LONE_NUMBER = /^(?:\d{1,3}|[IVX]{1,5}|[A-Z])[.:]?$/
/** A line of a table of contents: `Introduction .......... 7`. */
const LEADS_TO_PAGE = /(?:\.{4,}|(?:\. ){4,}|…{2,}|_{4,})\s*(?:\d{1,4}|[ivxlc]{1,6})$/
/** What footnotes begin with. */
const NOTE_LABEL = /^(\d{1,3})\s+\S/
const STARTS_LOWER = /^["'“‘«(]?\p{Ll}/u

/** How a column is set. */
type Setting = { leading: number; rightEdge: number; place: ColumnPlace }

const continues = (
  group: readonly ReadLine[],
  line: ReadLine,
  next: ReadLine | undefined,
  { leading, rightEdge, place }: Setting,
): boolean => {
  const first = group[0] as ReadLine
  const above = group.at(-1) as ReadLine
  const size = Math.max(above.size, line.size)
  const distance = (middleOf(line) - middleOf(above)) / Math.min(above.size, line.size)
  const isDisplayed = isDisplay(above, place.style) && isDisplay(line, place.style) && isAlike(above, line)
  if (distance > Math.max(leading * 1.3 + 0.05, isDisplayed ? DISPLAY_LEADING : 0)) return false
  if (isOtherSize(above, line) && Math.min(above.characters, line.characters) > 3) return false
  if (isParted(above, line, place.rules)) return false
  if (isCode(above) !== isCode(line)) return false
  if (isCode(line)) return true
  const label = NOTE_LABEL.exec(line.text)?.[1]
  if (label && Number(label) === Number(NOTE_LABEL.exec(first.text)?.[1]) + 1 && Math.abs(first.x - line.x) < size)
    return false
  if (line.marker && startsItem(group, line, rightEdge)) return false
  if (isDisplayed)
    return group.length < DISPLAY_LINES_LIMIT && (!ENDS_SENTENCE.test(above.text) || LONE_NUMBER.test(above.text))
  if (LEADS_TO_PAGE.test(above.text) || endsInPageNumber(above)) return false
  const isShort = hasRoom(above, line, rightEdge)
  const starts = !STARTS_LOWER.test(line.text)
  if (
    isCaption(line.text) &&
    (isShort || ENDS_SENTENCE.test(above.text) || Math.abs(above.size - line.size) > size * 0.04)
  )
    return false
  const isBoldAbove = above.bold > 0.9
  const isBold = line.bold > 0.9
  if (isBoldAbove !== isBold && starts && (isShort || ENDS_SENTENCE.test(above.text)) && isAllAlike(group)) return false
  if (first.marker && isHanging(first, line)) return true
  const indent = line.x - above.x
  if (isRtlText(line.text, place.style)) return !(isShortRtl(above, line, place.left) && ENDS_SENTENCE.test(above.text))
  // Centred lines begin anywhere.
  const isCentred = Math.abs(line.x + line.right - above.x - above.right) < size
  if (isCentred && isShort && Math.abs(indent) > size * 0.8) return false
  if (!isCentred) {
    const goesBack = next === undefined || next.x < line.x - size * 0.5
    if (
      indent > size * 0.8 &&
      goesBack &&
      starts &&
      (group.length > 1 || isShort || ENDS_SENTENCE.test(above.text)) &&
      !isHangingGroup(group)
    )
      return false
    // A line that comes back out begins the next entry of a list with hanging lines.
    if (group.length > 1 && isHangingGroup(group) && line.x <= first.x + size * 0.4) return false
    if (indent < -size * 1.2 && group.length > 1 && above.x > first.x - size * 0.3 && starts && isShort) return false
  }
  if (!isShort || !starts) return true
  return !(ENDS_SENTENCE.test(above.text) || isShortLine(above, rightEdge, place, group.length > 1 ? 0.25 : 0.4))
}

const isOver = (rule: Rule, line: Line): boolean => rule.x < line.right && rule.right > line.x

const isParted = (above: ReadLine, line: ReadLine, rules: readonly Rule[]): boolean =>
  rules.some((rule) => rule.y > middleOf(above) && rule.y < middleOf(line) - line.size * 0.2 && isOver(rule, line))

/** A line that stops well before the edge of the column was ended on purpose. */
const isShortLine = (line: ReadLine, rightEdge: number, place: ColumnPlace, share: number): boolean =>
  rightEdge - line.right > (rightEdge - place.left) * share

/** A run has the size of its first words, so sizes must differ in height too to be believed. */
const isOtherSize = (a: ReadLine, b: ReadLine): boolean => {
  const [aHeight, bHeight] = [a.bottom - a.y, b.bottom - b.y]
  return (
    Math.min(a.size, b.size) < Math.max(a.size, b.size) * 0.86 &&
    Math.abs(aHeight - bHeight) > Math.max(aHeight, bHeight) * 0.06
  )
}

/** A number set apart at the end of the line, as in a table of contents without dots. */
const endsInPageNumber = ({ fragments, size }: ReadLine): boolean => {
  const last = fragments.at(-1)
  const before = fragments.at(-2)
  return (
    last !== undefined &&
    before !== undefined &&
    last.x - before.right > size * 1.5 &&
    /^(?:\d{1,4}|[ivxlc]{1,6})$/.test(last.text.trim())
  )
}

const isAllAlike = (group: readonly ReadLine[]): boolean =>
  group.every(({ bold }) => bold > 0.9) || group.every(({ bold }) => bold < 0.9)

const isCode = (line: Line): boolean => line.monospace > 0.95

/** Whether the first word of the next line would have stood on this one: the break was meant. */
const hasRoom = (line: ReadLine, next: ReadLine, rightEdge: number): boolean => {
  const word = /^\S+/.exec(next.text)?.[0] ?? ''
  const width = ((next.right - next.x) / Math.max(1, next.text.length)) * (word.length + 1)
  return line.right + width < rightEdge - line.size * 0.8
}

const isShortRtl = (line: ReadLine, next: ReadLine, leftEdge: number): boolean => {
  const word = /^\S+/.exec(next.text)?.[0] ?? ''
  const width = ((next.right - next.x) / Math.max(1, next.text.length)) * (word.length + 1)
  return line.x - width > leftEdge + line.size * 0.8
}

const isHanging = (first: ReadLine, line: ReadLine): boolean =>
  first.textX > first.x + first.size * 0.5 && Math.abs(line.x - first.textX) < first.size * 0.6

const isHangingGroup = (group: readonly ReadLine[]): boolean => {
  const [first, ...others] = group as [ReadLine, ...ReadLine[]]
  return others.length > 0 && others.every((line) => line.x > first.x + first.size * 0.7)
}

/** A marker begins an item unless it is one by chance: a number that fell on the beginning of a line of prose. */
const startsItem = (group: readonly ReadLine[], line: ReadLine, rightEdge: number): boolean => {
  const marker = line.marker as Marker
  const first = group[0] as ReadLine
  const above = group.at(-1) as ReadLine
  // Signs that part what is listed in a line also come to stand at the beginning of one.
  if (/^[·•|]$/.test(marker.text) && above.text.includes(` ${marker.text} `)) return false
  if (!marker.ordered && !/^[-–—*»o]$/.test(marker.text)) return true
  if (first.marker?.style === marker.style && Math.abs(first.x - line.x) < line.size * 0.6) {
    return !marker.ordered || marker.value === (first.marker.value ?? 0) + 1 || ENDS_SENTENCE.test(above.text)
  }
  return (
    ENDS_SENTENCE.test(above.text) ||
    (/[,;]$|\b(?:and|or)$/.test(above.text) && marker.ordered) ||
    hasRoom(above, line, rightEdge)
  )
}

const toDraft = (
  group: readonly ReadLine[],
  above: ReadLine | undefined,
  below: ReadLine | undefined,
  rightEdge: number,
  place: ColumnPlace,
): TextDraft => {
  const first = group[0] as ReadLine
  const last = group.at(-1) as ReadLine
  const box = edgesAround(group)
  let characters = 0
  let bold = 0
  let italic = 0
  let monospace = 0
  for (const line of group) {
    characters += line.characters
    bold += line.bold * line.characters
    italic += line.italic * line.characters
    monospace += line.monospace * line.characters
  }
  const isMonospace = monospace > characters * 0.95
  const size = median(group.map((line) => line.size))
  const content = inlinesOf(group)
  const text = content.map((inline) => (inline.kind === 'text' ? inline.text : '')).join('')
  const confidence = confidenceOf(group)
  const width = place.right - place.left
  return {
    kind: 'text',
    page: place.page,
    box,
    content,
    text,
    codeLines: isMonospace ? group.map(readCodeLine) : undefined,
    lines: group.length,
    size,
    bold: bold / characters,
    italic: italic / characters,
    monospace: monospace / characters,
    color: first.fragments[0]?.color ?? '000000',
    font: first.fragments[0]?.font ?? '',
    marker: first.marker,
    textLeft: first.textX,
    left: place.left,
    right: place.right,
    gapAbove: above ? (box.y - above.bottom) / size : Infinity,
    gapBelow: below ? (below.y - box.bottom) / size : Infinity,
    isFull: rightEdge - last.right < size * 2.5,
    isIndented: group.length > 1 && first.x - (group[1] as ReadLine).x > size * 0.8,
    isCentred:
      Math.abs(box.x + box.right - place.left - place.right) < size * 1.5 &&
      box.right - box.x < width * 0.9 &&
      box.x - place.left > size,
    rightToLeft: isRtlText(text, place.style),
    zone: place.zone,
    isBeside: place.isBeside,
    panel: place.panel,
    column: place.column,
    isEntry: LEADS_TO_PAGE.test(last.text) || endsInPageNumber(last),
    isUnderRule: place.rules.some(
      (rule) =>
        rule.y <= first.y + size * 0.3 &&
        rule.y > (above ? above.bottom - size * 0.3 : -Infinity) &&
        isOver(rule, first),
    ),
    confidence,
    tagged: undefined,
    edge: undefined,
    endPage: undefined,
  }
}

const confidenceOf = (lines: readonly Line[]): number | undefined => {
  let sum = 0
  let weight = 0
  for (const { fragments } of lines) {
    for (const { confidence, text } of fragments) {
      if (confidence === undefined) continue
      sum += confidence * text.length
      weight += text.length
    }
  }
  return weight > 0 ? Math.round((sum / weight) * 1000) / 1000 : undefined
}
