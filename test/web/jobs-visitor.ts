import { openSession } from '../../src/accounts/sessions.ts'
import type { Measured, Submitted } from '../../src/http/web/contract.ts'
import type { JobRecord } from '../../src/jobs/records.ts'
import type { TestService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'
import { createVisitor } from './visitor.ts'

/** Settings under which the service believes whom a request says to come from. */
export const BEHIND_PROXY = { QUARRY_TRUSTED_PROXIES: '127.0.0.1' }

export type FetchedFile = { status: number; headers: Headers; bytes: Buffer }

/** Sends files as the pages of the site do: from some address, signed in or not. */
const createJobVisitor = (base: string, fixed: Record<string, string>) => {
  const visitor = createVisitor(base, fixed)
  const { send, call } = visitor
  const form = (name: string, content: string | Uint8Array, options?: unknown): FormData => {
    const data = new FormData()
    data.set('file', new File([content as string], name))
    if (options !== undefined) data.set('options', JSON.stringify(options))
    return data
  }
  const submit = <T = Submitted>(name: string, content: string | Uint8Array, options?: unknown, query = '') =>
    call<T>('POST', `/web/jobs${query}`, { body: form(name, content, options) })
  const waitForEnd = (id: string, proof: string | null = null) =>
    waitFor(
      `the end of ${id}`,
      async () => {
        const { status, body } = await call<JobRecord>('GET', `/web/jobs/${id}${proofQuery(proof)}`)
        if (status !== 200) throw new Error(`no record of job ${id}: ${JSON.stringify(body)}`)
        return ['succeeded', 'failed', 'canceled'].includes(body.status) && body
      },
      60_000,
    )
  return {
    ...visitor,
    submit,
    measure: <T = Measured>(name: string, content: string | Uint8Array, options?: unknown, query = '') =>
      call<T>('POST', `/web/measure${query}`, { body: form(name, content, options) }),
    submitMeasured: <T = Submitted>(json: unknown) => call<T>('POST', '/web/jobs/measured', { json }),
    waitForEnd,
    /** Submits and waits for the end. */
    extract: async (name: string, content: string | Uint8Array, options?: unknown) => {
      const { status, body } = await submit(name, content, options)
      if (status !== 202) throw new Error(`not accepted: ${JSON.stringify(body)}`)
      return { ...body, record: await waitForEnd(body.job.id, body.proof) }
    },
    fetchBytes: async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<FetchedFile> => {
      const response = await send(method, path, { headers })
      const bytes = Buffer.from(await response.arrayBuffer())
      return { status: response.status, headers: response.headers, bytes }
    },
  }
}
export type JobVisitor = ReturnType<typeof createJobVisitor>

export const proofQuery = (proof: string | null): string =>
  proof === null ? '' : `?proof=${encodeURIComponent(proof)}`

/** Somebody who is not signed in, on the network of an address. */
export const createGuest = ({ base }: TestService, address: string): JobVisitor =>
  createJobVisitor(base, { 'x-forwarded-for': address })

/** The cookie of a new session of a user. */
export const openCookie = async ({ database }: TestService, userId: string): Promise<string> => {
  const { token } = await openSession(database, { userId, userAgent: 'test', address: '127.0.0.1' })
  return `quarry_session=${token}`
}

/** Somebody with a new account, signed in. */
export const createMember = async (
  service: TestService,
  plan: 'free' | 'pro' = 'free',
): Promise<JobVisitor & { accountId: string; cookie: string }> => {
  const account = await service.account({ plan, credits: plan === 'pro' ? 1000 : 0 })
  const cookie = await openCookie(service, account.userId)
  return { ...createJobVisitor(service.base, { cookie }), accountId: account.id, cookie }
}

/** The events of a job, until the stream ends. */
export const readEvents = async (visitor: JobVisitor, path: string): Promise<JobRecord[]> => {
  const response = await visitor.send('GET', path)
  if (response.status !== 200) throw new Error(`no events: ${await response.text()}`)
  const text = await response.text()
  return [...text.matchAll(/^event: job\ndata: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as JobRecord)
}
