/** How far two texts have the same words, each as often: the harmonic mean of precision and recall. */
export const wordF1 = (text: string, reference: string): number => {
  const own = countWords(text)
  const wanted = countWords(reference)
  let shared = 0
  for (const [word, count] of own.counts) shared += Math.min(count, wanted.counts.get(word) ?? 0)
  return own.total + wanted.total === 0 ? 1 : (2 * shared) / (own.total + wanted.total)
}

/** Words of markdown, without its marks. */
const countWords = (markdown: string): { counts: Map<string, number>; total: number } => {
  const text = markdown
    .replace(/<!--.*?-->/gs, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[\^\w+\]:?/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .toLowerCase()
  const counts = new Map<string, number>()
  let total = 0
  for (const [word] of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
    total++
  }
  return { counts, total }
}
