import { availableParallelism } from 'node:os'
import type { Heard, MoonshineSize } from '../../engines/speech/moonshine.ts'
import { openRecognizer } from '../../engines/speech/open-recognizer.ts'
import { openSpeechDetector, SAMPLE_RATE, VAD_FRAME_SAMPLES } from '../../engines/speech/silero-vad.ts'
import { openVoiceReader, type Stretch } from '../../engines/speech/voices.ts'
import type { Segment, Word } from '../model.ts'
import { splitBySpeaker } from '../speakers/split-by-speaker.ts'
import type { VoiceSample } from '../speakers/tell-speakers.ts'
import { cutFrames } from './cut-frames.ts'
import { createSpeechFinder, type Region } from './find-speech.ts'
import { type Chunk, createChunkGatherer } from './gather-chunks.ts'
import { openTokenizer, spellWords } from './spell-words.ts'
import { trimWords } from './trim-words.ts'

/** What came of one chunk. */
export type HeardChunk = Omit<Heard, 'tokens'> & {
  speechSeconds: number
  words: readonly Word[]
  voices: readonly VoiceSample[]
}

export type BuiltInOptions = {
  /** Without one, nothing is written down: only the voices are listened to. */
  size: MoonshineSize | null
  /** Whether to listen to the voices too. */
  voices?: boolean
  signal: AbortSignal
  /** Called with the seconds of sound that are done. */
  onProgress?: (doneSeconds: number) => void
  /** Called with each chunk in the order of time: `false` leaves its words out, and what it throws ends the work. */
  onChunk?: (chunk: HeardChunk) => boolean
}

let voiceReader: ReturnType<typeof openVoiceReader> | undefined
const openVoices = (): ReturnType<typeof openVoiceReader> => {
  voiceReader ??= openVoiceReader()
  return voiceReader
}

const FRAME_SECONDS = VAD_FRAME_SAMPLES / SAMPLE_RATE
const IS_SPEECH = 0.35
/** Shorter sounds are coughs and clicks. */
const MIN_CHUNK_SECONDS = 0.4

/**
 * Writes down what is said in a recording, given as 16-bit samples at 16 kHz, as they come. Only the sound of the
 * chunks that are being heard is held, however long the recording is.
 */
export const transcribeSpeech = async (
  sound: AsyncIterable<Buffer>,
  { size, voices = false, signal, onProgress, onChunk }: BuiltInOptions,
): Promise<{ segments: Segment[]; voices: VoiceSample[]; speechSeconds: number; durationSeconds: number }> => {
  const recognizer = size && openRecognizer(size)
  const [detect, tokenizer, readVoices] = await Promise.all([
    openSpeechDetector(),
    openTokenizer(),
    voices ? openVoices() : null,
  ])
  const finder = createSpeechFinder()
  const gatherer = createChunkGatherer()
  const tape = createTape()
  const words: Word[] = []
  const samples: VoiceSample[] = []
  const queue = createOrderedQueue<HeardChunk>(availableParallelism(), (chunk) => {
    if (onChunk?.(chunk) === false) return
    words.push(...chunk.words)
    samples.push(...chunk.voices)
  })
  let frames = 0
  let speechFrames = 0

  const hear = async ({ start, end, regions }: Chunk): Promise<void> => {
    const seconds = (end - start) * FRAME_SECONDS
    if (seconds < MIN_CHUNK_SECONDS) return
    const piece = tape.cut(start, end)
    const probabilities = tape.probabilities(start, end)
    const spoken = countFrames(regions)
    speechFrames += spoken
    const isSpeech = (frame: number) => (probabilities[frame - start] ?? 0) >= IS_SPEECH
    const hearPart = async (part: readonly Region[]): Promise<HeardPart> => {
      const from = part[0]?.start ?? start
      const to = part.at(-1)?.end ?? end
      const samples = piece.slice((from - start) * VAD_FRAME_SAMPLES, (to - start) * VAD_FRAME_SAMPLES)
      const { tokens, ...facts } = (await recognizer?.hear(samples, signal)) ?? NOTHING
      // What one sentence led astray may be clear without it.
      if (facts.isLoop && part.length > 1) {
        const [before, after] = splitAtPause(part)
        return joinParts(await hearPart(before), await hearPart(after))
      }
      const spelled = spellWords(tokens, tokenizer, from * FRAME_SECONDS)
      const alignment = spelled.length > 0 ? facts.alignment : 0
      return { ...facts, alignment, words: trimWords(spelled, isSpeech, FRAME_SECONDS), frames: countFrames(part) }
    }
    await queue.add(async () => {
      const stretches = readVoices ? cutStretches(start, regions) : []
      const heardVoices = (await readVoices?.(piece, stretches)) ?? []
      const { words: heardWords, isLoop, alignment } = await hearPart(regions)
      onProgress?.(end * FRAME_SECONDS)
      return {
        ...{ isLoop, alignment, words: heardWords, speechSeconds: spoken * FRAME_SECONDS },
        voices: stretches.flatMap((stretch, index) => {
          const voice = heardVoices[index]
          return voice ? [{ ...moveStretch(stretch, start * FRAME_SECONDS), voice }] : []
        }),
      }
    })
  }

  for await (const frame of cutFrames(sound)) {
    signal.throwIfAborted()
    const probability = await detect(frame)
    tape.push(frame, probability)
    frames += 1
    const region = finder.push(probability)
    const full = region && gatherer.push(region)
    if (full) await hear(full)
    const idle = finder.openSince() === undefined ? gatherer.flush(frames) : undefined
    if (idle) await hear(idle)
    tape.forget(gatherer.openSince() ?? finder.openSince() ?? frames - KEPT_FRAMES)
  }
  const last = finder.finish()
  const full = last && gatherer.push(last)
  if (full) await hear(full)
  const rest = gatherer.flush()
  if (rest) await hear(rest)
  await queue.drain()
  const segments = splitBySpeaker(words, samples).map((segment, index) => ({ id: index + 1, ...segment }))
  return {
    segments,
    voices: samples,
    speechSeconds: speechFrames * FRAME_SECONDS,
    durationSeconds: frames * FRAME_SECONDS,
  }
}

