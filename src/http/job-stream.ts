import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '../core/errors.ts'
import { isTerminal } from '../core/job-states.ts'
import { findPlacedJob, type Job, toRecord } from '../jobs/records.ts'
import type { Service } from './service.ts'

const KEEP_ALIVE_MS = 15_000
const MAX_STREAMS_PER_ACCOUNT = 200

/** Makes the answer that sends a job's record at each change, until the job ends, for the routes of one door. */
export const createJobStreams = (app: FastifyInstance, { database, events }: Service) => {
  const open = new Map<string, number>()
  const endAll = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const end of endAll) end()
  })
  return (request: FastifyRequest, reply: FastifyReply, job: Job): void => {
    const { accountId } = job
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
  }
}
