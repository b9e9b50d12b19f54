import type { Word } from '../model.ts'
import type { VoiceSample } from './tell-speakers.ts'

/** A few words between those of another are more likely misheard than said. */
const MIN_TURN_SECONDS = 0.7

/** Tells for each word which speaker said it, from the speakers of samples that overlap each other in time. */
export const assignWords = (
  words: readonly Word[],
  samples: readonly VoiceSample[],
  labels: readonly number[],
): number[] => {
  let first = 0
  const found = words.map(({ startSeconds, endSeconds }) => {
    while (first < samples.length - 1 && (samples[first] as VoiceSample).endSeconds < startSeconds) first += 1
    const votes = new Map<number, number>()
    for (let index = first; index < samples.length; index += 1) {
      const sample = samples[index] as VoiceSample
      if (sample.startSeconds > endSeconds + 1) break
      const middle = (sample.startSeconds + sample.endSeconds) / 2
      // The sample whose middle is nearest says the most about the word.
      const closeness = 1 / (0.3 + Math.abs((startSeconds + endSeconds) / 2 - middle))
      votes.set(labels[index] ?? 0, (votes.get(labels[index] ?? 0) ?? 0) + closeness)
    }
    return [...votes].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? labels[first] ?? 0
  })
  return smooth(words, found)
}

const smooth = (words: readonly Word[], labels: readonly number[]): number[] => {
  const out = [...labels]
  for (let start = 0; start < out.length; ) {
    let end = start + 1
    while (end < out.length && out[end] === out[start]) end += 1
    const seconds = (words[end - 1] as Word).endSeconds - (words[start] as Word).startSeconds
    const [before, after] = [out[start - 1], out[end]]
    if (seconds < MIN_TURN_SECONDS && before !== undefined && before === after) out.fill(before, start, end)
    start = end
  }
  return out
}
