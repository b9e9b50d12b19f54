/** Whether a name fits one of the patterns of a list like `*.pdf, docs/**`. */
export const createNameFilter = (patterns: string): ((name: string) => boolean) => {
  const parsed = patterns
    .split(/[,\n]/)
    .map((pattern) => pattern.trim().toLowerCase())
    .filter((pattern) => pattern !== '')
    .map((pattern) => {
      const parts = pattern.replace(/^\.?\//, '').split('/')
      // Without a folder it is about the name alone, wherever it lies; a folder stands for all that lies in it.
      if (parts.length === 1) return ['**', ...parts]
      return parts.at(-1) === '' ? [...parts.slice(0, -1), '**'] : parts
    })
  return (name) => {
    const parts = name.toLowerCase().split('/')
    return parsed.some((pattern) => fitsParts(pattern, parts))
  }
}

/** `**` stands for any number of folders. */
const fitsParts = (pattern: readonly string[], parts: readonly string[]): boolean =>
  fits(pattern.length, parts.length, {
    isStar: (i) => pattern[i] === '**',
    isSame: (i, k) => fitsPart(pattern[i] as string, parts[k] as string),
  })

/** `*` stands for any characters, `?` for one. */
const fitsPart = (pattern: string, part: string): boolean =>
  fits(pattern.length, part.length, {
    isStar: (i) => pattern[i] === '*',
    isSame: (i, k) => pattern[i] === '?' || pattern[i] === part[k],
  })

/** Goes back only to the last star, so that the work is at most one length times the other. */
const fits = (
  patternLength: number,
  length: number,
  { isStar, isSame }: { isStar(i: number): boolean; isSame(i: number, k: number): boolean },
): boolean => {
  let i = 0
  let k = 0
  let star = -1
  let starAt = 0
  while (k < length) {
    if (i < patternLength && isStar(i)) {
      star = i++
      starAt = k
    } else if (i < patternLength && isSame(i, k)) {
      i++
      k++
    } else if (star >= 0) {
      i = star + 1
      k = ++starAt
    } else return false
  }
  while (i < patternLength && isStar(i)) i++
  return i === patternLength
}
