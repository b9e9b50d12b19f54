import type { Word } from '../model.ts'

/** 0.13 s: what is quiet for longer is not inside a word. */
const MIN_QUIET_FRAMES = 4
const MIN_WORD_SECONDS = 0.04

/**
 * The alignment gives every moment to some word, the pauses too. This takes them off: a word begins after the last
 * pause within it and ends with its last loud frame. `isSpeech` tells it of a frame, counted from the recording's start.
 */
export const trimWords = (
  words: readonly Word[],
  isSpeech: (frame: number) => boolean,
  frameSeconds: number,
): Word[] => {
  let floor = 0
  return words.map((word) => {
    const first = Math.floor(word.startSeconds / frameSeconds)
    const last = Math.max(first, Math.ceil(word.endSeconds / frameSeconds) - 1)
    let end = last
    while (end > first && !isSpeech(end)) end -= 1
    let start = end
    let quiet = 0
    for (let frame = end; frame >= first && quiet < MIN_QUIET_FRAMES; frame -= 1) {
      quiet = isSpeech(frame) ? 0 : quiet + 1
      if (quiet === 0) start = frame
    }
    const startSeconds = Math.max(floor, start === first ? word.startSeconds : start * frameSeconds)
    const endSeconds = Math.max(
      startSeconds + MIN_WORD_SECONDS,
      end === last ? word.endSeconds : (end + 1) * frameSeconds,
    )
    floor = endSeconds
    return { ...word, startSeconds, endSeconds }
  })
}
