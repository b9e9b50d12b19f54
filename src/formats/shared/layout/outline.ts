/** An entry of the document's outline, a bookmark, in the order they are shown. Level 1 is the outermost. */
export type OutlineEntry = { title: string; level: number; page?: number }

/** The entries of an outline by their titles; of equal ones the first. */
export const indexOutline = (outline: readonly OutlineEntry[]): ReadonlyMap<string, OutlineEntry> => {
  const titles = new Map<string, OutlineEntry>()
  for (const entry of outline) {
    const key = titleKey(entry.title)
    if (key && !titles.has(key)) titles.set(key, entry)
  }
  return titles
}

/** A title as compared: letters and digits only. */
export const titleKey = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, 200)
