import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readServiceSecret } from '../../src/accounts/secrets.ts'
import { type Measured, measuredSchema, type Submitted, submittedSchema } from '../../src/http/web/contract.ts'
import { makeTicket, type Ticket } from '../../src/http/web/tickets.ts'
import { uploadKey } from '../../src/jobs/files.ts'
import { sweepOrphans } from '../../src/jobs/retention.ts'
import { expectError } from '../api/expect-error.ts'
import { blobsOf, listKeys, listScratch } from '../jobs/store.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { BEHIND_PROXY, createGuest, createMember, type JobVisitor, proofQuery } from './jobs-visitor.ts'

let service: TestService
let guest: JobVisitor
let signingKey: Buffer
let addresses = 0
/** A guest of a network of their own, with a whole day's credits. */
const newGuest = () => createGuest(service, `198.51.100.${++addresses}`)
beforeAll(async () => {
  service = await startTestService(BEHIND_PROXY)
  guest = newGuest()
  signingKey = await readServiceSecret(service.database, 'website')
})
afterAll(() => service.stop())

const deck = (slides: number): string => Array.from({ length: slides }, (_, i) => `slide ${i}`).join('\n')
const UNMEASURED = { durationSeconds: null, pageCount: null, slideCount: null, sheetCount: null, frameCount: null }
const parse = (ticket: string): Ticket =>
  JSON.parse(Buffer.from(ticket.split('.')[0] as string, 'base64url').toString())
const ticketOf = (measured: { body: Measured }): string => measured.body.ticket as string
const countHolds = async (jobId: string) =>
  (
    await service.database.query<{ credits: number }>(
      `select credits from ledger_entries where job_id = $1 and kind = 'hold'`,
      [jobId],
    )
  ).map(({ credits }) => credits)
const countJobs = async (jobId: string): Promise<number> =>
  (await service.database.query('select 1 from jobs where id = $1', [jobId])).length

