import type { Block, Inline } from '../../shared/document/model.ts'
import { visitBlocks } from '../../shared/document/visit-blocks.ts'
import type { Reading } from './reading.ts'

/** Gives a heading the anchor that renderers of markdown give it, under the names of its bookmarks. */
export const makeAnchor = (reading: Reading, heading: string, bookmarks: readonly string[]): void => {
  const slug = heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/\s/g, '-')
  const count = reading.takenAnchors.get(slug) ?? 0
  reading.takenAnchors.set(slug, count + 1)
  const anchor = count === 0 ? slug : `${slug}-${count}`
  for (const bookmark of bookmarks) reading.anchors.set(bookmark, anchor)
}

/** Lets links into the document lead to headings; those that lead elsewhere in it become plain text. */
export const resolveLinks = (reading: Reading, blocks: Block[]): void => {
  if (!reading.hasInternalLinks) return
  const resolve = (inline: Inline): void => {
    if (inline.kind !== 'text' || !inline.href?.startsWith('#')) return
    const anchor = reading.anchors.get(inline.href.slice(1))
    if (anchor) inline.href = `#${anchor}`
    else delete inline.href
  }
  visitBlocks(blocks, { inline: resolve })
}
