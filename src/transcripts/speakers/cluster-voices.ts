/** How alike two voices are, −1 to 1; both vectors have length 1. */
export const compareVoices = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number)
  return sum
}

/** The mean of some voices, of length 1. */
export const meanVoice = (voices: readonly Float32Array[]): Float32Array => {
  const sum = new Float32Array(voices[0]?.length ?? 0)
  for (const voice of voices) for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] as number) + (voice[i] as number)
  const length = Math.hypot(...sum) || 1
  return sum.map((value) => value / length)
}

type Merge = { a: number; b: number; likeness: number }

/**
 * Groups voices from the bottom up, always the two groups whose members are the most alike on average, until none are
 * as alike as `minLikeness`. Returns the number of its group for each voice.
 */
export const clusterVoices = (voices: readonly Float32Array[], minLikeness: number): number[] => {
  const parent = voices.map((_, index) => index)
  const find = (index: number): number => {
    let root = index
    while (parent[root] !== root) root = parent[root] as number
    return root
  }
  for (const { a, b, likeness } of listMerges(voices)) if (likeness >= minLikeness) parent[find(b)] = find(a)
  const names = new Map<number, number>()
  return voices.map((_, index) => {
    const root = find(index)
    if (!names.has(root)) names.set(root, names.size)
    return names.get(root) as number
  })
}

/** All merges of average linkage, by the chain of nearest neighbours: time and memory grow with the square only. */
const listMerges = (voices: readonly Float32Array[]): Merge[] => {
  const count = voices.length
  const likeness = voices.map((voice) => Float32Array.from(voices, (other) => compareVoices(voice, other)))
  const sizes = new Array<number>(count).fill(1)
  const alive = new Set(voices.keys())
  const merges: Merge[] = []
  const chain: number[] = []
  while (alive.size > 1) {
    const top = chain.at(-1) ?? (alive.values().next().value as number)
    if (chain.length === 0) chain.push(top)
    const row = likeness[top] as Float32Array
    const before = chain.at(-2)
    // Of equally near ones the one before wins, or the chain would never end.
    let nearest = before ?? -1
    for (const other of alive) {
      if (other !== top && (nearest < 0 || (row[other] as number) > (row[nearest] as number))) nearest = other
    }
    if (nearest !== before) {
      chain.push(nearest)
      continue
    }
    chain.length -= 2
    merges.push({ a: nearest, b: top, likeness: row[nearest] as number })
    const [a, b] = [sizes[nearest] as number, sizes[top] as number]
    const kept = likeness[nearest] as Float32Array
    alive.delete(top)
    for (const other of alive) {
      if (other === nearest) continue
      const mean = (a * (kept[other] as number) + b * (row[other] as number)) / (a + b)
      kept[other] = mean
      ;(likeness[other] as Float32Array)[nearest] = mean
    }
    sizes[nearest] = a + b
  }
  return merges
}