describe('a measured file', () => {
  test('is told of, priced and kept', async () => {
    const { status, body } = await guest.measure('Talk 1.deck', deck(12))
    expect(status).toBe(200)
    expect(measuredSchema.parse(body)).toEqual(body)
    expect(body).toMatchObject({
      ...{ name: 'Talk 1.deck', extension: 'deck', category: 'presentation', bytes: deck(12).length, failure: null },
      metrics: { ...UNMEASURED, slideCount: 12 },
      quote: { job: 'extract.deck', quotedCredits: 3 },
    })
    const left = new Date(body.expiresAt as string).getTime() - Date.now()
    expect(left).toBeGreaterThan(8 * 60_000)
    expect(left).toBeLessThanOrEqual(10 * 60_000)
    const { jobId } = parse(body.ticket as string)
    expect(await listKeys(service, 'uploads/')).toContain(uploadKey(jobId))
    expect(await countJobs(jobId)).toBe(0)
    expect(listScratch(service)).toEqual([])
  })

  test('is priced with the options it came with', async () => {
    const options = { transcription: { mode: 'meeting-intelligence' } }
    const { body } = await guest.measure('a.clip', '61', options, '?workflow=transcribe')
    expect(body.metrics.durationSeconds).toBe(61)
    expect(body.quote?.quotedCredits).toBe(16)
    expectError(await guest.measure('a.clip', '61', { x: 1 }), 400, 'request.unknown_field')
  })

  test('becomes a job without being sent again', async () => {
    const visitor = newGuest()
    const content = deck(7)
    const measured = await visitor.measure('Köln.deck', content)
    const ticket = ticketOf(measured)
    const { jobId } = parse(ticket)
    const options = { extraction: { selectedCapabilities: ['deck.text', 'deck.images'] } }
    const answer = await visitor.submitMeasured({ ticket, options, maxCredits: 2 })
    expect(answer.status).toBe(202)
    expect(submittedSchema.parse(answer.body)).toEqual(answer.body)
    const { job, proof } = answer.body
    expect(job).toMatchObject({ id: jobId, fileName: 'Köln', format: 'deck', quotedCredits: 2, status: 'Queued' })
    const record = await visitor.waitForEnd(jobId, proof)
    expect(record).toMatchObject({
      status: 'succeeded',
      billing: 'charged',
      metrics: { inputBytes: content.length, slideCount: 7, chargedCredits: 2 },
    })
    expect(record.output?.files.map(({ path }) => path)).toContain('images/slide-007.svg')
    expect(await listKeys(service, 'uploads/')).not.toContain(uploadKey(jobId))
  })

  test('of a member becomes a job of the member', async () => {
    const member = await createMember(service)
    const ticket = ticketOf(await member.measure('a.deck', deck(1)))
    const { status, body } = await member.submitMeasured({ ticket })
    expect([status, body.proof]).toEqual([202, null])
    expect((await member.waitForEnd(body.job.id)).status).toBe('succeeded')
  })

  test('may be taken by the other workflow, at its price', async () => {
    const visitor = newGuest()
    const ticket = ticketOf(await visitor.measure('a.clip', '61'))
    const options = { transcription: { mode: 'quality' } }
    const { status, body } = await visitor.submitMeasured({ ticket, workflow: 'transcribe', options })
    expect([status, body.job.quotedCredits, body.job.workflow]).toEqual([202, 10, 'transcribe'])
    await visitor.waitForEnd(body.job.id, body.proof)
  })

  test('waits for a price that is agreed to', async () => {
    const visitor = newGuest()
    const ticket = ticketOf(await visitor.measure('a.deck', deck(16)))
    const { jobId } = parse(ticket)
    const params = { quotedCredits: 4, maxCredits: 3, metrics: { ...UNMEASURED, slideCount: 16 } }
    expectError(await visitor.submitMeasured({ ticket, maxCredits: 3 }), 409, 'quote.exceeded', params)
    expect([await countJobs(jobId), await countHolds(jobId)]).toEqual([0, []])
    expect((await visitor.submitMeasured({ ticket, maxCredits: 4 })).status).toBe(202)
  })

  test('waits for credits', async () => {
    const visitor = newGuest()
    const ticket = ticketOf(await visitor.measure('a.deck', deck(60)))
    const first = await visitor.extract('b.deck', deck(60))
    const { jobId } = parse(ticket)
    expectError(await visitor.submitMeasured({ ticket }), 402, 'usage.daily_limit_exceeded', { dailyUsed: 12 })
    expect([await countJobs(jobId), await countHolds(jobId)]).toEqual([0, []])
    expect(await listKeys(service, 'uploads/')).toContain(uploadKey(jobId))
    expect(first.record.status).toBe('succeeded')
  })

  test('that no job was made of is swept away, and its ticket is worth nothing', async () => {
    const visitor = newGuest()
    const ticket = ticketOf(await visitor.measure('a.deck', deck(1)))
    const { jobId } = parse(ticket)
    const context = { database: service.database, blobs: blobsOf(service), log: pino({ level: 'silent' }) }
    await sweepOrphans(context, 900_000)
    expect(await listKeys(service, 'uploads/')).toContain(uploadKey(jobId))
    await sweepOrphans(context, 0)
    expect(await listKeys(service, 'uploads/')).not.toContain(uploadKey(jobId))
    expectError(await visitor.submitMeasured({ ticket }), 410, 'uploads.expired')
    expect([await countJobs(jobId), await countHolds(jobId)]).toEqual([0, []])
  })
})

describe('nothing is kept of', () => {
  const expectNothingKept = async (send: () => Promise<void>) => {
    const before = await listKeys(service, 'uploads/')
    await send()
    expect(await listKeys(service, 'uploads/')).toEqual(before)
    expect(listScratch(service)).toEqual([])
  }
  test('a file that cannot be measured; the answer says why', () =>
    expectNothingKept(async () => {
      const { status, body } = await guest.measure('a.clip', 'no seconds')
      expect(status).toBe(200)
      expect(measuredSchema.parse(body)).toEqual(body)
      const detail = 'The file is damaged, or not what its extension says.'
      const failure = { code: 'extract.source_unreadable', detail }
      expect(body).toMatchObject({ failure, ticket: null, expiresAt: null, quote: null, metrics: UNMEASURED })
    }))
  test('a file that crashes what measures it', () =>
    expectNothingKept(async () => {
      const { body } = await guest.measure('a.mischief', JSON.stringify({ do: 'crash', inProbe: true }))
      expect(body).toMatchObject({ failure: { code: 'extract.engine_failed' }, ticket: null })
    }))
  test('a file that is plainly something else', () =>
    expectNothingKept(async () => {
      const answer = await guest.measure('a.deck', Buffer.from('89504e470d0a1a0a', 'hex'))
      expectError(answer, 400, 'request.content_mismatch', { detected: 'png' })
    }))
  test('a file of no known kind', () =>
    expectNothingKept(async () => {
      expectError(await guest.measure('a.unknown', 'x'), 400, 'request.invalid_extension')
      expectError(
        await guest.measure('a.deck', deck(1), undefined, '?workflow=transcribe'),
        400,
        'request.invalid_extension',
      )
    }))
})

