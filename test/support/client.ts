import type { JobRecord } from '../../src/jobs/records.ts'
import type { SubmissionRecord } from '../../src/jobs/submit.ts'

export type Answer<T = Record<string, unknown>> = { status: number; headers: Headers; body: T }
export type ErrorBody = {
  error: string
  code: string
  detail: string | null
  params: Record<string, unknown>
  requestId: string
}

/** Asks the service as a client would, over real HTTP. */
export const createClient = (base: string, key: string | null) => {
  const headers = (more: Record<string, string> = {}): Record<string, string> => ({
    ...(key === null ? {} : { 'X-Fast-Api-Key': key }),
    ...more,
  })
  const call = async <T = ErrorBody>(
    method: string,
    path: string,
    init: { json?: unknown; body?: RequestInit['body']; headers?: Record<string, string> } = {},
  ): Promise<Answer<T>> => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: headers({ ...(init.json === undefined ? {} : { 'content-type': 'application/json' }), ...init.headers }),
      ...(init.json === undefined
        ? init.body === undefined
          ? {}
          : { body: init.body }
        : { body: JSON.stringify(init.json) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as T }
  }
  const form = (name: string, content: string | Uint8Array, options?: unknown): FormData => {
    const data = new FormData()
    data.set('file', new File([content as string], name))
    if (options !== undefined) data.set('options', typeof options === 'string' ? options : JSON.stringify(options))
    return data
  }
  const get = <T = ErrorBody>(path: string, more?: Record<string, string>) =>
    call<T>('GET', path, more ? { headers: more } : {})
  const waitForEnd = async (id: string, timeoutMs = 30_000): Promise<JobRecord> => {
    const until = Date.now() + timeoutMs
    for (;;) {
      const { status, body } = await get<JobRecord>(`/extract/job/${id}`)
      if (status !== 200) throw new Error(`no record of job ${id}: ${JSON.stringify(body)}`)
      if (['succeeded', 'failed', 'canceled'].includes(body.status)) return body
      if (Date.now() > until) throw new Error(`job ${id} is still ${body.status}`)
      await new Promise((resolve) => setTimeout(resolve, 15))
    }
  }
  return {
    call,
    get,
    form,
    waitForEnd,
    submit: <T = SubmissionRecord>(
      name: string,
      content: string | Uint8Array,
      options?: unknown,
      more: { path?: string; headers?: Record<string, string> } = {},
    ) =>
      call<T>('POST', more.path ?? '/extract', {
        body: form(name, content, options),
        ...(more.headers ? { headers: more.headers } : {}),
      }),
    /** Submits and waits for the end. */
    extract: async (name: string, content: string | Uint8Array, options?: unknown): Promise<JobRecord> => {
      const answer = await call<SubmissionRecord>('POST', '/extract', { body: form(name, content, options) })
      if (answer.status !== 202) throw new Error(`not accepted: ${JSON.stringify(answer.body)}`)
      return waitForEnd(answer.body.id)
    },
    download: async (id: string, more: Record<string, string> = {}) => {
      const response = await fetch(`${base}/extract/job/${id}/download`, { headers: headers(more) })
      return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
    },
  }
}
export type TestClient = ReturnType<typeof createClient>
