import { JobFailure } from '../core/errors.ts'
import type { Outside, Transcriber } from '../core/outside.ts'
import { hasModels } from '../engines/speech/models.ts'
import type { MoonshineSize } from '../engines/speech/moonshine.ts'
import { createLanguageJudge, isGuesswork } from './built-in/judge-language.ts'
import { transcribeSpeech } from './built-in/transcribe.ts'
import { planPieces } from './cut-pieces.ts'
import type { Segment, Transcript, WordTimes } from './model.ts'
import { readProviderAnswer } from './providers/read-answer.ts'
import { nameSpeakers } from './speakers/name-speakers.ts'

/** A recording, and how to get at its sound. */
export type Recording = {
  durationSeconds: number
  /** From the start, 16-bit samples of one channel at 16 kHz. */
  readSound(): AsyncIterable<Buffer>
  /** A part of it as a file that providers take, in a place that is the caller's to give away. */
  writePart(startSeconds: number, endSeconds: number): Promise<{ path: string; mediaType: string }>
  /** What a file of a part will have a second. */
  partBytesPerSecond: number
}

export type TranscriptRequest = {
  mode: string
  /** BCP-47, or `auto`. */
  language: string
  outside: Outside | undefined
  signal: AbortSignal
  /** Share that is done, 0 to 1. */
  progress(fraction: number): void
  warn(code: string, detail: string): void
}

/** Why an engine gave no transcript; the next one is tried. */
class NoTranscript extends Error {
  override readonly name = 'NoTranscript'
}

const SIZE_BY_MODE: Readonly<Record<string, MoonshineSize>> = { fast: 'tiny' }
const MEETING = 'meeting-intelligence'
const BUILT_IN: Transcriber = { name: 'built-in', maxBytes: 1e15, maxSeconds: 1e9, tellsSpeakers: true }

/** Writes down a recording by the first engine of its mode that can; fails where none can, or where nobody speaks. */
export const makeTranscript = async (recording: Recording, request: TranscriptRequest): Promise<Transcript> => {
  const engines = request.outside?.offer.transcribers[request.mode] ?? [BUILT_IN]
  const reasons: Record<string, string> = {}
  for (const engine of engines) {
    try {
      const transcript = await runEngine(engine, recording, request)
      if (transcript.segments.length === 0) throw new JobFailure('transcribe.no_speech')
      return transcript
    } catch (error) {
      if (!(error instanceof NoTranscript)) throw error
      reasons[engine.name] = error.message
    }
  }
  throw new JobFailure('extract.audio_transcription.provider_not_configured', {
    mode: request.mode,
    language: request.language,
    reasons,
  })
}

const runEngine = (engine: Transcriber, recording: Recording, request: TranscriptRequest): Promise<Transcript> =>
  engine.name === BUILT_IN.name ? runBuiltIn(recording, request) : askProvider(engine, recording, request)

const runBuiltIn = async (
  { durationSeconds, readSound }: Recording,
  { mode, language, signal, progress, warn }: TranscriptRequest,
): Promise<Transcript> => {
  if (language !== 'auto' && !/^en\b/i.test(language)) throw new NoTranscript('language_not_covered')
  const size = SIZE_BY_MODE[mode] ?? 'base'
  if (!hasModels(['speech', `${size} encoder`, `${size} decoder`])) throw new NoTranscript('not_installed')
  const voices = mode === MEETING
  if (voices && !hasModels(['voice frames', 'voice projection'])) throw new NoTranscript('not_installed')
  const judge = createLanguageJudge()
  let leftOutSeconds = 0
  const { segments } = await transcribeSpeech(readSound(), {
    ...{ size, voices, signal },
    onProgress: (doneSeconds) => progress(doneSeconds / durationSeconds),
    onChunk: (chunk) => {
      judge.add(chunk)
      if (language === 'auto' && judge.isSure() && !judge.isEnglish()) throw new NoTranscript('language_not_covered')
      const isKept = !isGuesswork(chunk)
      if (!isKept) leftOutSeconds += chunk.speechSeconds
      return isKept
    },
  })
  if (language === 'auto' && !judge.isEnglish()) throw new NoTranscript('language_not_covered')
  if (leftOutSeconds > 0)
    warn(
      'transcript.unintelligible',
      `${Math.round(leftOutSeconds)} seconds of speech were not understood and are left out.`,
    )
  const model = size === 'tiny' ? 'moonshine-tiny' : 'moonshine-base'
  return {
    language: 'en',
    durationSeconds,
    segments,
    wordTimes: 'aligned',
    engine: { provider: BUILT_IN.name, model },
  }
}

const askProvider = async (
  engine: Transcriber,
  recording: Recording,
  { mode, language, outside, signal, progress }: TranscriptRequest,
): Promise<Transcript> => {
  const { durationSeconds, readSound, writePart, partBytesPerSecond } = recording
  const maxSeconds = Math.min(engine.maxSeconds, engine.maxBytes / partBytesPerSecond)
  const pieces = await planPieces(durationSeconds, maxSeconds, readSound)
  const speakers = mode === MEETING
  const segments: Omit<Segment, 'id'>[] = []
  let wordTimes: WordTimes = 'aligned'
  let found = language
  let model = ''
  for (const [index, { startSeconds, endSeconds }] of pieces.entries()) {
    signal.throwIfAborted()
    const part = await writePart(startSeconds, endSeconds)
    const question = {
      ...{ kind: 'transcribe' as const, provider: engine.name, mediaType: part.mediaType },
      ...{ durationSeconds: endSeconds - startSeconds, language: found, speakers },
    }
    const answer = (await outside?.ask(question, part.path)) ?? { failure: 'not_offered' }
    if ('failure' in answer) throw new NoTranscript(answer.failure)
    const given = readProviderAnswer(answer.value, startSeconds)
    segments.push(...given.segments)
    if (given.wordTimes !== 'aligned') wordTimes = given.wordTimes
    if (given.language) found = given.language
    model = given.model
    progress((index + 1) / pieces.length)
  }
  // Each answer counts its speakers anew, so over several of them the voices must tell.
  const isTold = segments.some(({ speaker }) => speaker !== null) && pieces.length === 1
  const named = speakers && !isTold ? await nameSpeakers(segments, readSound(), signal) : segments
  return {
    language: found === 'auto' ? 'und' : found,
    durationSeconds,
    segments: named.map((segment, index) => ({ id: index + 1, ...segment })),
    wordTimes,
    engine: { provider: engine.name, model },
  }
}
