import type { Inline } from '../document/model.ts'

/** Stands in text for a hyphen at the end of a line, until the whole document tells whether it belongs to the word. */
export const LINE_HYPHEN = '\ue0ad'

/** The words of a document, as evidence of how they are written. */
export type Vocabulary = { add(text: string): void; settle(text: string): string }

/** Short words that compounds are made with; the vocabulary holds longer ones. */
const COMMON: ReadonlySet<string> = new Set(
  'a an and art at by day end for free in it led like low made new non of off old on one or out per pro self set so the time to two up use way well'.split(
    ' ',
  ),
)
const WORDS_LIMIT = 400_000
const WORD = /[\p{L}\p{N}'’-]{4,}/gu
const WORD_START = /^[\p{L}\p{N}'’-]+/u
const WORD_END = /[\p{L}\p{N}'’-]+$/u
const WORD_LENGTH_LIMIT = 60
/** Collects words over a document and settles broken ones: joined, unless the document writes them with the hyphen. */
export const createVocabulary = (): Vocabulary => {
  const words = new Set<string>()
  const has = (word: string) => words.has(word.toLowerCase())
  const isKnown = (word: string) => (word.length < 4 ? COMMON.has(word.toLowerCase()) : has(word))
  const join = (before: string, after: string): string => {
    const joined = `${before}${after}`
    const hyphened = `${before}-${after}`
    if (has(joined)) return joined
    if (has(hyphened)) return hyphened
    // A name or a number after the hyphen: it was written with it.
    if (/^[\p{Lu}\p{N}]/u.test(after) && !/^\p{Lu}{2}/u.test(before)) return hyphened
    // One more word of a compound, or a word of the compound that was broken.
    const part = before.slice(before.lastIndexOf('-') + 1)
    return part !== before && isKnown(part) && isKnown(after) && !has(`${part}${after}`) ? hyphened : joined
  }
  return {
    add: (text) => {
      if (words.size >= WORDS_LIMIT) return
      for (const word of text.toLowerCase().match(WORD) ?? []) words.add(word)
    },
    settle: (text) => {
      if (!text.includes(LINE_HYPHEN)) return text
      const [first = '', ...others] = text.split(LINE_HYPHEN)
      return others.reduce((before, after) => {
        const head = WORD_END.exec(before.slice(-WORD_LENGTH_LIMIT))?.[0] ?? ''
        const tail = WORD_START.exec(after)?.[0] ?? ''
        return `${before.slice(0, before.length - head.length)}${join(head, tail)}${after.slice(tail.length)}`
      }, first)
    },
  }
}

/** Settles the broken words of inlines; one may be broken where the style changes. */
export const settleInlines = (inlines: readonly Inline[], vocabulary: Vocabulary): Inline[] =>
  inlines.map((inline, index) => {
    if (inline.kind !== 'text' || !inline.text.includes(LINE_HYPHEN)) return inline
    const next = inlines[index + 1]
    if (!inline.text.endsWith(LINE_HYPHEN) || next?.kind !== 'text')
      return { ...inline, text: vocabulary.settle(inline.text) }
    const after = /^[\p{L}\p{N}'’-]+/u.exec(next.text)?.[0] ?? ''
    const settled = vocabulary.settle(`${inline.text}${after}`)
    return { ...inline, text: settled.slice(0, settled.length - after.length) }
  })
