import type { Draft, TextDraft } from './drafts.ts'

/** How the body of a document is set: what is set otherwise stands out. */
export type DocumentStyle = {
  size: number
  color: string
  font: string
  isBold: boolean
  isMonospace: boolean
  isItalic: boolean
}

/** The style that most characters of the document have. */
export const readDocumentStyle = (drafts: Iterable<Draft>): DocumentStyle => {
  const sizes = new Map<number, number>()
  const colors = new Map<string, number>()
  const fonts = new Map<string, number>()
  let all = 0
  let bold = 0
  let italic = 0
  let monospace = 0
  for (const draft of drafts) {
    if (draft.kind !== 'text' || draft.zone === 'side') continue
    // A line by itself is seldom the body, nor is bold text: headings, labels and cells are.
    const weight =
      draft.text.length *
      (draft.lines > 1 ? 2 : 1) *
      (draft.panel === undefined ? 1 : 0.05) *
      (draft.bold > 0.9 ? 0.3 : 1)
    const size = Math.round(draft.size * 2) / 2
    sizes.set(size, (sizes.get(size) ?? 0) + weight)
    colors.set(draft.color, (colors.get(draft.color) ?? 0) + weight)
    fonts.set(draft.font, (fonts.get(draft.font) ?? 0) + weight)
    all += weight
    bold += weight * draft.bold
    italic += weight * draft.italic
    monospace += weight * draft.monospace
  }
  return {
    size: bodySize(sizes),
    color: mostFrequent(colors) ?? '000000',
    font: mostFrequent(fonts) ?? '',
    isBold: bold > all * 0.6,
    isItalic: italic > all * 0.6,
    isMonospace: monospace > all * 0.5,
  }
}

/** Of sizes that much of the text has the greatest: notes and references may be longer than the text of a page. */
const bodySize = (sizes: ReadonlyMap<number, number>): number => {
  const most = Math.max(0, ...sizes.values())
  let size = 0
  for (const [key, weight] of sizes) if (weight >= most * 0.5 && key > size) size = key
  return size || 10
}

const mostFrequent = <K>(counts: ReadonlyMap<K, number>): K | undefined => {
  let best: K | undefined
  let most = 0
  for (const [key, count] of counts) {
    if (count <= most) continue
    best = key
    most = count
  }
  return best
}

/** Whether a paragraph is set in the size of the body. */
export const isBodySize = (draft: TextDraft, style: DocumentStyle): boolean =>
  Math.abs(draft.size - style.size) <= style.size * 0.06
