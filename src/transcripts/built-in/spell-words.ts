import type { SpokenToken } from '../../engines/speech/moonshine.ts'
import type { Word } from '../model.ts'

/** Turns the numbers of tokens into text. */
export type Tokenizer = {
  decode(ids: readonly number[]): string
  /** Whether a word begins with this token. */
  isWordStart(id: number): boolean
}

/** The tokenizer of the built-in speech models. */
export const openTokenizer = async (): Promise<Tokenizer> => {
  const { default: llama } = await import('llama-tokenizer-js')
  const known = (id: number) => llama.vocabById[id] !== undefined
  return {
    decode: (ids) => llama.decode(ids.filter(known), false, false),
    isWordStart: (id) => llama.vocabById[id]?.startsWith('▁') ?? false,
  }
}

/** Puts the tokens of a chunk together to words; times are those of the chunk, moved by `offsetSeconds`. */
export const spellWords = (tokens: readonly SpokenToken[], tokenizer: Tokenizer, offsetSeconds: number): Word[] => {
  const groups: SpokenToken[][] = []
  for (const token of tokens) {
    const group = groups.at(-1)
    if (group && !tokenizer.isWordStart(token.id)) group.push(token)
    else groups.push([token])
  }
  return groups.flatMap((group) => {
    const text = tokenizer.decode(group.map(({ id }) => id)).trim()
    const first = group[0]
    if (text === '' || !first) return []
    // A comma or full stop takes up the pause after the word.
    const spoken = group.filter(({ id }) => /[\p{L}\p{N}]/u.test(tokenizer.decode([id])))
    const last = spoken.at(-1) ?? first
    const logProbability = group.reduce((sum, token) => sum + token.logProbability, 0) / group.length
    return {
      text,
      startSeconds: offsetSeconds + first.startSeconds,
      endSeconds: offsetSeconds + last.endSeconds,
      confidence: Math.exp(logProbability),
    }
  })
}
