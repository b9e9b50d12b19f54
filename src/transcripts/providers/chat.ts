import { z } from 'zod'
import { type CallSettings, callProvider } from './call-provider.ts'

/** An OpenAI-compatible chat endpoint; `url` ends before `/chat/completions`. */
export type ChatSettings = { url: string; key: string; model: string; call: Omit<CallSettings, 'provider'> }
export type ChatPrompt = {
  messages: readonly { role: 'system' | 'user'; content: string }[]
  /** JSON schema that the answer is to follow. */
  schema: Readonly<Record<string, unknown>>
}

const answerSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
})

/** Asks a language model for an answer in JSON and returns it as it came. */
export const completeChat = async (
  { url, key, model, call }: ChatSettings,
  { messages, schema }: ChatPrompt,
  signal: AbortSignal,
): Promise<string> => {
  const format = { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } }
  const answer = await callProvider(
    { ...call, provider: 'chat' },
    {
      url: `${url}/chat/completions`,
      headers: { 'content-type': 'application/json', ...(key !== '' && { authorization: `Bearer ${key}` }) },
      body: () => JSON.stringify({ model, messages, temperature: 0, response_format: format }),
      schema: answerSchema,
      signal,
    },
  )
  return answer.choices[0]?.message.content ?? ''
}
