import { setTimeout as delay } from 'node:timers/promises'
import type { z } from 'zod'
import { ProviderFailure, type ProviderReason } from './provider.ts'

/** How a provider is reached. */
export type CallSettings = {
  provider: string
  /** Longest time for one try. */
  timeoutMs: number
  /** Tries after the first. */
  retries: number
  /** Wait before the first of them; each next one waits twice as long. */
  backOffMs: number
}

export type Call<T> = {
  url: string
  method?: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  /** Made anew for each try. */
  body?: () => Promise<Blob> | string
  schema: z.ZodType<T>
  signal: AbortSignal
}

const MAX_ANSWER_BYTES = 256 * 1_048_576
const MAX_WAIT_MS = 60_000
const DETAIL_CHARACTERS = 300

/**
 * Asks a provider and reads its answer as JSON of the given shape. What may pass by itself (no connection, 408, 429,
 * 5xx, half an answer) is tried again; what will not (another 4xx, an answer of another shape) fails at once.
 */
export const callProvider = async <T>(settings: CallSettings, call: Call<T>): Promise<T> => {
  for (let attempt = 0; ; attempt += 1) {
    const failure = await attemptCall(settings, call)
    if (!(failure instanceof Trouble)) return failure.value
    const waitMs = Math.min(MAX_WAIT_MS, failure.retryAfterMs ?? settings.backOffMs * 2 ** attempt)
    if (!failure.mayPass || attempt >= settings.retries) throw failure.toFailure(settings.provider)
    await delay(waitMs, undefined, { signal: call.signal })
  }
}

class Trouble {
  readonly reason: ProviderReason
  readonly mayPass: boolean
  readonly retryAfterMs: number | undefined
  readonly more: { status?: number; detail?: string; cause?: unknown }
  constructor(reason: ProviderReason, mayPass: boolean, more: Trouble['more'] = {}, retryAfterMs?: number) {
    this.reason = reason
    this.mayPass = mayPass
    this.more = more
    this.retryAfterMs = retryAfterMs
  }
  toFailure(provider: string): ProviderFailure {
    return new ProviderFailure(provider, this.reason, this.more)
  }
}

const attemptCall = async <T>(
  { timeoutMs }: CallSettings,
  { url, method = 'POST', headers, body, schema, signal }: Call<T>,
): Promise<{ value: T } | Trouble> => {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const init = { method, headers, redirect: 'error', signal: AbortSignal.any([signal, timeout]) } as const
    const response = await fetch(url, body ? { ...init, body: await body() } : init)
    const answer = await readBounded(response)
    if (!response.ok) return judgeStatus(response, answer)
    const json = parseJson(answer)
    // Half an answer comes from a connection that broke; a whole one of another shape will not change.
    if (json === undefined) return new Trouble('bad_answer', true, { status: response.status, detail: 'not JSON' })
    const parsed = schema.safeParse(json)
    if (parsed.success) return { value: parsed.data }
    const [issue] = parsed.error.issues
    return new Trouble('bad_answer', false, { detail: `${issue?.path.join('.')}: ${issue?.message}` })
  } catch (cause) {
    signal.throwIfAborted()
    if (timeout.aborted) return new Trouble('timed_out', true, { cause })
    return new Trouble('unreachable', true, { cause })
  }
}

const judgeStatus = ({ status, headers }: Response, answer: string): Trouble => {
  const more = { status, detail: answer.replace(/\s+/g, ' ').slice(0, DETAIL_CHARACTERS) }
  const retryAfterSeconds = Number(headers.get('retry-after') ?? Number.NaN)
  const retryAfterMs = retryAfterSeconds >= 0 ? retryAfterSeconds * 1000 : undefined
  if (status === 429) return new Trouble('rate_limited', true, more, retryAfterMs)
  if (status === 408 || status >= 500) return new Trouble('failed', true, more, retryAfterMs)
  return new Trouble('refused', false, more)
}

const readBounded = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
