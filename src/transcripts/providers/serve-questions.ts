import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { NOTHING_OUTSIDE, type OutsideAnswer, type OutsideOffer, type OutsideQuestion } from '../../core/outside.ts'
import { BUILT_IN } from '../built-in/modes.ts'
import { type ChatSettings, completeChat } from './chat.ts'
import { type Provider, ProviderFailure } from './provider.ts'

/** What the service does for jobs that need a network. */
export type OutsideService = {
  offer: OutsideOffer
  answer(question: OutsideQuestion, file: { path: string; bytes: number }, signal: AbortSignal): Promise<OutsideAnswer>
}

export type OutsideServiceSettings = {
  /** Names of the engines of each mode, the first choice first; `built-in` among them. */
  modes: Readonly<Record<string, readonly string[]>>
  /** Those that are configured. */
  providers: readonly Provider[]
  whisperCpp: { program: string; model: string } | null
  chat: ChatSettings | null
  warn: (message: string, cause: unknown) => void
}

/** Many times what one stretch of a meeting takes. */
const MAX_PROMPT_BYTES = 2 * 1_048_576

const promptSchema = z.object({
  messages: z.array(z.object({ role: z.enum(['system', 'user']), content: z.string() })).min(1),
  schema: z.record(z.string(), z.unknown()),
})

/** Serves the questions of jobs by the providers that are configured; a failure is told by its reason and nothing more. */
export const createOutsideService = ({
  modes,
  providers,
  whisperCpp,
  chat,
  warn,
}: OutsideServiceSettings): OutsideService => {
  const byName = new Map(providers.map((provider) => [provider.name, provider]))
  const describe = (name: string) => {
    if (name === BUILT_IN) return [{ ...UNBOUNDED, name, tellsSpeakers: true }]
    if (name === WHISPER_CPP && whisperCpp)
      return [{ ...UNBOUNDED, name, maxSeconds: WHISPER_SECONDS, tellsSpeakers: false, local: whisperCpp }]
    const provider = byName.get(name)
    if (!provider) return []
    const { maxBytes, maxSeconds, tellsSpeakers } = provider
    // JSON has no infinity.
    return [{ name, maxBytes, maxSeconds: Math.min(maxSeconds, UNBOUNDED.maxSeconds), tellsSpeakers }]
  }
  const transcribers = Object.fromEntries(Object.entries(modes).map(([mode, names]) => [mode, names.flatMap(describe)]))
  return {
    offer: { ...NOTHING_OUTSIDE, transcribers, completes: chat !== null },
    async answer(question, { path, bytes }, signal) {
      try {
        if (question.kind === 'complete') {
          if (!chat || bytes > MAX_PROMPT_BYTES) return { failure: 'not_offered' }
          const prompt = promptSchema.parse(JSON.parse(await readFile(path, 'utf8')))
          return { value: await completeChat(chat, prompt, signal) }
        }
        const { provider: name, mediaType, durationSeconds, language, speakers } = question
        const provider = byName.get(name)
        if (!provider) return { failure: 'not_offered' }
        const audio = { path, bytes, mediaType, durationSeconds }
        return { value: await provider.transcribe({ audio, language, speakers, signal }) }
      } catch (error) {
        signal.throwIfAborted()
        warn('a provider failed', error)
        return { failure: error instanceof ProviderFailure ? error.reason : 'failed' }
      }
    },
  }
}

/** The name of the program that may be beside it. */
export const WHISPER_CPP = 'whisper.cpp'
/** It reads a file whole. */
const WHISPER_SECONDS = 1_800
const UNBOUNDED = { maxBytes: Number.MAX_SAFE_INTEGER, maxSeconds: 1e9 }
