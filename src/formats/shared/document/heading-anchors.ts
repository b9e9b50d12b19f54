import type { Block, Inline } from './model.ts'
import { visitBlocks } from './visit-blocks.ts'

/** Where links inside a document lead: names that the source gives to places, and the headings that stand there. */
export type HeadingAnchors = {
  /** Gives a heading the anchor that renderers of markdown give it, under the names that the source has for it. */
  add(heading: string, names: readonly string[]): void
  find(name: string): string | undefined
}

export const createHeadingAnchors = (): HeadingAnchors => {
  const anchors = new Map<string, string>()
  const taken = new Map<string, number>()
  return {
    add(heading, names) {
      const slug = heading
        .trim()
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
        .replace(/\s/g, '-')
      const count = taken.get(slug) ?? 0
      taken.set(slug, count + 1)
      const anchor = count === 0 ? slug : `${slug}-${count}`
      for (const name of names) if (!anchors.has(name)) anchors.set(name, anchor)
    },
    find: (name) => anchors.get(name),
  }
}

/** Lets links into the document (`#name`) lead to headings; those that lead elsewhere in it become plain text. */
export const resolveLinks = (anchors: HeadingAnchors, blocks: readonly Block[]): void => {
  const resolve = (inline: Inline): void => {
    if (inline.kind !== 'text' || !inline.href?.startsWith('#')) return
    const anchor = anchors.find(inline.href.slice(1))
    if (anchor) inline.href = `#${anchor}`
    else delete inline.href
  }
  visitBlocks(blocks, { inline: resolve })
}
