import { MAX_REGION_FRAMES, type Region } from './find-speech.ts'

/** Stretches of speech that are heard together, for the sake of the words around each word. */
export type Chunk = { start: number; end: number; regions: readonly Region[] }

/** Puts stretches of speech together as they come. */
export type ChunkGatherer = {
  /** Takes the next stretch; returns a chunk that it does not fit into any more. */
  push(region: Region): Chunk | undefined
  /** The chunk gathered so far, if it would be left behind at this frame. */
  flush(frame?: number): Chunk | undefined
  /** First frame that is still needed. */
  openSince(): number | undefined
}

/** 1.2 s: after a longer pause something new begins. */
const MAX_GAP_FRAMES = 38

/** Gathers stretches of speech into chunks of up to 22 s. */
export const createChunkGatherer = (): ChunkGatherer => {
  let regions: Region[] = []
  const take = (): Chunk | undefined => {
    const first = regions[0]
    const last = regions.at(-1)
    if (!first || !last) return undefined
    const chunk = { start: first.start, end: last.end, regions }
    regions = []
    return chunk
  }
  return {
    push(region) {
      const first = regions[0] ?? region
      const last = regions.at(-1) ?? region
      const fits = region.start - last.end <= MAX_GAP_FRAMES && region.end - first.start <= MAX_REGION_FRAMES
      const done = fits ? undefined : take()
      regions.push(region)
      return done
    },
    flush(frame = Number.POSITIVE_INFINITY) {
      const last = regions.at(-1)
      return last && frame - last.end > MAX_GAP_FRAMES ? take() : undefined
    },
    openSince: () => regions[0]?.start,
  }
}
