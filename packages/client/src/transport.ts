import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, CLIENT_ERRORS, ConnectionError, QuarryError } from './errors.ts'
import type { Form } from './multipart.ts'
import { toApiError } from './read-error.ts'

/** How to reach a service. */
export type ClientSettings = {
  /** Where the service is, up to and with `/extract`: `https://files.example.com/extract`. */
  baseUrl: string
  /** A key of a Pro account. Keep it on the server side. */
  apiKey: string
  /** Another `fetch` than the global one. */
  fetch?: typeof globalThis.fetch
  /** How often a request that is safe to repeat is tried again; 2 unless told. */
  maxRetries?: number
  /** Longest time in which nothing may move, in milliseconds; 120,000 unless told. A long upload that moves is fine. */
  timeoutMs?: number
}

/** One request. */
export type Call = {
  method?: 'GET' | 'POST' | 'DELETE'
  path: string
  headers?: Readonly<Record<string, string>>
  json?: unknown
  form?: Form
  /** Told of each piece of the form as it is sent. */
  onSent?: (bytes: number) => void
  /** Whether it may be sent again though the first may have arrived; GETs may unless told. */
  isRepeatable?: boolean
  /** Whether it may be sent again after a refusal (429, 503); all may unless told. */
  canResend?: boolean
  maxRetries?: number
  /** Longest silence before the answer; that of the settings unless told. */
  timeoutMs?: number
  signal?: AbortSignal | undefined
}

/** An answer whose body is read piece by piece. */
export type OpenAnswer = {
  status: number
  headers: Headers
  /** The body; fails when the connection does, or is silent for too long while somebody waits for it. */
  chunks(silenceMs?: number): AsyncGenerator<Uint8Array>
}

/** Sends requests of one client. */
export type Transport = {
  readonly maxRetries: number
  /** The JSON of the answer; undefined where it has none. */
  ask<T>(call: Call): Promise<T>
  /** The answer with its body unread. */
  open(call: Call): Promise<OpenAnswer>
}

const DEFAULT_RETRIES = 2
const DEFAULT_TIMEOUT_MS = 120_000
const MAX_WAIT_SECONDS = 60
const VERSION = '0.1.0'
// Only with these two does the fetch of Node not keep a copy of the whole body, for a redirect that might come.
const STREAMED = { duplex: 'half', redirect: 'error', window: null } as const

/** Sends requests with the key of the settings; what is wrong with those is said at once, and never shows the key. */
export const createTransport = (settings: ClientSettings): Transport => {
  const base = readBaseUrl(settings.baseUrl)
  const { apiKey } = settings
  // A key with other characters would be repeated in the complaint of fetch.
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError('apiKey is not an API key.')
  const maxRetries = readCount('maxRetries', settings.maxRetries ?? DEFAULT_RETRIES)
  const timeoutMs = readCount('timeoutMs', settings.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  const send = settings.fetch ?? globalThis.fetch

  const attempt = async <T>(call: Call, read: (answer: OpenAnswer) => Promise<T>): Promise<T> => {
    const watch = startWatch(call.signal)
    let sourceFailure: unknown
    let isSending = true
    const onSent = (bytes: number) => {
      // A service that refuses early may still take a piece or two.
      if (isSending) watch.expect(call.timeoutMs ?? timeoutMs)
      call.onSent?.(bytes)
    }
    const onFailure = (failure: unknown) => {
      sourceFailure = failure
    }
    const json = call.json === undefined ? null : JSON.stringify(call.json)
    const body = call.form ? ReadableStream.from(tellProgress(call.form, onSent, onFailure)) : json
    try {
      watch.expect(call.timeoutMs ?? timeoutMs)
      const response = await send(`${base}${call.path}`, {
        method: call.method ?? 'GET',
        headers: {
          'x-fast-api-key': apiKey,
          'user-agent': `quarry-client/${VERSION}`,
          ...describeBody(call),
          ...call.headers,
        },
        body: body as NonNullable<RequestInit['body']> | null,
        signal: watch.signal,
        // A redirect would take the key along to wherever it points.
        redirect: 'manual',
        ...(call.form ? STREAMED : {}),
      })
      isSending = false
      if (!response.ok) throw toApiError(response.status, response.headers, await response.text())
      watch.rest()
      const chunks = (silenceMs = timeoutMs) => readChunks(response, watch, silenceMs, call.signal)
      return await read({ status: response.status, headers: response.headers, chunks })
    } catch (error) {
      isSending = false
      watch.rest()
      if (sourceFailure !== undefined) throw sourceFailure
      throw explain(error, watch, call.signal)
    }
  }

  const tryAgain = async <T>(call: Call, work: () => Promise<T>): Promise<T> => {
    for (let failures = 0; ; failures++) {
      try {
        return await work()
      } catch (error) {
        const waitSeconds = failures < (call.maxRetries ?? maxRetries) ? retryWait(error, call, failures) : null
        if (waitSeconds === null) throw error
        await pause(waitSeconds * 1000, call.signal)
      }
    }
  }

  return {
    maxRetries,
    open: (call) => tryAgain(call, () => attempt(call, async (answer) => answer)),
    ask: <T>(call: Call) => tryAgain(call, () => attempt(call, (answer) => readJson<T>(answer))),
  }
}

const readBaseUrl = (text: string): string => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new TypeError('baseUrl must be an http or https URL.')
  }
  const { origin, pathname } = new URL(text)
  const path = pathname.replace(/\/+$/, '')
  return `${origin}${path}${path.endsWith('/extract') ? '' : '/extract'}`
}

