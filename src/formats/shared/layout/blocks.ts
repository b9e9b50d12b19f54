import type { Block, Furniture, Inline, Item, Paragraph } from '../document/model.ts'
import { isCaption } from './captions.ts'
import { joinCode } from './code-text.ts'
import { dropCharacters, withoutEmphasis } from './content.ts'
import type { DocumentStyle } from './document-style.ts'
import type { Draft, TextDraft } from './drafts.ts'
import { boxOf } from './geometry.ts'
import type { FoundItem } from './lists.ts'

/** What was found out about the drafts of a document. */
export type Findings = {
  style: DocumentStyle
  furniture: ReadonlyMap<Draft, Furniture['role']>
  headings: ReadonlyMap<Draft, number>
  items: ReadonlyMap<Draft, FoundItem>
  settle: (content: readonly Inline[]) => Inline[]
}

/** Drafts as blocks of the document. */
export const toBlocks = (drafts: readonly Draft[], findings: Findings): Block[] => {
  const inItems = new Set<Draft>([...findings.items.values()].flatMap(({ more }) => more))
  const blocks: Block[] = []
  for (let index = 0; index < drafts.length; index++) {
    const draft = drafts[index] as Draft
    if (inItems.has(draft)) continue
    if (draft.kind !== 'text') {
      blocks.push(toObject(draft))
      continue
    }
    if (isCodeDraft(draft, findings)) {
      const code = [draft]
      while (isCodeDraft(drafts[index + 1], findings)) code.push(drafts[++index] as TextDraft)
      blocks.push({ ...placeOf(draft), kind: 'code', text: joinCode(code) })
      continue
    }
    blocks.push(toTextBlock(draft, findings))
  }
  return blocks
}

const isCodeDraft = (draft: Draft | undefined, { style, furniture, headings, items }: Findings): boolean =>
  draft?.kind === 'text' &&
  draft.codeLines !== undefined &&
  !style.isMonospace &&
  !furniture.has(draft) &&
  !headings.has(draft) &&
  !items.has(draft)

const toObject = (draft: Exclude<Draft, TextDraft>): Block =>
  draft.kind === 'table'
    ? { page: draft.page, box: boxOf(draft.box), ...draft.table }
    : {
        kind: 'image',
        page: draft.page,
        box: boxOf(draft.box),
        image: draft.image,
        ...(draft.alt ? { alt: draft.alt } : {}),
      }

const toTextBlock = (draft: TextDraft, findings: Findings): Block => {
  const place = placeOf(draft)
  const role = findings.furniture.get(draft)
  if (role) return { ...place, kind: 'furniture', role, content: findings.settle(draft.content) }
  const level = findings.headings.get(draft)
  if (level !== undefined) {
    const content = withoutEmphasis(findings.settle(draft.content))
    return { ...place, kind: 'heading', level: level as 1 | 2 | 3 | 4 | 5 | 6, content }
  }
  const item = findings.items.get(draft)
  if (item) return toItem(draft, item, findings)
  return toParagraph(draft, findings)
}

/** A paragraph, whatever else it was taken for. */
export const toParagraph = (draft: TextDraft, { settle, style }: Pick<Findings, 'settle' | 'style'>): Paragraph => {
  const content = settle(style.isMonospace ? withoutCode(draft.content) : draft.content)
  const role =
    draft.tagged?.as === 'caption' || isCaption(draft.text)
      ? 'caption'
      : draft.tagged?.as === 'aside'
        ? 'aside'
        : undefined
  return { ...placeOf(draft), kind: 'paragraph', content, ...(role ? { role } : {}) }
}

const withoutCode = (content: readonly Inline[]): Inline[] =>
  content.map((inline) => {
    if (inline.kind !== 'text') return inline
    const { code: _code, ...rest } = inline
    return rest
  })

const CHECKED: ReadonlyMap<string, boolean> = new Map([
  ['☐', false],
  ['☑', true],
  ['☒', true],
])

const toItem = (draft: TextDraft, item: FoundItem, findings: Findings): Item => {
  const checked = CHECKED.get(item.marker)
  return {
    ...placeOf(draft),
    kind: 'item',
    depth: item.depth,
    ordered: item.ordered,
    marker: item.marker,
    ...(checked === undefined ? {} : { checked }),
    content: findings.settle(dropCharacters(draft.content, item.length)),
    ...(item.more.length > 0 ? { more: item.more.map((part) => toParagraph(part, findings)) } : {}),
  }
}

const placeOf = (draft: TextDraft) => ({
  page: draft.page,
  box: boxOf(draft.box),
  ...(draft.confidence === undefined ? {} : { confidence: draft.confidence }),
  ...(draft.rightToLeft ? { direction: 'rtl' as const } : {}),
})
