import { randomBytes } from 'node:crypto'
import type { Me } from '../../src/http/web/contract.ts'
import type { Answer, ErrorBody } from '../support/client.ts'

export const PASSWORD = 'a long enough password'
export const newEmail = (): string => `${randomBytes(6).toString('hex')}@example.com`

type Init = { json?: unknown; body?: RequestInit['body']; headers?: Record<string, string> }

/** Asks as a browser on the pages of the site would: its Origin on changes, its cookies on everything. */
export const createVisitor = (base: string, fixed: Record<string, string> = {}) => {
  const cookies = new Map<string, string>()
  const send = async (method: string, path: string, { json, body, headers }: Init = {}): Promise<Response> => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...(['GET', 'HEAD'].includes(method) ? {} : { origin: base }),
        ...(cookies.size > 0 ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...fixed,
        ...headers,
      },
      ...(json === undefined ? (body === undefined ? {} : { body }) : { body: JSON.stringify(json) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  const call = async <T = ErrorBody>(method: string, path: string, init?: Init): Promise<Answer<T>> => {
    const response = await send(method, path, init)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as T }
  }
  return {
    cookies,
    send,
    call,
    get: <T = ErrorBody>(path: string) => call<T>('GET', path),
    post: <T = ErrorBody>(path: string, json: unknown = {}, headers: Record<string, string> = {}) =>
      call<T>('POST', path, { json, headers }),
    delete: <T = ErrorBody>(path: string) => call<T>('DELETE', path),
    signUp: (email: string, password = PASSWORD) => call('POST', '/web/sign-up', { json: { email, password } }),
    signIn: <T = Me>(email: string, password = PASSWORD) =>
      call<T>('POST', '/web/sign-in', { json: { email, password } }),
  }
}
export type TestVisitor = ReturnType<typeof createVisitor>

/** A visitor with a new account, signed in. */
export const createMember = async (
  base: string,
  fixed: Record<string, string> = {},
): Promise<TestVisitor & { email: string; me: Me }> => {
  const [visitor, email] = [createVisitor(base, fixed), newEmail()]
  await visitor.signUp(email)
  const { status, body } = await visitor.signIn(email)
  if (status !== 200) throw new Error(`not signed in: ${JSON.stringify(body)}`)
  return { ...visitor, email, me: body }
}
