import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { RequestError } from '../../core/errors.ts'
import { isTerminal } from '../../core/job-states.ts'
import { findPlacedJob, toRecord } from '../../jobs/records.ts'
import { callerOf } from '../auth.ts'
import { errorResponses } from '../schemas.ts'
import type { Service } from '../service.ts'
import { jobParams, takeOwnJob } from './jobs.ts'

const KEEP_ALIVE_MS = 15_000
const MAX_STREAMS_PER_ACCOUNT = 200

/** `GET /extract/job/{id}/events`: the job record at each change, until the job ends. */
export const eventRoutes = (app: FastifyInstance, service: Service): void => {
  const { database, events } = service
  const open = new Map<string, number>()
  const endAll = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const end of endAll) end()
  })
  app.get('/extract/job/:id/events', {
    config: { access: 'pro', query: [] },
    schema: {
      summary: 'Server-sent events with the job record',
      tags: ['Jobs'],
      params: jobParams,
      produces: ['text/event-stream'],
      response: {
        200: z.string().describe('Events named `job`; the data is the job record.'),
        ...errorResponses(['api_key.pro_required', 'jobs.forbidden', 'jobs.not_found']),
      },
    },
    handler: async (request, reply) => {
      const job = await takeOwnJob(service, request)
      const { accountId } = callerOf(request)
      const streams = open.get(accountId) ?? 0
      if (streams >= MAX_STREAMS_PER_ACCOUNT) {
        reply.header('retry-after', 10)
        throw new RequestError(
          'rate_limited',
          { maxStreams: MAX_STREAMS_PER_ACCOUNT },
          { detail: 'Too many event streams are open.' },
        )
      }
      open.set(accountId, streams + 1)
      reply.hijack()
      const { raw } = reply
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) raw.setHeader(name, value as string)
      raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      let last = ''
      let ended = false
      let queued = Promise.resolve()
      const end = () => {
        if (ended) return
        ended = true
        clearInterval(keepAlive)
        stop()
        endAll.delete(end)
        const left = (open.get(accountId) ?? 1) - 1
        if (left === 0) open.delete(accountId)
        else open.set(accountId, left)
        raw.end()
      }
      const send = async () => {
        const current = await findPlacedJob(database, job.id)
        if (!current) return end()
        const data = JSON.stringify(toRecord(current))
        if (ended) return
        if (data !== last) raw.write(`event: job\ndata: ${data}\n\n`)
        last = data
        if (isTerminal(current.state)) end()
      }
      // One at a time and in order, however fast the changes come.
      const sendNext = () => {
        queued = queued.then(send).catch((error) => {
          request.log.warn({ err: error, jobId: job.id }, 'an event was not sent')
        })
      }
      const stop = events.watch(job.id, sendNext)
      const keepAlive = setInterval(() => raw.write(': still here\n\n'), KEEP_ALIVE_MS)
      endAll.add(end)
      raw.once('close', end)
      sendNext()
    },
  })
}
