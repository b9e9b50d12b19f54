import type { Finding, Topic } from './model.ts'
import { similarity, type TermVector } from './rank-sentences.ts'
import { joinCitations, type Sentence } from './sentences.ts'

/** What is known of each sentence, by its index. */
export type Ranked = {
  sentences: readonly Sentence[]
  vectors: readonly TermVector[]
  ranks: readonly number[]
  topics: readonly Topic[]
  isEnglish: boolean
}

const [LEAST_SENTENCES, MOST_SENTENCES] = [3, 8]
/** A sentence of the summary for so many of the meeting. */
const SENTENCES_EACH = 8
const SAME_TOPIC_WEIGHT = 0.6

/**
 * The sentences that say most of a meeting, in its order: central ones, rather early in their topic, each about
 * something else than those before. `weights` lifts those that are known to matter.
 */
export const summarize = (ranked: Ranked, weights: ReadonlyMap<number, number>): Finding[] => {
  const { sentences, vectors, topics } = ranked
  const wanted = Math.min(MOST_SENTENCES, Math.max(LEAST_SENTENCES, Math.round(sentences.length / SENTENCES_EACH)))
  const topicOf = placeTopics(sentences, topics)
  const scores = sentences.map((sentence, index) => scoreSentence(ranked, sentence, index) * (weights.get(index) ?? 1))
  const chosen: number[] = []
  while (chosen.length < wanted) {
    let best = { index: -1, score: 0 }
    for (const [index, score] of scores.entries()) {
      if (chosen.includes(index)) continue
      const vector = vectors[index] as TermVector
      const overlap = Math.max(0, ...chosen.map((other) => similarity(vector, vectors[other] as TermVector)))
      const isKnown = chosen.some((other) => topicOf[other] === topicOf[index])
      const value = score * (1 - overlap) * (isKnown ? SAME_TOPIC_WEIGHT : 1) * (overlap > 0.5 ? 0 : 1)
      if (value > best.score) best = { index, score: value }
    }
    if (best.index === -1) break
    chosen.push(best.index)
  }
  return chosen
    .sort((a, b) => a - b)
    .map((index) => sentences[index] as Sentence)
    .map((sentence) => ({ ...joinCitations([sentence]), text: sentence.text, speaker: sentence.speaker }))
}

const placeTopics = (sentences: readonly Sentence[], topics: readonly Topic[]): number[] => {
  let at = 0
  return sentences.map(({ startSeconds }) => {
    while (at + 1 < topics.length && (topics[at + 1] as Topic).startSeconds <= startSeconds) at++
    return at
  })
}

// A sentence that leans on the one before it says little alone.
const LEANS =
  /^(?:\W*(?:um+|uh+|yeah|yes|no|okay|so|and|but|or|because|well|right|it|that|this|he|she|they|those|these|there|then|which|exactly|sure|about|while|also|let's|thank|thanks|hi|hello|good morning)\b)/i
// About the meeting itself.
const PROCEDURE =
  /\b(?:share my screen|let's (?:start|begin|move on|get started|wrap)|next (?:item|topic|point)|welcome|(?:hear|see) me|agenda|call (?:the|this) meeting|any questions)\b/i
const HESITATES = /\b(?:um+|uh+|you know|i mean|sort of|kind of)\b/gi

const scoreSentence = ({ vectors, ranks, isEnglish }: Ranked, { text }: Sentence, index: number): number => {
  const terms = (vectors[index] as TermVector).size
  const words = isEnglish ? text.split(/\s+/).length : terms * 2
  if (text.endsWith('?') || text.endsWith('？') || (isEnglish && PROCEDURE.test(text)) || terms < 3 || words < 6)
    return 0
  const length = words > 45 ? 0.4 : words > 30 ? 0.8 : 1
  const clarity = isEnglish ? (LEANS.test(text) ? 0.6 : 1) * 0.8 ** (text.match(HESITATES)?.length ?? 0) : 1
  return (ranks[index] as number) * Math.sqrt(Math.min(12, terms)) * length * clarity
}

const QUOTES = 5
const STANCE =
  /\b(?:never|always|most|biggest|best|worst|critical|crucial|essential|important|key|believe|convinced|proud|worried|concern(?:ed)?|risk|problem|must|cannot|can't afford|the truth is|honestly|frankly|in my opinion|priority|mistake|success|fail(?:ed|ure)?|love|hate|percent|million|billion|\d+)\b/gi

/** Sentences with a stance, from as many speakers as there are. */
export const chooseQuotes = (ranked: Ranked, taken: ReadonlySet<number>): Finding[] => {
  const { sentences, isEnglish } = ranked
  const scored = sentences.flatMap((sentence, index) => {
    const words = sentence.text.split(/\s+/).length
    const stance = isEnglish ? (sentence.text.match(STANCE)?.length ?? 0) : 1
    if (taken.has(index) || stance === 0 || words < 8 || words > 35) return []
    return [{ sentence, index, score: scoreSentence(ranked, sentence, index) * (1 + Math.min(3, stance)) }]
  })
  scored.sort((a, b) => b.score - a.score || a.index - b.index)
  const perSpeaker = new Map<string | null, number>()
  const speakers = new Set(sentences.map(({ speaker }) => speaker)).size
  const chosen: typeof scored = []
  for (const quote of scored) {
    const { speaker } = quote.sentence
    const count = perSpeaker.get(speaker) ?? 0
    if (chosen.length === QUOTES || quote.score === 0) break
    if (count >= Math.ceil(QUOTES / speakers)) continue
    perSpeaker.set(speaker, count + 1)
    chosen.push(quote)
  }
  return chosen
    .sort((a, b) => a.index - b.index)
    .map(({ sentence }) => ({ ...joinCitations([sentence]), text: sentence.text, speaker: sentence.speaker }))
}
