import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from './config.ts'
import type { Format } from './core/catalog.ts'
import { hasModels } from './engines/speech/models.ts'
import { BUILT_IN, MEETING, modelsOf } from './transcripts/built-in/modes.ts'
import { assemblyAiProvider } from './transcripts/providers/assemblyai.ts'
import { deepgramProvider } from './transcripts/providers/deepgram.ts'
import { openAiProvider } from './transcripts/providers/openai.ts'
import type { Provider } from './transcripts/providers/provider.ts'
import { createOutsideService, type OutsideService, WHISPER_CPP } from './transcripts/providers/serve-questions.ts'

const BACK_OFF_MS = 1_000
const POLL_MS = 3_000

const callSettings = ({ providerSeconds, providerRetries }: Config) => ({
  timeoutMs: providerSeconds * 1000,
  retries: providerRetries,
  backOffMs: BACK_OFF_MS,
})

const enginesByMode = (config: Config): Readonly<Record<string, readonly string[]>> => ({
  fast: config.transcribeFast,
  quality: config.transcribeQuality,
  [MEETING]: config.transcribeMeeting,
})

/** The providers that have what they need. */
const openProviders = (config: Config): Provider[] => {
  const call = callSettings(config)
  const isOwnServer = !config.openaiUrl.startsWith('https://api.openai.com')
  return [
    ...(config.openaiKey || isOwnServer
      ? [openAiProvider({ url: config.openaiUrl, key: config.openaiKey, model: config.openaiModel, call })]
      : []),
    ...(config.deepgramKey
      ? [deepgramProvider({ url: config.deepgramUrl, key: config.deepgramKey, model: config.deepgramModel, call })]
      : []),
    ...(config.assemblyaiKey
      ? [
          assemblyAiProvider({
            ...{ url: config.assemblyaiUrl, key: config.assemblyaiKey, model: config.assemblyaiModel, call },
            pollMs: POLL_MS,
          }),
        ]
      : []),
  ]
}

/** whisper.cpp where both its parts are. */
const findWhisperCpp = ({ whisperProgram: program, whisperModel: model }: Config) =>
  program !== '' && existsSync(program) && existsSync(model) ? { program, model } : null

/** What of the operator's the sandbox must show its children for transcription. */
export const readableForTranscription = (config: Config): string[] => {
  const found = findWhisperCpp(config)
  return found ? [dirname(found.program), found.model] : []
}

/** What jobs may ask for from outside, as the configuration has it. */
export const openOutside = (config: Config, warn: (message: string, cause: unknown) => void): OutsideService => {
  const { analysisUrl: url, analysisKey: key, analysisModel: model } = config
  const chat = url === '' ? null : { url, key, model, call: callSettings(config) }
  return createOutsideService({
    ...{ modes: enginesByMode(config), providers: openProviders(config), whisperCpp: findWhisperCpp(config) },
    ...{ chat, warn },
  })
}

/** Says of each transcription mode whether an engine can serve it here, and in which languages. */
export const applyTranscribers = (formats: readonly Format[], config: Config): Format[] => {
  const configured = new Set(openProviders(config).map(({ name }) => name))
  if (findWhisperCpp(config)) configured.add(WHISPER_CPP)
  const byMode = enginesByMode(config)
  const serving = (mode: string) =>
    (byMode[mode] ?? []).filter((name) => (name === BUILT_IN ? hasModels(modelsOf(mode)) : configured.has(name)))
  return formats.map((format) => {
    // A family of someone else's making says itself what it can do.
    if (!format.transcription || format.transcription.languages.length > 1) return format
    const modes = format.transcription.modes.map((mode) => ({ ...mode, available: serving(mode.id).length > 0 }))
    const isEnglishOnly = modes.every(({ id }) => serving(id).every((name) => name === BUILT_IN))
    return { ...format, transcription: { modes, languages: isEnglishOnly ? ['auto', 'en'] : ['auto', ...LANGUAGES] } }
  })
}

/** The languages that every configured provider knows; others may be asked for too. */
const LANGUAGES =
  'ar bg ca cs da de el en es et fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sv ta th tr uk vi zh'.split(
    ' ',
  )
