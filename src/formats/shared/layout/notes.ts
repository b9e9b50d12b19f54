import type { Inline } from '../document/model.ts'
import { dropCharacters } from './content.ts'
import type { DocumentStyle } from './document-style.ts'
import type { Draft, TextDraft } from './drafts.ts'

/** A footnote: its own drafts, the first without its label. */
export type FoundNote = { id: string; label: string; page: number; drafts: TextDraft[] }

const SMALLER = 0.93
/** Notes stand in the lower part of what is on the page. */
const LOWER_SHARE = 0.35
const LABEL = /^[([]?(\d{1,3}|[*∗†‡§¶]{1,3})[)\]]?[.:]?\s*(?=\S)/u

/** Footnotes at the foot of a page to which the text refers, with the references set in the drafts that have them. */
export const findNotes = (
  drafts: readonly Draft[],
  isFurniture: (draft: Draft) => boolean,
  style: DocumentStyle,
  nextId: () => string,
): { notes: FoundNote[]; rest: Draft[] } => {
  const candidates = readCandidates(drafts, isFurniture, style)
  if (candidates.length === 0) return { notes: [], rest: [...drafts] }
  const inCandidates = new Set<Draft>(candidates.flatMap((note) => note.drafts))
  const flow = drafts.filter(
    (draft): draft is TextDraft => draft.kind === 'text' && !inCandidates.has(draft) && !isFurniture(draft),
  )
  const notes: FoundNote[] = []
  const taken = new Set<Draft>()
  for (const { label, length, drafts: own } of candidates) {
    const id = nextId()
    // A note that nothing refers to stays where it stands.
    if (!refer(flow, label, id)) continue
    const first = own[0] as TextDraft
    first.content = dropCharacters(first.content, length)
    notes.push({ id, label, page: first.page, drafts: own })
    for (const draft of own) taken.add(draft)
  }
  return { notes, rest: drafts.filter((draft) => !taken.has(draft)) }
}

type Candidate = { label: string; length: number; drafts: TextDraft[] }

const readCandidates = (
  drafts: readonly Draft[],
  isFurniture: (draft: Draft) => boolean,
  style: DocumentStyle,
): Candidate[] => {
  const texts = drafts.filter(
    (draft): draft is TextDraft => draft.kind === 'text' && !isFurniture(draft) && draft.zone !== 'side',
  )
  const top = Math.min(...texts.map(({ box }) => box.y))
  const bottom = Math.max(...texts.map(({ box }) => box.bottom))
  const from = top + (bottom - top) * LOWER_SHARE
  const candidates: Candidate[] = []
  for (const column of byColumn(texts)) {
    let open: Candidate | undefined
    for (const draft of column[0]?.tagged?.as === 'note' ? column : trailingNotes(column, style, from)) {
      const label = LABEL.exec(draft.text)
      if (label && (isLabelRaised(draft) || isLabelApart(label))) {
        open = { label: (label[1] as string).replaceAll('∗', '*'), length: label[0].length, drafts: [draft] }
        candidates.push(open)
      } else open?.drafts.push(draft)
    }
  }
  return candidates
}

/** A space after the label, or what no word begins with a number before. */
const isLabelApart = ({ 0: all, 1: label = '', input }: RegExpExecArray): boolean =>
  /\s$/.test(all) || !/\d/.test(label) || /^(?:https?:|www\.|\p{Lu}\p{Ll})/u.test(input.slice(all.length))

const isLabelRaised = ({ content }: TextDraft): boolean => {
  const first = content[0]
  return first?.kind === 'text' && first.script === 'super'
}

const byColumn = (drafts: readonly TextDraft[]): TextDraft[][] => {
  const columns = new Map<string, TextDraft[]>()
  for (const draft of drafts) {
    if (draft.panel !== undefined) continue
    const key = draft.tagged?.as === 'note' ? 'tagged' : draft.zone === 'bottom' ? 'foot' : `${draft.column}`
    const column = columns.get(key)
    if (column) column.push(draft)
    else columns.set(key, [draft])
  }
  return [...columns.values()]
}

/** The last drafts of a column that are set smaller than the body, or stand under a rule. */
const trailingNotes = (column: readonly TextDraft[], style: DocumentStyle, from: number): TextDraft[] => {
  let first = column.length
  while (first > 0) {
    const draft = column[first - 1] as TextDraft
    if (draft.box.y < from || draft.size > style.size * SMALLER) break
    first--
  }
  if (first === column.length) {
    const ruled = column.findLastIndex((draft) => draft.isUnderRule && draft.box.y >= from && draft.size <= style.size)
    if (ruled > 0 && LABEL.test((column[ruled] as TextDraft).text)) first = ruled
  }
  return column.slice(first)
}

/** Sets a reference to a note where its label stands in the text; false where it does not. */
const refer = (flow: readonly TextDraft[], label: string, id: string): boolean => {
  for (const find of [referToRaised, referToGlued]) {
    for (const draft of flow) {
      const content = find(draft.content, label, id)
      if (!content) continue
      draft.content = content
      return true
    }
  }
  return false
}

const referToRaised = (content: readonly Inline[], label: string, id: string): Inline[] | undefined => {
  const index = content.findIndex(
    (inline) =>
      inline.kind === 'text' && inline.script === 'super' && inline.text.replaceAll('∗', '*').trim() === label,
  )
  if (index < 0) return undefined
  const trails = content[index]?.kind === 'text' && /\s$/.test((content[index] as { text: string }).text)
  return [
    ...content.slice(0, index),
    { kind: 'note', id },
    ...(trails ? [{ kind: 'text' as const, text: ' ' }] : []),
    ...content.slice(index + 1),
  ]
}

/** A number set right after a word, equal to the label of a note on the same page, is its reference. */
const referToGlued = (content: readonly Inline[], label: string, id: string): Inline[] | undefined => {
  if (!/^\d+$/.test(label)) return undefined
  for (const [index, inline] of content.entries()) {
    if (inline.kind !== 'text' || inline.href) continue
    const at = findGlued(inline.text, label)
    if (at < 0) continue
    const before = inline.text.slice(0, at)
    const after = inline.text.slice(at + label.length)
    return [
      ...content.slice(0, index),
      { ...inline, text: before },
      { kind: 'note', id },
      ...(after ? [{ ...inline, text: after }] : []),
      ...content.slice(index + 1),
    ]
  }
  return undefined
}

const findGlued = (text: string, label: string): number => {
  for (let at = text.indexOf(label, 1); at > 0; at = text.indexOf(label, at + 1)) {
    const after = text.charAt(at + label.length)
    if (after !== '' && !/[\s.,;:)]/.test(after)) continue
    const before = text.slice(Math.max(0, at - 4), at)
    if (/\p{L}["”’')]?[.,;:!?]?["”’')]?$/u.test(before)) return at
  }
  return -1
}
