/** Who speaks from when to when. */
export type Turn = { startSeconds: number; endSeconds: number; speaker: string }

const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

/** Words to compare: digits are spelled out one by one, as the references have them. */
export const toWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/\bmr\b\.?/g, 'mister')
    .replace(/\boh\b/g, 'zero')
    .replace(/\d/g, (digit) => ` ${NUMBERS[Number(digit)]} `)
    .replace(/[^\p{L}\p{N}' ]+/gu, ' ')
    .replaceAll("'", '')
    .split(/\s+/)
    .filter(Boolean)

/** Words that would have to be changed, added or left out. */
export const countErrors = (reference: readonly string[], heard: readonly string[]): number => {
  let row = Array.from({ length: heard.length + 1 }, (_, index) => index)
  for (const [index, word] of reference.entries()) {
    const next = [index + 1]
    for (const [column, other] of heard.entries()) {
      next.push(
        Math.min(
          (row[column + 1] as number) + 1,
          (next[column] as number) + 1,
          (row[column] as number) + Number(word !== other),
        ),
      )
    }
    row = next
  }
  return row.at(-1) as number
}

const STEP_SECONDS = 0.01
/** Around each change of speaker nothing is counted, as is usual: people do not agree to the tenth of a second. */
const COLLAR_SECONDS = 0.25

/**
 * Diarization error rate: the share of speech that is missed, made up or given to the wrong one, with the names of the
 * speakers matched as well as they can be.
 */
export const rateDiarization = (truth: readonly Turn[], found: readonly Turn[]): number => {
  const edges = truth.flatMap(({ startSeconds, endSeconds }) => [startSeconds, endSeconds])
  const end = Math.max(...edges, ...found.map(({ endSeconds }) => endSeconds))
  const at = (turns: readonly Turn[], time: number) =>
    turns.find(({ startSeconds, endSeconds }) => time >= startSeconds && time < endSeconds)?.speaker
  const together = new Map<string, number>()
  let [spoken, missed, madeUp, both] = [0, 0, 0, 0]
  for (let time = 0; time < end; time += STEP_SECONDS) {
    if (edges.some((edge) => Math.abs(edge - time) < COLLAR_SECONDS)) continue
    const [real, said] = [at(truth, time), at(found, time)]
    if (real) spoken += 1
    if (real && !said) missed += 1
    if (!real && said) madeUp += 1
    if (!real || !said) continue
    both += 1
    const pair = `${real}\t${said}`
    together.set(pair, (together.get(pair) ?? 0) + 1)
  }
  return (missed + madeUp + both - matchBest(together)) / spoken
}

/** The most that can be right when each real speaker goes with one that was found. */
const matchBest = (together: ReadonlyMap<string, number>): number => {
  const pairs = [...together].map(([pair, count]) => ({ real: pair.split('\t')[0], said: pair.split('\t')[1], count }))
  const real = [...new Set(pairs.map((pair) => pair.real))]
  const tryRest = (index: number, taken: ReadonlySet<string | undefined>): number => {
    if (index === real.length) return 0
    const options = pairs.filter((pair) => pair.real === real[index] && !taken.has(pair.said))
    return Math.max(
      tryRest(index + 1, taken),
      ...options.map(({ said, count }) => count + tryRest(index + 1, new Set([...taken, said]))),
    )
  }
  return tryRest(0, new Set())
}