const readCount = (name: string, value: number): number => {
  if (!Number.isFinite(value) || value < 0) throw new TypeError(`${name} must be a number that is not negative.`)
  return value
}

const describeBody = ({ form, json }: Call): Record<string, string> => {
  if (form) return { 'content-type': form.contentType, 'content-length': String(form.contentLength) }
  return json === undefined ? {} : { 'content-type': 'application/json' }
}

async function* tellProgress(form: Form, onSent: (bytes: number) => void, onFailure: (failure: unknown) => void) {
  try {
    for await (const chunk of form.write()) {
      yield chunk
      onSent(chunk.length)
    }
  } catch (failure) {
    onFailure(failure)
    throw failure
  }
}

type Watch = {
  signal: AbortSignal
  hasExpired(): boolean
  /** Something must move within this time, from now on. */
  expect(ms: number): void
  /** Nothing is waited for. */
  rest(): void
}

/** Aborts when nothing moves, or when the caller wants no more. */
const startWatch = (callers: AbortSignal | undefined): Watch => {
  const silence = new AbortController()
  let timer: NodeJS.Timeout | undefined
  return {
    signal: callers ? AbortSignal.any([callers, silence.signal]) : silence.signal,
    hasExpired: () => silence.signal.aborted,
    expect: (ms) => {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), ms)
    },
    rest: () => clearTimeout(timer),
  }
}

const explain = (error: unknown, watch: Watch, callers: AbortSignal | undefined): unknown => {
  if (callers?.aborted) return callers.reason
  if (error instanceof QuarryError) return error
  const code = watch.hasExpired() ? 'client.timed_out' : 'client.connection_failed'
  return new ConnectionError(code, { cause: error })
}

async function* readChunks(
  response: Response,
  watch: Watch,
  silenceMs: number,
  callers: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      // Watched only while somebody waits: a slow reader is no silence of the service.
      watch.expect(silenceMs)
      const { done, value } = await reader.read()
      watch.rest()
      if (done) return
      yield value as Uint8Array
    }
  } catch (error) {
    throw explain(error, watch, callers)
  } finally {
    watch.rest()
    // Whoever stops early lets go of the connection too.
    await reader.cancel().catch(() => undefined)
  }
}

const readJson = async <T>(answer: OpenAnswer): Promise<T> => {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of answer.chunks()) text += decoder.decode(chunk, { stream: true })
  text += decoder.decode()
  if (text === '') return undefined as T
  try {
    return JSON.parse(text) as T
  } catch (cause) {
    throw new ApiError('client.unexpected_answer', {
      detail: CLIENT_ERRORS['client.unexpected_answer'],
      status: answer.status,
      requestId: answer.headers.get('x-request-id'),
      cause,
    })
  }
}

/** Seconds to wait before the next try; null where there must be none. */
const retryWait = (error: unknown, call: Call, failures: number): number | null => {
  const isRepeatable = call.isRepeatable ?? (call.method ?? 'GET') === 'GET'
  if (call.canResend === false) return null
  if (error instanceof ConnectionError) return isRepeatable ? backOff(failures) : null
  if (!(error instanceof ApiError)) return null
  const isRefusal = error.status === 429 || error.status === 503
  // A gateway cannot tell whether the service got the request.
  const isLost = isRepeatable && (error.status === 502 || error.status === 504)
  if (!isRefusal && !isLost) return null
  const waitSeconds = error.retryAfterSeconds ?? backOff(failures)
  return waitSeconds <= MAX_WAIT_SECONDS ? waitSeconds : null
}

/** Half a second, one, two, … and up to as much again, so that clients do not come back all at once. */
export const backOff = (failures: number): number => Math.min(8, 0.5 * 2 ** failures) * (1 + Math.random())

/** Waits; an aborted signal ends it with its reason. */
export const pause = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  try {
    await sleep(ms, undefined, signal ? { signal } : {})
  } catch (error) {
    throw signal?.aborted ? signal.reason : error
  }
}
