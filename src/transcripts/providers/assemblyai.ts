import { openAsBlob } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { type CallSettings, callProvider } from './call-provider.ts'
import { createSpeakerNames, groupWords } from './group-words.ts'
import { toLanguageTag } from './language-tag.ts'
import { type Provider, ProviderFailure } from './provider.ts'

export type AssemblyAiSettings = {
  url: string
  key: string
  model: string
  call: Omit<CallSettings, 'provider'>
  /** Time between looks at whether it is done. */
  pollMs: number
}

const uploadSchema = z.object({ upload_url: z.string() })
const jobSchema = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  status: z.enum(['queued', 'processing', 'completed', 'error']),
  error: z.string().nullish(),
  language_code: z.string().nullish(),
  words: z
    .array(
      z.object({
        text: z.string(),
        start: z.number(),
        end: z.number(),
        confidence: z.number().nullish(),
        speaker: z.string().nullish(),
      }),
    )
    .nullish(),
})

/** AssemblyAI: the recording is uploaded, then asked for until it is done. */
export const assemblyAiProvider = ({ url, key, model, call, pollMs }: AssemblyAiSettings): Provider => ({
  name: 'assemblyai',
  maxBytes: 2_000_000_000,
  maxSeconds: 10 * 3_600,
  tellsSpeakers: true,
  async transcribe({ audio, language, speakers, signal }) {
    const settings = { ...call, provider: 'assemblyai' }
    const headers = { authorization: key }
    const jsonHeaders = { ...headers, 'content-type': 'application/json' }
    const { upload_url: audioUrl } = await callProvider(settings, {
      url: `${url}/v2/upload`,
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: () => openAsBlob(audio.path),
      schema: uploadSchema,
      signal,
    })
    const asked = {
      audio_url: audioUrl,
      speech_models: [model],
      speaker_labels: speakers,
      ...(language === 'auto'
        ? { language_detection: true }
        : { language_code: language.replaceAll('-', '_').toLowerCase() }),
    }
    const body = () => JSON.stringify(asked)
    let job = await callProvider(settings, {
      url: `${url}/v2/transcript`,
      headers: jsonHeaders,
      body,
      schema: jobSchema,
      signal,
    })
    const deadline = performance.now() + call.timeoutMs
    while (job.status !== 'completed') {
      if (job.status === 'error') throw new ProviderFailure('assemblyai', 'failed', { detail: job.error ?? '' })
      if (performance.now() > deadline) throw new ProviderFailure('assemblyai', 'timed_out')
      await delay(pollMs, undefined, { signal })
      const look = { url: `${url}/v2/transcript/${job.id}`, method: 'GET', headers, schema: jobSchema, signal } as const
      job = await callProvider(settings, look)
    }
    const nameOf = createSpeakerNames()
    const words = (job.words ?? []).map((word) => ({
      speaker: speakers ? nameOf(word.speaker) : null,
      word: {
        text: word.text,
        startSeconds: word.start / 1000,
        endSeconds: word.end / 1000,
        confidence: word.confidence ?? null,
      },
    }))
    const tag = job.language_code ? toLanguageTag(job.language_code) : null
    return { language: tag, model, segments: groupWords(words), wordTimes: 'aligned' }
  },
})
