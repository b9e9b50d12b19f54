import { overLimit } from '../decode.ts'

/** What may be read from one file; a file that has more than any author writes is refused before it fills the memory. */
export type Budget = {
  /** Counts paragraphs, cells and the like. */
  countBlocks(count?: number): void
  countText(text: string): void
  /** Whether a part that is shown where it is referred to comes for the first time; a second time it is left out. */
  takePart(part: string): boolean
}

const MAX_BLOCKS = 400_000
const MAX_CHARACTERS = 40_000_000

export const createBudget = (): Budget => {
  let blocks = 0
  let characters = 0
  const taken = new Set<string>()
  return {
    countBlocks(count = 1) {
      blocks += count
      if (blocks > MAX_BLOCKS) throw overLimit('blocks', MAX_BLOCKS)
    },
    countText(text) {
      characters += text.length
      if (characters > MAX_CHARACTERS) throw overLimit('characters', MAX_CHARACTERS)
    },
    takePart(part) {
      if (taken.has(part)) return false
      taken.add(part)
      return true
    },
  }
}
