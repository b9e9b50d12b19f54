import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { RequestError } from '../../core/errors.ts'
import type { Job, JobOutput } from '../../jobs/records.ts'
import { refundLostResult } from '../../jobs/refund.ts'
import { toEnvelope } from '../errors.ts'
import { errorResponses } from '../schemas.ts'
import type { Service } from '../service.ts'
import { jobParams, takeOwnJob } from './jobs.ts'

const ERRORS = [
  'api_key.pro_required',
  'jobs.forbidden',
  'jobs.not_found',
  'jobs.not_ready',
  'jobs.failed',
  'jobs.canceled',
  'jobs.result_expired',
] as const

/** `GET /extract/job/{id}/download`: the ZIP, whole or in ranges. */
export const downloadRoutes = (app: FastifyInstance, service: Service): void => {
  const url = '/extract/job/:id/download'
  const config = { access: 'pro', query: [] } as const
  const handler = async (request: FastifyRequest, reply: FastifyReply) => download(service, request, reply)
  // The HEAD that comes with a GET would measure the body that is not sent.
  app.head(url, { config, schema: { hide: true, params: jobParams }, handler })
  app.get(url, {
    config,
    exposeHeadRoute: false,
    schema: {
      summary: 'Download the result',
      tags: ['Jobs'],
      params: jobParams,
      produces: ['application/zip'],
      response: {
        200: z.string().describe('The ZIP.'),
        206: z.string().describe('The range asked for.'),
        ...errorResponses(ERRORS),
      },
    },
    handler,
  })
}

const download = async (service: Service, request: FastifyRequest, reply: FastifyReply) => {
  const job = await takeOwnJob(service, request)
  const { output, resultKey } = takeResult(job)
  const etag = `"${output.sha256}"`
  reply
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('cache-control', 'private, no-cache')
    .header('content-disposition', contentDisposition(output.fileName))
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  const ifRange = request.headers['if-range']
  const range = ifRange === undefined || ifRange === etag ? parseRange(request.headers.range, output.bytes) : undefined
  if (range === 'unsatisfiable') {
    const error = new RequestError(
      'request.invalid_parameter',
      { path: 'Range', value: request.headers.range },
      { detail: 'The range lies outside the file.' },
    )
    return forgetFile(reply)
      .code(416)
      .header('content-range', `bytes */${output.bytes}`)
      .send(toEnvelope(error, request.id))
  }
  const bytes = range ? range.end - range.start + 1 : output.bytes
  reply.type(output.contentType).header('content-length', bytes)
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${output.bytes}`)
  if (request.method === 'HEAD') return reply.send()
  const stream = await service.blobs.open(resultKey, range)
  if (!stream) {
    // Paid for and gone before its time: the credits go back.
    await refundLostResult(service.database, job.id, resultKey)
    forgetFile(reply)
    throw new RequestError(
      'jobs.result_expired',
      { status: job.state },
      { detail: 'The result was lost; its credits were refunded.' },
    )
  }
  return reply.send(stream)
}

const FILE_HEADERS = ['etag', 'content-length', 'content-range', 'content-disposition']

/** Takes back what was said of the file: the answer is an error. */
const forgetFile = (reply: FastifyReply): FastifyReply => {
  for (const name of FILE_HEADERS) reply.removeHeader(name)
  return reply
}

const takeResult = (job: Job): { output: JobOutput; resultKey: string } => {
  const params = { status: job.state }
  if (job.state === 'failed') throw new RequestError('jobs.failed', { ...params, failure: job.error?.code ?? null })
  if (job.state === 'canceled') throw new RequestError('jobs.canceled', params)
  if (job.state !== 'succeeded' || !job.output) throw new RequestError('jobs.not_ready', params)
  const expired = job.expiresAt !== null && job.expiresAt.getTime() <= Date.now()
  if (job.resultKey === null || expired) {
    throw new RequestError('jobs.result_expired', { ...params, expiresAt: job.expiresAt?.toISOString() ?? null })
  }
  return { output: job.output, resultKey: job.resultKey }
}

/** RFC 6266: a plain ASCII name for old readers, the real one in UTF-8 for all others. */
export const contentDisposition = (fileName: string): string => {
  const ascii = fileName
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return ascii === fileName
    ? `attachment; filename="${ascii}"`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag) ?? false

/** One byte range; several, or another unit, are answered with the whole file, as RFC 9110 allows. */
export const parseRange = (
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined => {
  const match = header === undefined ? null : /^bytes=(\d*)-(\d*)$/.exec(header.trim())
  if (!match) return undefined
  const [first, last] = [match[1] ?? '', match[2] ?? '']
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end }
}
