import { plain } from './english.ts'
import type { Sentence } from './sentences.ts'

/** Says whether a capitalized word is the name of somebody who could be given a task. */
export type IsName = (word: string) => boolean

const CALLED =
  /(?:^|[.,!?]\s+|\b(?:thanks|thank you|hi|hey|hello|morning|okay|so)[, ]+)(\p{Lu}[\p{Ll}'-]+)(?:,\s+(?:can|could|would|will|do|did|are|have|what|how|please|you)\b|[.!?]?$)|,\s+(\p{Lu}[\p{Ll}'-]+)[?.!]/gu
const NOT_NAMES = new Set(
  'Yes Yeah No Okay Sure Right Well So And But Then Thanks Great Good Perfect Fine Cool Exactly Absolutely Definitely Agreed Correct True Maybe Sorry Please Everyone Everybody Folks Guys Team All Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April June July August September October November December Today Tomorrow Yesterday English German French Google Apple Microsoft Amazon Slack Zoom Jira Excel Windows Linux Mac Hello Hi Hey Oh Um Uh'.split(
    ' ',
  ),
)

/** Learns the names of a meeting: first names of the language, and words by which people are called in it. */
export const learnNames = async (sentences: readonly Sentence[]): Promise<IsName> => {
  const { default: nlp } = await import('compromise')
  const called = new Set<string>()
  const lower = new Set<string>()
  for (const { text } of sentences) {
    for (const [, first, last] of plain(text).matchAll(CALLED)) called.add(first ?? last ?? '')
    for (const word of text.match(/\b\p{Ll}[\p{Ll}'-]+/gu) ?? []) lower.add(word)
  }
  const known = new Map<string, boolean>()
  return (word) => {
    const decided = known.get(word)
    if (decided !== undefined) return decided
    // A word that is also written small is a word.
    const canBe = /^\p{Lu}[\p{Ll}'-]+$/u.test(word) && !NOT_NAMES.has(word) && !lower.has(word.toLowerCase())
    const isName = canBe && (called.has(word) || nlp(word).has('(#FirstName|#Person)'))
    known.set(word, isName)
    return isName
  }
}
