import { isCaption } from './captions.ts'
import { joinContent } from './content.ts'
import type { Draft, TextDraft } from './drafts.ts'

const ENDS_SENTENCE = /[.!?:;…。！？]["'”’»)\]]*\d{0,3}$/u
const STARTS_LOWER = /^["'“‘«(]?\p{Ll}/u
const ENDS_OPEN = /(?:\p{Ll}|,|\p{L}-|\p{Lo})$/u
/** How many captions, tables and figures may stand between the halves of a paragraph. */
const BETWEEN_LIMIT = 12

/** Joins paragraphs that go on in the next column or on the next page, or after a figure that was set between. */
export const joinContinuations = (drafts: readonly Draft[], isFurniture: (draft: Draft) => boolean): Draft[] => {
  const joined: Draft[] = []
  let open: TextDraft | undefined
  let between = 0
  for (const draft of drafts) {
    if (open && draft.kind === 'text' && !isPassedOver(draft, isFurniture) && goesOn(open, draft, between)) {
      const whole: TextDraft = {
        ...open,
        content: joinContent(open.content, draft.content),
        text: `${open.text} ${draft.text}`,
        lines: open.lines + draft.lines,
        isFull: draft.isFull,
        endPage: draft.page,
        column: draft.column,
        gapBelow: draft.gapBelow,
      }
      joined[joined.lastIndexOf(open)] = whole
      open = whole
      between = 0
      continue
    }
    joined.push(draft)
    if (draft.kind !== 'text' || isPassedOver(draft, isFurniture)) {
      between++
      if (between > BETWEEN_LIMIT) open = undefined
      continue
    }
    open = draft
    between = 0
  }
  return joined
}

const isPassedOver = (draft: TextDraft, isFurniture: (draft: Draft) => boolean): boolean =>
  isFurniture(draft) || draft.panel !== undefined || draft.zone !== undefined || isCaption(draft.text)

const goesOn = (open: TextDraft, draft: TextDraft, between: number): boolean => {
  const endPage = open.endPage ?? open.page
  const isApart = between > 0 || draft.page !== endPage || draft.column !== open.column
  if (!isApart || draft.page > endPage + 1) return false
  if (draft.marker || draft.codeLines || open.codeLines || open.rightToLeft !== draft.rightToLeft) return false
  if (open.tagged?.as === 'heading' || draft.tagged?.as === 'heading') return false
  if (Math.abs(open.size - draft.size) > open.size * 0.07) return false
  if (open.bold > 0.9 !== draft.bold > 0.9) return false
  if (ENDS_SENTENCE.test(open.text) || draft.isIndented) return false
  const text = draft.text
  if (/\p{L}[-\u2010\u00ad]$/u.test(open.text) && /^\p{Ll}/u.test(text)) return true
  if (!open.isFull || open.isCentred || draft.isCentred) return false
  if (STARTS_LOWER.test(text)) return true
  return between === 0 && open.lines > 1 && draft.lines > 1 && open.bold < 0.5 && ENDS_OPEN.test(open.text)
}
