const LESS = 0x3c
const GREATER = 0x3e
const MAX_ANCHORS = 200_000

/** Puts named places into markup where links lead to by position; a place inside a tag comes before it. */
export const insertAnchors = (markup: Buffer, places: ReadonlyMap<number, string>): Buffer => {
  const sorted = [...places].filter(([at]) => at >= 0 && at <= markup.length).sort(([a], [b]) => a - b)
  const pieces: Buffer[] = []
  let done = 0
  for (const [at, name] of sorted.slice(0, MAX_ANCHORS)) {
    const place = Math.max(done, beforeTag(markup, at, done))
    pieces.push(markup.subarray(done, place), Buffer.from(`<a id="${name}"></a>`))
    done = place
  }
  return Buffer.concat([...pieces, markup.subarray(done)])
}

/** The beginning of the tag that a place stands in, else the place itself. */
const beforeTag = (markup: Buffer, at: number, floor: number): number => {
  if (at >= markup.length) return markup.length
  for (let i = at - 1; i >= floor; i--) {
    if (markup[i] === GREATER) return at
    if (markup[i] === LESS) return i
  }
  return at
}
