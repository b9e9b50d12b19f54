import { TOPIC_CHANGE } from './english.ts'
import type { Topic } from './model.ts'
import { similarity, type TermVector } from './rank-sentences.ts'
import { joinCitations, type Sentence } from './sentences.ts'
import type { Terms } from './terms.ts'

/** Sentences on each side of a gap that are compared. */
const WINDOW = 8
const LEAST = { sentences: 6, seconds: 40 }
/** Where somebody says that the matter changes. */
const LEAST_TOLD = { sentences: 3, seconds: 10 }
const MOST_TOPICS = 40
/** What a phrase such as "next item" adds to the drop in cohesion. */
const CUE_DEPTH = 0.6

/** Parts a meeting where its words change (text tiling) or somebody says that the matter changes. */
export const findTopics = (
  sentences: readonly Sentence[],
  terms: Terms,
  vectors: readonly TermVector[],
  isEnglish: boolean,
): Topic[] => {
  if (sentences.length === 0) return []
  const starts = findStarts(sentences, vectors, isEnglish)
  const ranges = starts.map((from, index) => ({ from, end: starts[index + 1] ?? sentences.length }))
  const counts = ranges.map(({ from, end }) => countPhrases(terms, from, end))
  return ranges.map(({ from, end }, index) => {
    const keywords = choosePhrases(counts, index, terms)
    return {
      ...joinCitations(sentences.slice(from, end)),
      label: capitalize(keywords.slice(0, 3).join(', ')) || '…',
      keywords,
    }
  })
}

const findStarts = (sentences: readonly Sentence[], vectors: readonly TermVector[], isEnglish: boolean): number[] => {
  const cohesion = sentences.map((_, gap) => (gap === 0 ? 1 : compareSides(vectors, gap)))
  const depths = cohesion.map((value, gap) => {
    if (gap === 0) return 0
    const depth = climb(cohesion, gap, -1) - value + (climb(cohesion, gap, 1) - value)
    return depth + (isEnglish && TOPIC_CHANGE.test(sentences[gap]?.text ?? '') ? CUE_DEPTH : 0)
  })
  const mean = depths.reduce((sum, depth) => sum + depth, 0) / depths.length
  const spread = Math.sqrt(depths.reduce((sum, depth) => sum + (depth - mean) ** 2, 0) / depths.length)
  const starts = [0]
  const deepest = [...depths.keys()].sort((a, b) => (depths[b] as number) - (depths[a] as number) || a - b)
  for (const gap of deepest) {
    if ((depths[gap] as number) <= Math.max(0.15, mean + spread) || starts.length >= MOST_TOPICS) break
    const isTold = isEnglish && TOPIC_CHANGE.test(sentences[gap]?.text ?? '')
    if (isFar(sentences, starts, gap, isTold ? LEAST_TOLD : LEAST)) starts.push(gap)
  }
  return starts.sort((a, b) => a - b)
}

/** Whether both parts that a start would make are long enough. */
const isFar = (
  sentences: readonly Sentence[],
  starts: readonly number[],
  gap: number,
  least: typeof LEAST,
): boolean => {
  const time = (index: number): number => sentences[index]?.startSeconds ?? sentences.at(-1)?.endSeconds ?? 0
  return [...starts, sentences.length].every(
    (start) => Math.abs(start - gap) >= least.sentences && Math.abs(time(start) - time(gap)) >= least.seconds,
  )
}

const compareSides = (vectors: readonly TermVector[], gap: number): number => {
  const before = addUp(vectors.slice(Math.max(0, gap - WINDOW), gap))
  const after = addUp(vectors.slice(gap, gap + WINDOW))
  const lengths = Math.hypot(...before.values()) * Math.hypot(...after.values())
  return lengths === 0 ? 1 : similarity(before, after) / lengths
}

const addUp = (vectors: readonly TermVector[]): Map<string, number> => {
  const sum = new Map<string, number>()
  for (const vector of vectors) {
    for (const [term, weight] of vector) sum.set(term, (sum.get(term) ?? 0) + weight)
  }
  return sum
}

/** The height of the hill on one side of a gap. */
const climb = (cohesion: readonly number[], gap: number, step: 1 | -1): number => {
  let highest = cohesion[gap] as number
  for (let at = gap + step; at > 0 && at < cohesion.length; at += step) {
    if ((cohesion[at] as number) < highest) break
    highest = cohesion[at] as number
  }
  return highest
}

/** Words and pairs of words, and how often they stand in a part. */
const countPhrases = ({ bySentence }: Terms, from: number, end: number): Map<string, number> => {
  const counts = new Map<string, number>()
  const add = (phrase: string) => counts.set(phrase, (counts.get(phrase) ?? 0) + 1)
  for (const stems of bySentence.slice(from, end)) {
    for (const [index, stem] of stems.entries()) {
      add(stem)
      const next = stems[index + 1]
      if (next !== undefined && next !== stem) add(`${stem} ${next}`)
    }
  }
  return counts
}

const KEYWORDS = 5

/** What is said often in one part and seldom in the others. */
const choosePhrases = (counts: readonly Map<string, number>[], index: number, { written }: Terms): string[] => {
  const own = counts[index] ?? new Map<string, number>()
  const scored = [...own].flatMap(([phrase, count]) => {
    const isPair = phrase.includes(' ')
    if (isPair && count < 2) return []
    const parts = counts.filter((other) => other.has(phrase)).length
    return [{ phrase, score: count * Math.log(1 + counts.length / parts) * (isPair ? 1.8 : 1) }]
  })
  scored.sort((a, b) => b.score - a.score || (a.phrase < b.phrase ? -1 : 1))
  const chosen: string[] = []
  for (const { phrase } of scored) {
    if (chosen.length === KEYWORDS) break
    // A word adds nothing beside a pair that holds it.
    const words = phrase.split(' ')
    if (!chosen.some((other) => words.some((word) => other.split(' ').includes(word)))) chosen.push(phrase)
  }
  return chosen.map((phrase) =>
    phrase
      .split(' ')
      .map((stem) => written.get(stem) ?? stem)
      .join(' '),
  )
}

const capitalize = (text: string): string => text.replace(/^./u, (char) => char.toUpperCase())
