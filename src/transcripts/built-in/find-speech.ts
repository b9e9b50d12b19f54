/** A stretch of frames in which someone speaks; `end` is the first frame after it. */
export type Region = { start: number; end: number }

/** Turns the probabilities of frames, as they come, into stretches of speech. */
export type SpeechFinder = {
  /** Takes the probability of the next frame; returns a stretch that has just ended. */
  push(probability: number): Region | undefined
  /** Ends the recording; returns the stretch that was still open. */
  finish(): Region | undefined
  /** First frame of the stretch that is still open, if one is. */
  openSince(): number | undefined
}

const ON = 0.5
const OFF = 0.35
/** 0.3 s: shorter pauses are inside words and between them. */
const MIN_PAUSE_FRAMES = 10
/** 0.13 s kept at both ends, where soft sounds begin and end a word. */
const PADDING_FRAMES = 4
/** 22 s: what the models hear well in one piece. */
export const MAX_REGION_FRAMES = 690
/** Where speech has no pause for so long, it is cut where it is the least likely to be speech, in the last third. */
const CUT_FROM_FRAMES = 460

/** Starts looking for speech at frame 0. */
export const createSpeechFinder = (): SpeechFinder => {
  let frame = 0
  let start: number | undefined
  let quietFrames = 0
  let floor = 0
  let recent: number[] = []

  const close = (end: number): Region => {
    const region = { start: Math.max(floor, (start ?? 0) - PADDING_FRAMES), end }
    floor = end
    start = undefined
    return region
  }

  const cut = (): Region => {
    const from = start ?? 0
    const tail = recent.slice(CUT_FROM_FRAMES)
    const quietest = tail.indexOf(Math.min(...tail))
    const at = from + CUT_FROM_FRAMES + quietest
    const region = close(at)
    start = at
    recent = recent.slice(CUT_FROM_FRAMES + quietest)
    return region
  }

  return {
    push(probability) {
      const now = frame
      frame += 1
      if (start === undefined) {
        if (probability < ON) return undefined
        start = now
        quietFrames = 0
        recent = []
      }
      recent.push(probability)
      quietFrames = probability < OFF ? quietFrames + 1 : 0
      if (quietFrames >= MIN_PAUSE_FRAMES) return close(now + 1 - quietFrames + PADDING_FRAMES)
      return recent.length >= MAX_REGION_FRAMES ? cut() : undefined
    },
    finish: () => (start === undefined ? undefined : close(frame - Math.max(0, quietFrames - PADDING_FRAMES))),
    openSince: () => (start === undefined ? undefined : Math.max(floor, start - PADDING_FRAMES)),
  }
}
