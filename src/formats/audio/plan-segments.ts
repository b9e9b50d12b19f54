/** A stretch of time of a file, seconds from its start. */
export type TimeRange = { startSeconds: number; endSeconds: number }

/** A part that a file is cut into, with the name that it has in the file, if any. */
export type Segment = TimeRange & { title?: string }

export type SegmentLengths = { minSeconds: number; maxSeconds: number }

/** Shorter than this is not worth a file: a slip of the pen of who wrote the chapters. */
const MIN_CHAPTER_SECONDS = 0.05

/** Cuts at chapters. What lies before the first, or between two, is a part of its own, so that nothing is lost. */
export const cutAtChapters = (chapters: readonly Segment[], durationSeconds: number): Segment[] => {
  const inOrder = chapters
    .filter(({ startSeconds }) => startSeconds >= 0 && startSeconds < durationSeconds)
    .toSorted((a, b) => a.startSeconds - b.startSeconds)
  const segments: Segment[] = []
  let doneSeconds = 0
  const push = (segment: Segment) => {
    if (segment.endSeconds - segment.startSeconds < MIN_CHAPTER_SECONDS) return
    segments.push(segment)
    doneSeconds = segment.endSeconds
  }
  for (const [index, { startSeconds, endSeconds, title }] of inOrder.entries()) {
    if (startSeconds - doneSeconds > MIN_CHAPTER_SECONDS) push({ startSeconds: doneSeconds, endSeconds: startSeconds })
    const nextSeconds = inOrder[index + 1]?.startSeconds ?? durationSeconds
    // Chapters that overlap are cut where the next one starts; one without an end lasts until then.
    const lastSeconds = endSeconds > startSeconds ? Math.min(endSeconds, nextSeconds) : nextSeconds
    push({ startSeconds: doneSeconds, endSeconds: Math.min(lastSeconds, durationSeconds), ...(title ? { title } : {}) })
  }
  if (durationSeconds - doneSeconds > MIN_CHAPTER_SECONDS) {
    push({ startSeconds: doneSeconds, endSeconds: durationSeconds })
  }
  return segments
}

/**
 * Cuts in the middle of silences. A part that would be shorter than the minimum goes on to the next silence; one that
 * would be longer than the maximum is also cut where there is none, into equal pieces.
 */
export const cutAtSilences = (
  silences: readonly TimeRange[],
  durationSeconds: number,
  { minSeconds, maxSeconds }: SegmentLengths,
): Segment[] => {
  const cuts: number[] = []
  let lastSeconds = 0
  for (const { startSeconds, endSeconds } of silences) {
    // Silence at either end of the file parts nothing.
    if (startSeconds <= 0 || endSeconds >= durationSeconds) continue
    const middleSeconds = (startSeconds + endSeconds) / 2
    if (middleSeconds - lastSeconds < minSeconds || durationSeconds - middleSeconds < minSeconds) continue
    cuts.push(middleSeconds)
    lastSeconds = middleSeconds
  }
  return toRanges(cuts, durationSeconds).flatMap((range) => divide(range, maxSeconds))
}

const divide = ({ startSeconds, endSeconds }: TimeRange, maxSeconds: number): TimeRange[] => {
  const pieces = Math.ceil((endSeconds - startSeconds) / maxSeconds - 1e-9)
  const lengthSeconds = (endSeconds - startSeconds) / Math.max(1, pieces)
  const cuts = Array.from({ length: Math.max(0, pieces - 1) }, (_, i) => startSeconds + (i + 1) * lengthSeconds)
  return toRanges(cuts, endSeconds, startSeconds)
}

/** Cuts into parts of one length; the last is what remains. */
export const cutEvenly = (lengthSeconds: number, durationSeconds: number): Segment[] => {
  const pieces = Math.ceil(durationSeconds / lengthSeconds - 1e-3)
  return toRanges(
    Array.from({ length: Math.max(0, pieces - 1) }, (_, i) => (i + 1) * lengthSeconds),
    durationSeconds,
  )
}

const toRanges = (cuts: readonly number[], endSeconds: number, startSeconds = 0): TimeRange[] =>
  [...cuts, endSeconds].map((cut, index) => ({
    startSeconds: index === 0 ? startSeconds : (cuts[index - 1] as number),
    endSeconds: cut,
  }))

/** The first `most` parts, the last of them with all that follows. */
export const limitSegments = (segments: readonly Segment[], most: number): Segment[] => {
  if (segments.length <= most) return [...segments]
  const kept = segments.slice(0, most)
  const last = kept.at(-1) as Segment
  return [...kept.slice(0, -1), { ...last, endSeconds: (segments.at(-1) as Segment).endSeconds }]
}