type HeardPart = Omit<Heard, 'tokens'> & { words: Word[]; frames: number }

const splitAtPause = (regions: readonly Region[]): [Region[], Region[]] => {
  const pauses = regions.slice(1).map(({ start }, index) => start - (regions[index] as Region).end)
  const at = pauses.indexOf(Math.max(...pauses)) + 1
  return [regions.slice(0, at), regions.slice(at)]
}

const joinParts = (a: HeardPart, b: HeardPart): HeardPart => ({
  words: [...a.words, ...b.words],
  isLoop: a.isLoop && b.isLoop,
  alignment: (a.alignment * a.frames + b.alignment * b.frames) / (a.frames + b.frames),
  frames: a.frames + b.frames,
})

const NOTHING: Heard = { tokens: [], isLoop: false, alignment: 1 }

/** 2 s of speech, one every second: long enough to know a voice, short enough to follow the turns. */
const STRETCH_FRAMES = 62
const STRETCH_STEP_FRAMES = 31
const MIN_STRETCH_FRAMES = 16

const cutStretches = (chunkStart: number, regions: readonly Region[]): Stretch[] =>
  regions.flatMap(({ start, end }) => {
    const stretches: Stretch[] = []
    const steps = Math.max(1, Math.ceil((end - start - STRETCH_FRAMES) / STRETCH_STEP_FRAMES) + 1)
    for (let step = 0; step < steps; step += 1) {
      const from = start + step * STRETCH_STEP_FRAMES
      const to = Math.min(end, from + STRETCH_FRAMES)
      if (to - from < MIN_STRETCH_FRAMES) continue
      stretches.push({
        startSeconds: (from - chunkStart) * FRAME_SECONDS,
        endSeconds: (to - chunkStart) * FRAME_SECONDS,
      })
    }
    return stretches
  })

const moveStretch = ({ startSeconds, endSeconds }: Stretch, bySeconds: number): Stretch => ({
  startSeconds: startSeconds + bySeconds,
  endSeconds: endSeconds + bySeconds,
})

/** Frames kept in silence: the padding of the next stretch reaches back into them. */
const KEPT_FRAMES = 8

const countFrames = (regions: readonly Region[]): number =>
  regions.reduce((sum, { start, end }) => sum + end - start, 0)

/** The sound that may still be needed, by frame. */
const createTape = () => {
  let first = 0
  let frames: { samples: Float32Array; probability: number }[] = []
  return {
    push: (samples: Float32Array, probability: number) => frames.push({ samples, probability }),
    cut: (start: number, end: number): Float32Array => {
      const out = new Float32Array((end - start) * VAD_FRAME_SAMPLES)
      for (const [index, { samples }] of frames.slice(start - first, end - first).entries())
        out.set(samples, index * VAD_FRAME_SAMPLES)
      return out
    },
    probabilities: (start: number, end: number): number[] =>
      frames.slice(start - first, end - first).map(({ probability }) => probability),
    forget: (before: number) => {
      // Not frame by frame: moving a long list each time would cost more than it saves.
      if (before - first < 256) return
      frames = frames.slice(before - first)
      first = before
    },
  }
}

/** Does pieces of work side by side and hands on their results in the order in which they were added. */
const createOrderedQueue = <T>(width: number, deliver: (result: T) => void) => {
  const running = new Set<Promise<void>>()
  let turn: Promise<void> = Promise.resolve()
  return {
    /** Waits only until there is room. */
    async add(work: () => Promise<T>): Promise<void> {
      while (running.size >= width) await Promise.race(running)
      const result = work()
      const before = turn
      const delivered = (async () => {
        const value = await result
        await before
        deliver(value)
      })()
      turn = delivered
      const done = result.then(
        () => undefined,
        () => undefined,
      )
      running.add(done)
      void done.then(() => running.delete(done))
      delivered.catch(() => undefined)
    },
    drain: (): Promise<void> => turn,
  }
}
