import { openAsBlob } from 'node:fs'
import { z } from 'zod'
import { type CallSettings, callProvider } from './call-provider.ts'
import { createSpeakerNames, groupWords } from './group-words.ts'
import { toLanguageTag } from './language-tag.ts'
import type { Provider } from './provider.ts'

export type DeepgramSettings = { url: string; key: string; model: string; call: Omit<CallSettings, 'provider'> }

const answerSchema = z.object({
  results: z.object({
    channels: z
      .array(
        z.object({
          detected_language: z.string().nullish(),
          alternatives: z.array(
            z.object({
              words: z.array(
                z.object({
                  word: z.string(),
                  punctuated_word: z.string().nullish(),
                  start: z.number(),
                  end: z.number(),
                  confidence: z.number().nullish(),
                  speaker: z.number().nullish(),
                }),
              ),
            }),
          ),
        }),
      )
      .min(1),
  }),
})

/** Deepgram, which takes whole recordings and tells speakers apart. */
export const deepgramProvider = ({ url, key, model, call }: DeepgramSettings): Provider => ({
  name: 'deepgram',
  maxBytes: 2_000_000_000,
  maxSeconds: Number.POSITIVE_INFINITY,
  tellsSpeakers: true,
  async transcribe({ audio, language, speakers, signal }) {
    const query = new URLSearchParams({ model, punctuate: 'true', smart_format: 'true' })
    if (speakers) query.set('diarize', 'true')
    if (language === 'auto') query.set('detect_language', 'true')
    else query.set('language', language)
    const answer = await callProvider(
      { ...call, provider: 'deepgram' },
      {
        url: `${url}/v1/listen?${query}`,
        headers: { authorization: `Token ${key}`, 'content-type': audio.mediaType },
        body: () => openAsBlob(audio.path, { type: audio.mediaType }),
        schema: answerSchema,
        signal,
      },
    )
    const [channel] = answer.results.channels
    const nameOf = createSpeakerNames()
    const words = (channel?.alternatives[0]?.words ?? []).map((word) => ({
      speaker: speakers ? nameOf(word.speaker) : null,
      word: {
        text: word.punctuated_word ?? word.word,
        startSeconds: word.start,
        endSeconds: word.end,
        confidence: word.confidence ?? null,
      },
    }))
    const tag = channel?.detected_language ? toLanguageTag(channel.detected_language) : null
    return { language: tag, model, segments: groupWords(words), wordTimes: 'aligned' }
  },
})
