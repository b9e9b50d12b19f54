import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { RequestError } from '../../core/errors.ts'
import type { Job } from '../../jobs/records.ts'
import { reportLostResult, takeResult } from '../../jobs/result.ts'
import { errorResponses } from '../schemas.ts'
import { contentDisposition, sendFile } from '../send-file.ts'
import type { Service } from '../service.ts'
import { proofQuery } from '../web/contract.ts'
import { takeVisitorJob, visitorOf } from '../web/visitor.ts'
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
  const config = { access: 'owner', query: ['proof'] } as const
  const handler = async (request: FastifyRequest, reply: FastifyReply) => download(service, request, reply)
  // The HEAD that comes with a GET would measure the body that is not sent.
  app.head(url, { config, schema: { hide: true, params: jobParams, querystring: proofQuery }, handler })
  app.get(url, {
    config,
    exposeHeadRoute: false,
    schema: {
      summary: 'Download the result',
      description:
        'With a key, by the rules of every job route. The website downloads without one, as the account that is ' +
        'signed in or with the proof that a guest was given for this job; where a key is sent, only the key counts.',
      tags: ['Jobs'],
      params: jobParams,
      querystring: proofQuery,
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
  const job = await takeOwnersJob(service, request)
  const { output, resultKey } = takeResult(job)
  return sendFile(request, reply, {
    bytes: output.bytes,
    contentType: output.contentType,
    etag: `"${output.sha256}"`,
    disposition: contentDisposition(output.fileName),
    takesRanges: true,
    cacheControl: 'private, no-cache',
    open: (range) => service.blobs.open(resultKey, range),
    onLost: () => reportLostResult(service.database, job, resultKey),
  })
}

const takeOwnersJob = async (service: Service, request: FastifyRequest): Promise<Job> => {
  if (request.caller) return takeOwnJob(service, request)
  const { member } = visitorOf(request)
  const { proof } = request.query as { proof?: string }
  // The cookie is of a session that has ended: the same as no cookie.
  if (!member && proof === undefined) throw new RequestError('api_key.required')
  return takeVisitorJob(service, request, member)
}