describe('a ticket', () => {
  let visitor: JobVisitor
  let ticket: string
  beforeAll(async () => {
    visitor = newGuest()
    ticket = ticketOf(await visitor.measure('a.deck', deck(1)))
  })
  const expectRefused = async (changed: string, by = visitor) =>
    expectError(await by.submitMeasured({ ticket: changed }), 400, 'request.invalid_parameter', { path: 'ticket' })

  test('that was changed is refused', async () => {
    const [payload = '', signature = ''] = ticket.split('.')
    const cheaper = Buffer.from(JSON.stringify({ ...parse(ticket), metrics: { bytes: 1, slides: 1 } }))
    const changes = [
      ...['', '.', 'x', payload, `${payload}.`, `.${signature}`, `${ticket}.x`, `${payload}.${signature}x`],
      `${cheaper.toString('base64url')}.${signature}`,
      `${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    ]
    for (const changed of changes) await expectRefused(changed)
    await expectRefused(makeTicket(Buffer.alloc(32), parse(ticket)))
  })
  test('is refused to a guest of another network and to a member', async () => {
    await expectRefused(ticket, newGuest())
    await expectRefused(ticket, await createMember(service))
  })
  test('that has run out is worth nothing', async () => {
    const old = makeTicket(signingKey, { ...parse(ticket), expiresAt: Date.now() - 1 })
    expectError(await visitor.submitMeasured({ ticket: old }), 410, 'uploads.expired')
  })
  test('needs a body that is right', async () => {
    expectError(await visitor.submitMeasured({}), 400, 'request.invalid_parameter', { path: 'ticket' })
    expectError(await visitor.submitMeasured({ ticket, more: 1 }), 400, 'request.unknown_field', { field: 'more' })
    expectError(await visitor.submitMeasured({ ticket, maxCredits: 0 }), 400, 'request.invalid_parameter')
    expectError(await visitor.submitMeasured({ ticket, options: 'x' }), 400, 'request.invalid_parameter')
    const webhook = { webhookUrl: 'https://example.com/' }
    expectError(await visitor.submitMeasured({ ticket, options: webhook }), 400, 'request.invalid_parameter')
  })
  test('makes one job: used again it gets the same answer, used otherwise none', async () => {
    const { jobId } = parse(ticket)
    const first = await visitor.submitMeasured({ ticket })
    expect(first.status).toBe(202)
    const again = await visitor.submitMeasured({ ticket })
    expect([again.status, again.body.job]).toEqual([202, first.body.job])
    await visitor.waitForEnd(jobId, first.body.proof)
    expect(await listKeys(service, 'uploads/')).not.toContain(uploadKey(jobId))
    const late = await visitor.submitMeasured({ ticket })
    expect([late.status, late.body.job]).toEqual([202, first.body.job])
    expect((await visitor.get(`/web/jobs/${jobId}${proofQuery(late.body.proof)}`)).status).toBe(200)
    const options = { extraction: { selectedCapabilities: ['deck.images'] } }
    expectError(await visitor.submitMeasured({ ticket, options }), 410, 'uploads.expired')
    expect([await countJobs(jobId), await countHolds(jobId)]).toEqual([1, [1]])
    expect((await visitor.call('DELETE', `/web/jobs/${jobId}${proofQuery(late.body.proof)}`)).status).toBe(204)
    expectError(await visitor.submitMeasured({ ticket }), 410, 'uploads.expired')
    expect(await countJobs(jobId)).toBe(0)
  })
  test('used many times at once makes one job with one hold', async () => {
    const hasty = newGuest()
    const own = ticketOf(await hasty.measure('a.deck', deck(6)))
    const { jobId } = parse(own)
    const options = { extraction: { selectedCapabilities: ['deck.images'] } }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => hasty.submitMeasured({ ticket: own, ...(i < 6 ? {} : { options }) })),
    )
    const accepted = answers.filter(({ status }) => status === 202) as { body: Submitted }[]
    const refused = answers.filter(({ status }) => status !== 202)
    for (const answer of refused) expectError(answer, 410, 'uploads.expired')
    expect(new Set(accepted.map(({ body }) => body.job.id))).toEqual(new Set([jobId]))
    expect([6, 2]).toContain(accepted.length)
    expect([await countJobs(jobId), await countHolds(jobId)]).toEqual([1, [2]])
    await hasty.waitForEnd(jobId, (accepted[0] as { body: Submitted }).body.proof)
  })
})
