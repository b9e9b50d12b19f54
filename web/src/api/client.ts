/** An answer that is an error: the envelope that every route of the service gives. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly params: Readonly<Record<string, unknown>>
  readonly requestId: string
  constructor(status: number, body: Partial<Record<'code' | 'detail' | 'requestId', string>> & { params?: object }) {
    super(body.detail ?? `The service answered ${status}.`)
    this.status = status
    this.code = body.code ?? 'unknown'
    this.detail = this.message
    this.params = (body.params ?? {}) as Record<string, unknown>
    this.requestId = body.requestId ?? ''
  }
}

type Init = { json?: unknown; body?: FormData; signal?: AbortSignal }

/** Asks the service; the answer's JSON, or an `ApiError`. */
export const request = async <T>(method: string, path: string, { json, body, signal }: Init = {}): Promise<T> => {
  const response = await fetch(path, {
    method,
    ...(signal ? { signal } : {}),
    ...(json === undefined ? {} : { headers: { 'content-type': 'application/json' } }),
    ...(json === undefined ? (body ? { body } : {}) : { body: JSON.stringify(json) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : undefined
  if (!response.ok) throw new ApiError(response.status, (parsed ?? {}) as object)
  return parsed as T
}

export const get = <T>(path: string, signal?: AbortSignal): Promise<T> => request('GET', path, signal ? { signal } : {})
export const post = <T>(path: string, json: unknown = {}): Promise<T> => request('POST', path, { json })
export const remove = (path: string): Promise<void> => request('DELETE', path)

/** A query string of what is set, with its question mark; empty when nothing is. */
export const query = (values: Readonly<Record<string, string | number | null | undefined>>): string => {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '')
  return set.length === 0 ? '' : `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}`
}
