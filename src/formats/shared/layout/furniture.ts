import type { Furniture } from '../document/model.ts'
import type { DocumentStyle } from './document-style.ts'
import type { Draft, TextDraft } from './drafts.ts'

/** Repeated on this share of the pages it could be on, a line at the edge of the page is a running one. */
const REPEATED_SHARE = 0.3
const REPEATED_TIMES = 3
const HEIGHT_STEP_POINTS = 20

const PAGE_NUMBER =
  /^(?:page|seite|p\.|s\.|стр\.|página|pagina|第)?\s*[-–—|[(]?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–—|\])]?(?:\s*(?:of|von|de|\/|из|sur)\s*\d{1,4})?\s*(?:页|頁)?$/i
/** `12 | A title`, `A title | 12`. */
const NUMBER_BESIDE_TITLE = /^(?:\d{1,4}\s*[|•·]\s*\S.{0,100}|\S.{0,100}\s[|•·]\s*\d{1,4})$/

/** Tells running headers, running footers and page numbers from text, over the whole document. */
export const findFurniture = (
  pages: readonly (readonly Draft[])[],
  style: DocumentStyle,
): Map<Draft, Furniture['role']> => {
  const candidates = pages.map((drafts) => drafts.filter(isCandidate))
  const seen = countRepeated(candidates)
  const found = findStamped(pages)
  for (const drafts of candidates) {
    for (const draft of drafts) {
      const role = roleOf(draft, pages.length, seen, style)
      if (role) found.set(draft, role)
    }
    for (const draft of drafts)
      if (!found.has(draft) && isBesideNumber(draft, drafts, found, style)) found.set(draft, edgeOf(draft))
  }
  return found
}

/** Repeated in the same place on this share of the pages, text is a part of the paper: the frame of slides. */
const STAMPED_SHARE = 0.5
const STAMPED_LENGTH = 120
const STAMP_STEP_POINTS = 6

/** Short text that stands in the very same place on most pages, wherever that is. */
const findStamped = (pages: readonly (readonly Draft[])[]): Map<Draft, Furniture['role']> => {
  const found = new Map<Draft, Furniture['role']>()
  if (pages.length < REPEATED_TIMES) return found
  const places = new Map<string, TextDraft[]>()
  for (const drafts of pages) {
    for (const draft of drafts) {
      if (draft.kind !== 'text' || draft.text.length > STAMPED_LENGTH) continue
      const { x, y } = draft.box
      const key = `${Math.round(x / STAMP_STEP_POINTS)}:${Math.round(y / STAMP_STEP_POINTS)}:${draft.text}`
      const same = places.get(key)
      if (same) same.push(draft)
      else places.set(key, [draft])
    }
  }
  for (const same of places.values()) {
    const times = new Set(same.map(({ page }) => page)).size
    if (times < REPEATED_TIMES || times < pages.length * STAMPED_SHARE) continue
    for (const draft of same) found.set(draft, edgeOf(draft))
  }
  return found
}

const isCandidate = (draft: Draft): draft is TextDraft =>
  draft.kind === 'text' && (draft.zone ?? draft.edge) !== undefined

const keyOf = (draft: TextDraft): string =>
  `${draft.zone ?? draft.edge}:${Math.round(draft.box.y / HEIGHT_STEP_POINTS)}:${draft.text
    .toLowerCase()
    .replace(/\d+|\b[ivxlc]+\b/g, '#')
    .replace(/[.,:;|•·–—\s-]+/g, '')}`

/** How many pages have a line of the same text, digits aside, on the same height. */
const countRepeated = (pages: readonly (readonly TextDraft[])[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const drafts of pages) for (const key of new Set(drafts.map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

const roleOf = (
  draft: TextDraft,
  pages: number,
  seen: ReadonlyMap<string, number>,
  style: DocumentStyle,
): Furniture['role'] | undefined => {
  const text = draft.text.trim()
  const edge = edgeOf(draft)
  // A number set larger than the text is that of a chapter.
  if (draft.zone !== 'side' && PAGE_NUMBER.test(text) && draft.size < style.size * 1.3) return 'page-number'
  const times = seen.get(keyOf(draft)) ?? 0
  if (times >= REPEATED_TIMES || (pages > 1 && times >= 2 && times >= pages * REPEATED_SHARE)) return edge
  if (draft.zone === 'side') return isStamp(draft) ? edge : undefined
  return draft.zone && NUMBER_BESIDE_TITLE.test(text) ? edge : undefined
}

const edgeOf = ({ zone, edge }: TextDraft): Furniture['role'] => ((zone ?? edge) === 'bottom' ? 'footer' : 'header')

/** What stands on the height of the page number is a running line too, be it another in each chapter. */
const isBesideNumber = (
  draft: TextDraft,
  drafts: readonly TextDraft[],
  found: ReadonlyMap<Draft, Furniture['role']>,
  style: DocumentStyle,
): boolean =>
  draft.isBeside === true &&
  draft.size < style.size * 1.2 &&
  drafts.some(
    (other) =>
      other.zone === draft.zone &&
      found.get(other) === 'page-number' &&
      Math.min(other.box.bottom, draft.box.bottom) - Math.max(other.box.y, draft.box.y) > 0,
  )

const isStamp = (draft: TextDraft): boolean => draft.box.x < 40 || draft.box.y < 20
