import type { Draft, TextDraft } from './drafts.ts'
import type { Marker } from './markers.ts'

/** An item of a list: how deep it is and what continues it. */
export type FoundItem = { depth: number; marker: string; ordered: boolean; length: number; more: TextDraft[] }

/** Items of lists among drafts in order; drafts that belong to an item are in its `more`. */
export const findItems = (drafts: readonly Draft[], isPlain: (draft: Draft) => boolean): Map<Draft, FoundItem> => {
  const items = new Map<Draft, FoundItem>()
  let stack: { left: number; style: string }[] = []
  let open: { draft: TextDraft; item: FoundItem } | undefined
  for (const [index, draft] of drafts.entries()) {
    if (draft.kind !== 'text' || !isPlain(draft)) {
      if (draft.kind === 'text' && !isPlain(draft)) stack = []
      open = undefined
      continue
    }
    const tagged = draft.tagged?.as === 'item' ? draft.tagged : undefined
    if (tagged || (draft.marker && isItem(draft, drafts, index, isPlain))) {
      const marker = draft.marker
      const depth = tagged ? tagged.depth : depthOf(stack, draft, marker as Marker)
      if (tagged) stack = []
      const item: FoundItem = {
        depth,
        marker: marker?.text ?? tagged?.label ?? '•',
        ordered: marker?.ordered ?? /\d/.test(tagged?.label ?? ''),
        length: marker?.length ?? (tagged ? symbolLength(draft.text) : 0),
        more: [],
      }
      items.set(draft, item)
      open = { draft, item }
      continue
    }
    if (open && continuesItem(open.draft, draft) && goesOnAfter(open.draft, drafts, index)) {
      open.item.more.push(draft)
      continue
    }
    open = undefined
    stack = []
  }
  return items
}

/** In a tagged item whatever sign comes first is its marker. */
const symbolLength = (text: string): number => /^[^\p{L}\p{N}\s"'“‘«([]{1,2}\s*(?=\S)/u.exec(text)?.[0].length ?? 0

const isItem = (
  draft: TextDraft,
  drafts: readonly Draft[],
  index: number,
  isPlain: (draft: Draft) => boolean,
): boolean => {
  const marker = draft.marker as Marker
  if (draft.text.length <= marker.length) return false
  const isWeak = /^[A-Za-z]\.$|^[IVX]+\.$|^[-–—*»o]$|^\(/.test(marker.text)
  if (!isWeak) return true
  for (const step of [-1, 1]) {
    for (let near = 1; near <= 6; near++) {
      const other = drafts[index + step * near]
      if (!other) break
      if (other.kind !== 'text' || !isPlain(other) || other.marker?.style !== marker.style) continue
      if (!marker.ordered || marker.value === undefined || other.marker.value === marker.value + step) return true
    }
  }
  return !marker.ordered && draft.textLeft - draft.box.x > draft.size * 0.9
}

/** Depth by the left edges of the markers of the items so far. */
const depthOf = (stack: { left: number; style: string }[], draft: TextDraft, marker: Marker): number => {
  const left = draft.rightToLeft ? draft.right - draft.box.right : draft.box.x - draft.left
  const step = draft.size * 0.7
  while (stack.length > 0) {
    const top = stack.at(-1) as { left: number; style: string }
    if (left > top.left + step) break
    if (Math.abs(left - top.left) <= step) {
      if (stack.length > 1 || top.style === marker.style || !stack.some(({ style }) => style === marker.style)) {
        top.style = marker.style
        return stack.length - 1
      }
    }
    stack.pop()
  }
  stack.push({ left, style: marker.style })
  return stack.length - 1
}

/** A paragraph set in as far as the text of the item before it belongs to that item. */
const continuesItem = (item: TextDraft, draft: TextDraft): boolean =>
  draft.page === item.page &&
  draft.column === item.column &&
  draft.panel === item.panel &&
  item.textLeft > item.box.x + item.size * 0.6 &&
  Math.abs(draft.box.x - item.textLeft) < item.size * 0.8 &&
  draft.gapAbove < 1.6

/** Text under an item is taken for a part of it only inside of a list: one more item must come. */
const goesOnAfter = (item: TextDraft, drafts: readonly Draft[], index: number): boolean =>
  drafts
    .slice(index + 1, index + 5)
    .some((draft) => draft.kind === 'text' && draft.marker !== undefined && draft.marker.style === item.marker?.style)
