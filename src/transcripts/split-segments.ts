import type { Segment, Word } from './model.ts'

const SENTENCE_END = /[.?!…]["')\]]*$/
/** Abbreviations that the models write, after which a sentence goes on. */
const NO_END = /^(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|jr|sr|no)\.$/i
const CLAUSE_END = /[,;:—–-]$/
const LONG_PAUSE_SECONDS = 0.9
const MIN_SECONDS = 0.8
const MAX_SECONDS = 14

/** Cuts words into segments of about a sentence: at the end of sentences, at long pauses, and where they grow too long. */
export const splitSegments = (words: readonly Word[]): Omit<Segment, 'id'>[] => {
  const segments: Omit<Segment, 'id'>[] = []
  let open: Word[] = []
  const close = (count: number) => {
    const taken = open.slice(0, count)
    open = open.slice(count)
    const first = taken[0]
    const last = taken.at(-1)
    if (!first || !last) return
    segments.push({
      startSeconds: first.startSeconds,
      endSeconds: last.endSeconds,
      text: taken.map(({ text }) => text).join(' '),
      speaker: null,
      words: taken,
    })
  }
  for (const word of words) {
    const before = open.at(-1)
    if (before && word.startSeconds - before.endSeconds >= LONG_PAUSE_SECONDS) close(open.length)
    open.push(word)
    const lasted = word.endSeconds - (open[0] as Word).startSeconds
    const isSentence = SENTENCE_END.test(word.text) && !NO_END.test(word.text)
    if (isSentence && lasted >= MIN_SECONDS) close(open.length)
    else if (lasted > MAX_SECONDS) close(findBreak(open))
  }
  close(open.length)
  return segments
}

/** How many words to take off the front: up to the widest pause, where the end of a clause counts for 0.4 s. */
const findBreak = (words: readonly Word[]): number => {
  let best = words.length
  let bestWorth = -1
  for (let count = Math.ceil(words.length / 3); count < words.length; count += 1) {
    const [word, next] = [words[count - 1] as Word, words[count] as Word]
    const worth = next.startSeconds - word.endSeconds + (CLAUSE_END.test(word.text) ? 0.4 : 0)
    if (worth > bestWorth) [best, bestWorth] = [count, worth]
  }
  return best
}
