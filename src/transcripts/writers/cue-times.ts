import { MAX_CUE_SECONDS, MIN_CUE_SECONDS } from './cue-text.ts'

/** When something is said, and how much there is to read. */
export type Spoken = { startSeconds: number; endSeconds: number; width: number }

/** When it is shown. */
export type Shown = { startMs: number; endMs: number }

const READING_PER_SECOND = 17
const GAP_MS = 80
/** The latest that a cue may come after its speech, so that the one before it can be read. */
const MAX_LATE_MS = 500
/** What is left to a cue where people speak faster than anybody can read. */
const LEAST_MS = 200

/**
 * Times at which cues are shown: as they are said, longer where reading takes longer and there is room, at least a
 * second where the next one can wait a little, never two at once.
 */
export const timeCues = (spoken: readonly Spoken[], durationSeconds: number): Shown[] => {
  const last = spoken.reduce((latest, { endSeconds }) => Math.max(latest, endSeconds), 0)
  const closeMs = Math.round(Math.max(last, Number.isFinite(durationSeconds) ? durationSeconds : 0) * 1000)
  let freeMs = 0
  return spoken.map(({ startSeconds, endSeconds, width }, index) => {
    const startMs = Math.max(freeMs, Math.round(startSeconds * 1000))
    const readMs = Math.max(MIN_CUE_SECONDS, width / READING_PER_SECOND) * 1000
    const wantedMs = Math.min(
      Math.max(Math.round(endSeconds * 1000), startMs + readMs),
      startMs + MAX_CUE_SECONDS * 1000,
    )
    const next = spoken[index + 1]
    const limitMs = next === undefined ? Math.max(closeMs, startMs) : Math.round(next.startSeconds * 1000) - GAP_MS
    const leastMs = startMs + MIN_CUE_SECONDS * 1000
    const patientMs = next === undefined ? leastMs : Math.min(leastMs, limitMs + MAX_LATE_MS)
    const endMs = Math.round(Math.max(Math.min(wantedMs, limitMs), patientMs, startMs + LEAST_MS))
    freeMs = endMs + GAP_MS
    return { startMs, endMs }
  })
}
