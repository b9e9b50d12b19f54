import { hasModels } from '../engines/speech/models.ts'
import { openSpeechDetector, SAMPLE_RATE, VAD_FRAME_SAMPLES } from '../engines/speech/silero-vad.ts'
import { cutFrames } from './built-in/cut-frames.ts'

export type Piece = { startSeconds: number; endSeconds: number }

const FRAME_SECONDS = VAD_FRAME_SAMPLES / SAMPLE_RATE
/** A cut may come this much before a piece is full. */
const SEARCH_SHARE = 0.2
const IS_SPEECH = 0.35

/** Cuts a recording into pieces that are short enough, in the middle of the longest silence where one may end. */
export const planPieces = async (
  durationSeconds: number,
  maxSeconds: number,
  readSound: () => AsyncIterable<Buffer>,
): Promise<Piece[]> => {
  if (durationSeconds <= maxSeconds) return [{ startSeconds: 0, endSeconds: durationSeconds }]
  const silences = hasModels(['speech']) ? await listSilences(readSound()) : []
  const pieces: Piece[] = []
  for (let startSeconds = 0; startSeconds < durationSeconds; ) {
    const latest = startSeconds + maxSeconds
    const endSeconds =
      latest >= durationSeconds ? durationSeconds : findCut(silences, latest - maxSeconds * SEARCH_SHARE, latest)
    pieces.push({ startSeconds, endSeconds })
    startSeconds = endSeconds
  }
  return pieces
}

const findCut = (silences: readonly Piece[], earliest: number, latest: number): number => {
  const within = silences
    .map((silence) => ({ from: Math.max(earliest, silence.startSeconds), to: Math.min(latest, silence.endSeconds) }))
    .filter(({ from, to }) => to > from)
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))[0]
  return within ? (within.from + within.to) / 2 : latest
}

const listSilences = async (sound: AsyncIterable<Buffer>): Promise<Piece[]> => {
  const detect = await openSpeechDetector()
  const silences: Piece[] = []
  let frame = 0
  let since: number | undefined = 0
  const close = () => {
    if (since !== undefined && frame - since > 5)
      silences.push({ startSeconds: since * FRAME_SECONDS, endSeconds: frame * FRAME_SECONDS })
    since = undefined
  }
  for await (const samples of cutFrames(sound)) {
    if ((await detect(samples)) >= IS_SPEECH) close()
    else since ??= frame
    frame += 1
  }
  close()
  return silences
}
