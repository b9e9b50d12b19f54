import { basename, dirname } from 'node:path'
import { JobFailure } from '../core/errors.ts'
import type { Outside, Transcriber } from '../core/outside.ts'
import { hasModels } from '../engines/speech/models.ts'
import { runWhisperCpp, type WhisperCpp } from '../engines/whisper-cpp.ts'
import { createLanguageJudge, isGuesswork } from './built-in/judge-language.ts'
import { BUILT_IN, MEETING, modelsOf, sizeOf } from './built-in/modes.ts'
import { transcribeSpeech } from './built-in/transcribe.ts'
import { planPieces } from './cut-pieces.ts'
import type { Segment, Transcript, WordTimes } from './model.ts'
import { groupWords } from './providers/group-words.ts'
import type { ProviderAnswer } from './providers/provider.ts'
import { readProviderAnswer } from './providers/read-answer.ts'
import { nameSpeakers } from './speakers/name-speakers.ts'

/** A recording, and how to get at its sound. */
export type Recording = {
  durationSeconds: number
  /** From the start, 16-bit samples of one channel at 16 kHz. */
  readSound(): AsyncIterable<Buffer>
  /** A part of it as a file, in a place that is the caller's to give away: MP3 for providers, WAV for programs. */
  writePart(startSeconds: number, endSeconds: number, kind: 'mp3' | 'wav'): Promise<{ path: string; mediaType: string }>
  /** What an MP3 of a part will have a second. */
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

const ALONE: Transcriber = { name: BUILT_IN, maxBytes: 1e15, maxSeconds: 1e9, tellsSpeakers: true }

/** Writes down a recording by the first engine of its mode that can; fails where none can, or where nobody speaks. */
export const makeTranscript = async (recording: Recording, request: TranscriptRequest): Promise<Transcript> => {
  const engines = request.outside?.offer.transcribers[request.mode] ?? [ALONE]
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
  engine.name === BUILT_IN ? runBuiltIn(recording, request) : askProvider(engine, recording, request)

const runBuiltIn = async (
  { durationSeconds, readSound }: Recording,
  { mode, language, signal, progress, warn }: TranscriptRequest,
): Promise<Transcript> => {
  if (language !== 'auto' && !/^en\b/i.test(language)) throw new NoTranscript('language_not_covered')
  if (!hasModels(modelsOf(mode))) throw new NoTranscript('not_installed')
  const size = sizeOf(mode)
  const voices = mode === MEETING
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
  return {
    language: 'en',
    durationSeconds,
    segments,
    wordTimes: 'aligned',
    engine: { provider: BUILT_IN, model: `moonshine-${size}` },
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
    const part = await writePart(startSeconds, endSeconds, engine.local ? 'wav' : 'mp3')
    const piece = { ...part, durationSeconds: endSeconds - startSeconds, language: found }
    const value = engine.local
      ? await runLocal(engine.local, piece, signal)
      : await askOutside(engine.name, { ...piece, speakers }, outside)
    const given = readProviderAnswer(value, startSeconds)
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

type PieceFile = { path: string; mediaType: string; durationSeconds: number; language: string }

const askOutside = async (
  provider: string,
  { path, ...piece }: PieceFile & { speakers: boolean },
  outside: Outside | undefined,
): Promise<unknown> => {
  const answer = (await outside?.ask({ kind: 'transcribe', provider, ...piece }, path)) ?? { failure: 'not_offered' }
  if ('failure' in answer) throw new NoTranscript(answer.failure)
  return answer.value
}

/** A program in the sandbox answers as a provider would. */
const runLocal = async (whisper: WhisperCpp, piece: PieceFile, signal: AbortSignal): Promise<ProviderAnswer> => {
  try {
    const { language, words } = await runWhisperCpp(whisper, piece, { signal, cwd: dirname(piece.path) })
    const spoken = words.map((word) => ({ word: { ...word, confidence: null }, speaker: null }))
    return { language, model: basename(whisper.model), segments: groupWords(spoken), wordTimes: 'aligned' }
  } catch (error) {
    signal.throwIfAborted()
    console.error(error)
    throw new NoTranscript('failed')
  }
}
