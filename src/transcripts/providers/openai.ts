import { openAsBlob } from 'node:fs'
import { z } from 'zod'
import type { Segment, Word } from '../model.ts'
import { type CallSettings, callProvider } from './call-provider.ts'
import { createSpeakerNames, groupWords } from './group-words.ts'
import { toLanguageTag } from './language-tag.ts'
import { makeForm } from './multipart.ts'
import type { AudioFile, Provider, ProviderAnswer } from './provider.ts'

/** Where an OpenAI-compatible service is; `url` ends before `/audio/transcriptions`. */
export type OpenAiSettings = { url: string; key: string; model: string; call: Omit<CallSettings, 'provider'> }

const answerSchema = z.object({
  text: z.string(),
  language: z.string().nullish(),
  segments: z
    .array(
      z.object({
        start: z.number(),
        end: z.number(),
        text: z.string(),
        speaker: z.union([z.string(), z.number()]).nullish(),
      }),
    )
    .nullish(),
  words: z.array(z.object({ word: z.string(), start: z.number(), end: z.number() })).nullish(),
})
type Answer = z.infer<typeof answerSchema>

/** Any service with OpenAI's transcription endpoint. */
export const openAiProvider = ({ url, key, model, call }: OpenAiSettings): Provider => {
  const diarizes = /diarize/i.test(model)
  // Models that do not give times refuse to be asked for them.
  const givesTimes = !/^gpt-4o/i.test(model)
  return {
    name: 'openai',
    maxBytes: 24 * 1_048_576,
    maxSeconds: 1_400,
    tellsSpeakers: diarizes,
    async transcribe({ audio, language, signal }) {
      const fields: (readonly [string, string])[] = [
        ['model', model] as const,
        ...(language === 'auto' ? [] : [['language', baseOf(language)] as const]),
      ]
      if (diarizes) fields.push(['response_format', 'diarized_json'], ['chunking_strategy', 'auto'])
      else if (givesTimes)
        fields.push(
          ['response_format', 'verbose_json'],
          ['timestamp_granularities[]', 'word'],
          ['timestamp_granularities[]', 'segment'],
        )
      const body = async () => {
        const content = await openAsBlob(audio.path, { type: audio.mediaType })
        return makeForm(fields, { name: `audio.${extensionOf(audio)}`, content })
      }
      const headers: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` }
      const request = { url: `${url}/audio/transcriptions`, headers, body, schema: answerSchema, signal }
      return readAnswer(await callProvider({ ...call, provider: 'openai' }, request), model, audio)
    },
  }
}

const baseOf = (language: string): string => language.split('-')[0] ?? language

const extensionOf = ({ mediaType }: AudioFile): string => (mediaType === 'audio/mpeg' ? 'mp3' : 'wav')

const readAnswer = (answer: Answer, model: string, { durationSeconds }: AudioFile): ProviderAnswer => {
  const language = answer.language ? toLanguageTag(answer.language) : null
  const nameOf = createSpeakerNames()
  const given = (answer.segments ?? []).map(({ start, end, text, speaker }) => ({
    startSeconds: start,
    endSeconds: end,
    text: text.trim(),
    speaker: nameOf(speaker),
    words: [],
  }))
  if (answer.words?.length) {
    const words = punctuate(answer.words, answer.text)
    return {
      language,
      model,
      segments: groupWords(words.map((word) => ({ word, speaker: null }))),
      wordTimes: 'aligned',
    }
  }
  const whole: Omit<Segment, 'id'> = {
    startSeconds: 0,
    endSeconds: durationSeconds,
    text: answer.text.trim(),
    speaker: null,
    words: [],
  }
  const segments = (given.length > 0 ? given : [whole]).filter(({ text }) => text !== '')
  return { language, model, segments, wordTimes: 'none' }
}

/** Words with times come without punctuation, which is in the text: this walks through both and puts it back. */
const punctuate = (words: readonly { word: string; start: number; end: number }[], text: string): Word[] => {
  let position = 0
  return words.map(({ word, start, end }) => {
    const bare = word.trim()
    const found = text.indexOf(bare, position)
    let spelled = bare
    // Far away it is another place where the same word stands.
    if (bare !== '' && found >= 0 && found - position <= 12) {
      const before = /["'“‘([{¿¡]*$/u.exec(text.slice(position, found))?.[0] ?? ''
      const after = /^[^\s\p{L}\p{N}]*/u.exec(text.slice(found + bare.length))?.[0] ?? ''
      spelled = `${before}${bare}${after}`
      position = found + bare.length + after.length
    }
    return { text: spelled, startSeconds: start, endSeconds: end, confidence: null }
  })
}
