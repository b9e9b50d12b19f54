import type { Terms } from './terms.ts'

/** Weights of the terms of a sentence, at length 1. */
export type TermVector = ReadonlyMap<string, number>

/** Sentences as weighted terms: the rarer a term, the more it tells two sentences apart. */
export const weighTerms = ({ bySentence, frequency }: Terms): TermVector[] => {
  const count = bySentence.length
  return bySentence.map((stems) => {
    const weights = new Map<string, number>()
    for (const stem of stems) {
      weights.set(stem, (weights.get(stem) ?? 0) + Math.log(1 + count / (frequency.get(stem) ?? 1)))
    }
    return scaleToOne(weights)
  })
}

const scaleToOne = (weights: ReadonlyMap<string, number>): TermVector => {
  const length = Math.hypot(...weights.values())
  return length === 0 ? weights : new Map([...weights].map(([term, weight]) => [term, weight / length]))
}

/** How much two sentences are about the same, 0 to 1. */
export const similarity = (a: TermVector, b: TermVector): number => {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [term, weight] of small) sum += weight * (large.get(term) ?? 0)
  return sum
}

/** More sentences than this are not compared each with each other. */
const BLOCK_SENTENCES = 300
const ROUNDS = 30
const DAMPING = 0.85

/**
 * How central each sentence is among those around it (LexRank): one that many others resemble, the more so the more
 * central these are themselves. The mean is 1.
 */
export const rankSentences = (vectors: readonly TermVector[]): number[] => {
  const ranks: number[] = []
  for (let from = 0; from < vectors.length; from += BLOCK_SENTENCES) {
    ranks.push(...rankBlock(vectors.slice(from, from + BLOCK_SENTENCES)))
  }
  return ranks
}

const rankBlock = (vectors: readonly TermVector[]): number[] => {
  const count = vectors.length
  const links = vectors.map((vector, index) => {
    const row: { to: number; weight: number }[] = []
    for (const [to, other] of vectors.entries()) {
      const weight = to === index ? 0 : similarity(vector, other)
      if (weight > 0.05) row.push({ to, weight })
    }
    return { row, sum: row.reduce((sum, { weight }) => sum + weight, 0) }
  })
  let ranks = vectors.map(() => 1)
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Array<number>(count).fill(1 - DAMPING)
    for (const [index, { row, sum }] of links.entries()) {
      const share = (DAMPING * (ranks[index] as number)) / (sum || 1)
      for (const { to, weight } of row) next[to] = (next[to] as number) + share * weight
    }
    ranks = next
  }
  return ranks
}
