/** How far a reading is from the truth: shares of characters and words that are wrong, and of words found. */
export type Score = { characterError: number; wordError: number; wordF1: number }

/** Scores a reading. Spaces and line breaks are alike, and so are the shapes of quotes and dashes. */
export const score = (truth: string, reading: string): Score => {
  const wanted = normalize(truth)
  const found = normalize(reading)
  const wantedWords = wanted.split(' ').filter(Boolean)
  const foundWords = found.split(' ').filter(Boolean)
  return {
    characterError: distance([...wanted], [...found]) / Math.max(1, wanted.length),
    wordError: distance(wantedWords, foundWords) / Math.max(1, wantedWords.length),
    wordF1: shareInCommon(wantedWords, foundWords),
  }
}

const normalize = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u201a\u201b`\u00b4]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()

/** Fewest insertions, deletions and replacements. */
const distance = (a: readonly string[], b: readonly string[]): number => {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, x] of a.entries()) {
    const current = [i + 1]
    for (const [j, y] of b.entries()) {
      current.push(Math.min((previous[j + 1] ?? 0) + 1, (current[j] ?? 0) + 1, (previous[j] ?? 0) + (x === y ? 0 : 1)))
    }
    previous = current
  }
  return previous.at(-1) ?? 0
}

const shareInCommon = (a: readonly string[], b: readonly string[]): number => {
  const left = new Map<string, number>()
  for (const word of a) left.set(word, (left.get(word) ?? 0) + 1)
  let common = 0
  for (const word of b) {
    const count = left.get(word) ?? 0
    if (count > 0) common++
    left.set(word, count - 1)
  }
  return a.length + b.length === 0 ? 1 : (2 * common) / (a.length + b.length)
}
