import { isCaption } from './captions.ts'
import { type DocumentStyle, isBodySize } from './document-style.ts'
import type { Draft, TextDraft } from './drafts.ts'
import { indexOutline, type OutlineEntry, titleKey } from './outline.ts'

const LENGTH_LIMIT = 200
const LINES_LIMIT = 4
const LEVELS = 6
const TITLE_RATIO = 1.5

const NUMBERING =
  /^(?:(?:chapter|section|part|appendix|annex|kapitel|abschnitt|teil|глава|раздел)\s+)?((?:\d{1,3}|[A-Z]|[IVX]{1,5})(?:\.\d{1,3})*)[.):]?\s+\p{L}/iu
const ENDS_AS_SENTENCE = /[.,;]["'”’)]*$/
const HAS_WORD = /\p{L}{2}|\p{Lo}/u

/** `Chapter 7.`, `PART II`: the label of a heading on a line of its own. */
const LABEL =
  /^(?:chapter|section|part|appendix|annex|unit|lesson|module|kapitel|abschnitt|teil|anhang|chapitre|partie|capítulo|capitolo|глава|часть|раздел)\s+(?:\d{1,3}|[ivxlc]{1,6}|[A-Z]|one|two|three|four|five|six|seven|eight|nine|ten)[.:]?$/iu
const LONE_NUMBER = /^(?:\d{1,3}|[IVX]{1,5})[.:]?$/

/** Headings among the drafts of a document, with their levels. */
export const findHeadings = (
  drafts: readonly Draft[],
  isFurniture: (draft: Draft) => boolean,
  style: DocumentStyle,
  outline: readonly OutlineEntry[],
): Map<Draft, number> => {
  const titles = indexOutline(outline)
  const hasTagged = drafts.some((draft) => draft.kind === 'text' && draft.tagged?.as === 'heading')
  const headings: TextDraft[] = []
  const given = new Map<Draft, number>()
  const flow = drafts.filter((draft) => !isFurniture(draft))
  const isHeadingFont = findHeadingFonts(flow, style)
  for (const [index, draft] of flow.entries()) {
    if (draft.kind !== 'text') continue
    if (draft.tagged) {
      if (draft.tagged.as === 'heading') {
        headings.push(draft)
        if (draft.tagged.level) given.set(draft, draft.tagged.level)
        continue
      }
      // Titles are often left out of the tags; nothing else that looks like a heading is believed then.
      if (hasTagged && !(draft.size >= style.size * TITLE_RATIO && draft.tagged.as === 'paragraph')) continue
    }
    const entry = titles.size > 0 ? titles.get(titleKey(draft.text)) : undefined
    if (entry && isPlausible(draft) && (entry.page === undefined || entry.page === draft.page)) {
      headings.push(draft)
      given.set(draft, Math.min(LEVELS, entry.level))
      continue
    }
    if (
      isHeading(draft, flow[index - 1], flow[index + 1], style) ||
      (isHeadingFont(draft) && isTitleLine(draft, flow[index + 1], style))
    )
      headings.push(draft)
  }
  return assignLevels(headings, given)
}

/** Times that a font must be seen in lines that look like headings, to be that of headings. */
const FONT_TIMES = 3
const TITLE_LENGTH = 90

/**
 * Fonts in which nothing is set but short lines above text: where names of fonts do not say that they are bold, their
 * use does.
 */
const findHeadingFonts = (flow: readonly Draft[], style: DocumentStyle): ((draft: TextDraft) => boolean) => {
  const uses = new Map<string, { titles: number; others: number }>()
  const keyOf = ({ font, size }: TextDraft): string => `${font}:${Math.round(size * 2)}`
  for (const [index, draft] of flow.entries()) {
    if (draft.kind !== 'text' || draft.font === style.font || draft.panel !== undefined || draft.zone === 'side')
      continue
    const key = keyOf(draft)
    const use = uses.get(key) ?? { titles: 0, others: 0 }
    uses.set(key, use)
    if (isTitleLine(draft, flow[index + 1], style)) use.titles++
    else use.others++
  }
  return (draft) => {
    const use = uses.get(keyOf(draft))
    return use !== undefined && use.titles >= FONT_TIMES && use.titles >= use.others * 3
  }
}

/** A short line, begun as titles are, with a paragraph of the text below it. */
const isTitleLine = (draft: TextDraft, below: Draft | undefined, style: DocumentStyle): boolean =>
  isPlausible(draft) &&
  draft.lines <= 2 &&
  draft.text.length <= TITLE_LENGTH &&
  draft.size >= style.size * 0.9 &&
  draft.panel === undefined &&
  !draft.codeLines &&
  !draft.isEntry &&
  !draft.marker &&
  !isCaption(draft.text) &&
  !ENDS_AS_SENTENCE.test(draft.text) &&
  /^["'“‘«(]?[\p{Lu}\p{N}\p{Lo}]/u.test(draft.text) &&
  below?.kind === 'text' &&
  (below.text.length > TITLE_LENGTH || below.font !== style.font)

/** A chapter's number set as large as a title. */
const isChapterNumber = (draft: TextDraft, style: DocumentStyle): boolean =>
  LONE_NUMBER.test(draft.text) &&
  draft.panel === undefined &&
  !draft.isBeside &&
  draft.size >= style.size * (draft.bold > 0.9 ? 1.3 : 1.8)

const isPlausible = (draft: TextDraft): boolean =>
  draft.lines <= LINES_LIMIT && draft.text.length <= LENGTH_LIMIT && HAS_WORD.test(draft.text)

const isHeading = (
  draft: TextDraft,
  above: Draft | undefined,
  below: Draft | undefined,
  style: DocumentStyle,
): boolean => {
  if (isChapterNumber(draft, style)) return true
  if (!isPlausible(draft) || draft.zone === 'side' || draft.codeLines || draft.isEntry) return false
  if (isCaption(draft.text)) return false
  if (draft.marker && !draft.marker.ordered) return false
  const { text } = draft
  const ratio = draft.size / style.size
  const numbering = NUMBERING.exec(text)
  const isNumbered = numbering !== null && !/^\p{Ll}/u.test(numbering[1] as string)
  const isBold = draft.bold > 0.9 && !style.isBold
  const isCaps = isUpperCase(text) && !/[_=<>|{};]/.test(text)
  if (LABEL.test(text) && draft.panel === undefined && (isBold || isCaps || ratio >= 1.1)) return true
  if (ENDS_AS_SENTENCE.test(text) && !isAbbreviated(text)) {
    const isShort = draft.lines < 3 && text.length < 90
    if (!(isShort && ((isNumbered && text.length < 60) || ratio >= 1.3 || (isBold && ratio >= 1.1)))) return false
  }
  if (/^\p{Ll}/u.test(text) && ratio < 1.25) return false
  if (draft.panel !== undefined && !(isBold && ratio <= 1.7 && isProse(below, draft) && below?.panel === draft.panel))
    return false
  if (isFieldLabel(text) && (!isBold || ratio < 1.05)) return false
  if (draft.isBeside && !isBold) return false
  if (ratio >= 1.5) return draft.lines <= LINES_LIMIT && text.length <= 160
  if (ratio >= 1.15)
    return (
      isBold ||
      isCaps ||
      isNumbered ||
      (draft.lines <= 2 && isSetApart(draft) && text.length <= 110 && (!draft.isFull || draft.isCentred))
    )
  if (ratio >= 1.06 && (isBold || isNumbered || isCaps)) return draft.lines <= 3
  const isFollowed = isContent(below)
  if (isBold) {
    if (draft.lines > 2 || ratio < (isCaps || draft.gapAbove > 0.5 ? 0.5 : 0.72)) return false
    if (draft.isFull && draft.lines === 1 && !isNumbered && !draft.isCentred && text.length > 90) return false
    return isFollowed && isLeadByGap(draft, above)
  }
  if (isBodySize(draft, style) || ratio > 0.9) {
    if (isCaps && draft.lines <= 2 && text.length >= 4 && isFollowed) return isSetApart(draft) || isNumbered
    if (isNumbered && draft.lines === 1 && /\./.test(numbering[1] as string) && !draft.isFull && isFollowed)
      return isSetApart(draft)
    if (draft.italic > 0.9 && !style.isItalic && draft.lines === 1 && isNumbered && isFollowed) return true
  }
  return false
}

const CAPITALS_ENOUGH = 4

/** Whether all letters that come in two sizes are capitals, and there are some. */
const isUpperCase = (text: string): boolean => {
  const lower = text.toLowerCase()
  if (text !== text.toUpperCase() || text === lower) return false
  let capitals = 0
  for (let index = 0; index < text.length && capitals < CAPITALS_ENOUGH; index++)
    if (text.charCodeAt(index) !== lower.charCodeAt(index)) capitals++
  return capitals >= CAPITALS_ENOUGH
}

const isAbbreviated = (text: string): boolean => /\b(?:Inc|Ltd|Co|Jr|St|et al|U\.S|etc)\.$/.test(text)

/** A name with its value, as in a form or on a title page. */
const isFieldLabel = (text: string): boolean => /^[^:]{1,30}:\s+\S/u.test(text) && text.length < 60 && /\d/.test(text)

const isSetApart = ({ gapAbove, gapBelow }: TextDraft): boolean => gapAbove > 0.5 && gapBelow > 0.15

const isLeadByGap = (draft: TextDraft, above: Draft | undefined): boolean =>
  draft.gapAbove > 0.2 || above?.kind !== 'text' || above.text.length < 200 || above.bold > 0.9

const isContent = (draft: Draft | undefined): boolean => draft !== undefined

const isProse = (draft: Draft | undefined, heading: TextDraft): boolean =>
  draft?.kind === 'text' && draft.page === heading.page && draft.text.length > 60

/** Levels by the look of headings, the most prominent first; numbering and what the file itself says go before. */
const assignLevels = (headings: readonly TextDraft[], given: ReadonlyMap<Draft, number>): Map<Draft, number> => {
  const levelOfLook = rankLooks(headings.filter((heading) => !given.has(heading)))
  const levels = new Map<Draft, number>()
  let numberedBase: number | undefined
  for (const heading of headings) {
    const own = given.get(heading)
    const byLook = levelOfLook(heading)
    const depth = numberingDepth(heading.text)
    let level = own ?? byLook
    if (own === undefined && depth !== undefined) {
      if (depth === 1) numberedBase = Math.min(numberedBase ?? byLook, byLook)
      else if (numberedBase !== undefined) level = numberedBase + depth - 1
    }
    levels.set(heading, Math.max(1, Math.min(LEVELS, level)))
  }
  return levels
}

const FEW_HEADINGS = 8
/** Sizes nearer to each other than this are one step. */
const SIZE_STEP = 1.09

/**
 * A level for each look. What stands on the first page alone, larger than all headings of other pages, is the title,
 * however many sizes it is set in: the others begin a level below.
 */
const rankLooks = (headings: readonly TextDraft[]): ((heading: TextDraft) => number) => {
  const firstPage = headings[0]?.page
  const laterSize = Math.max(0, ...headings.filter(({ page }) => page !== firstPage).map(({ size }) => size))
  const largest = Math.max(0, ...headings.map(({ size }) => size))
  const isTitle = ({ page, size }: TextDraft): boolean =>
    laterSize > 0
      ? page === firstPage && size > laterSize * SIZE_STEP
      : size > largest / SIZE_STEP &&
        headings.filter((other) => other.size > largest / SIZE_STEP).length === 1 &&
        headings.length > 1
  const others = headings.filter((heading) => !isTitle(heading))
  const sizes: number[] = []
  for (const size of others.map((heading) => heading.size).sort((a, b) => b - a))
    if (sizes.length === 0 || (sizes.at(-1) as number) > size * SIZE_STEP) sizes.push(size)
  const stepOf = ({ size }: TextDraft): number => sizes.findLastIndex((from) => size <= from * 1.001)
  const counts = new Map<string, number>()
  for (const heading of others) {
    const look = lookOf(heading, stepOf(heading))
    counts.set(look, (counts.get(look) ?? 0) + 1)
  }
  // A look seen once is no step of its own: it ranks with the next lower one.
  const looks = [...counts.keys()].sort()
  const steps = looks.filter((look) => others.length < FEW_HEADINGS || (counts.get(look) ?? 0) > 1)
  const base = others.length < headings.length ? 2 : 1
  return (heading) => {
    if (isTitle(heading)) return 1
    const look = lookOf(heading, stepOf(heading))
    return Math.min(LEVELS, base + steps.filter((step) => step < look).length)
  }
}

/** Sorts as headings rank: larger before smaller, bold before plain, capitals before small letters. */
const lookOf = (heading: TextDraft, step: number): string =>
  `${String(step).padStart(3, '0')}${heading.bold > 0.9 ? 'a' : 'b'}${isUpperCase(heading.text) ? 'a' : 'b'}${heading.italic > 0.9 ? 'b' : 'a'}`

const numberingDepth = (text: string): number | undefined => {
  const number = NUMBERING.exec(text)?.[1]
  return number === undefined || !/^[\dA-Z]/.test(number) ? undefined : number.split('.').length
}
