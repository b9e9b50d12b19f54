import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { RequestError } from '../../../core/errors.ts'
import { reportLostResult, takeResult } from '../../../jobs/result.ts'
import { createResultReader, type ResultReader } from '../../../jobs/result-files.ts'
import { contentDisposition, sendFile } from '../../send-file.ts'
import type { Service } from '../../service.ts'
import { findContentType } from '../content-types.ts'
import { proofQuery } from '../contract.ts'
import { takeVisitorJob, visitorOf } from '../visitor.ts'

const MAX_AGE_SECONDS = 3600

/**
 * What came out of somebody's file must not act in the name of this site: no script, no form, no request, an origin of
 * its own. `sandbox` holds for whatever a browser takes the bytes for.
 */
const HARMLESS = {
  'content-security-policy': "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'",
  'cross-origin-resource-policy': 'same-origin',
  // The address may hold the proof of a guest.
  'referrer-policy': 'no-referrer',
  vary: 'cookie',
}

/** `GET /web/jobs/{id}/files/{path}`: one file of a result, as it is named in the job's record. */
export const webFileRoutes = (app: FastifyInstance, service: Service): void => {
  const url = '/web/jobs/:id/files/*'
  const readResult = createResultReader(service.blobs)
  const shared = {
    config: { access: 'visitor', query: ['proof'] },
    schema: { hide: true, params: z.object({ id: z.string(), '*': z.string() }), querystring: proofQuery },
    handler: (request: FastifyRequest, reply: FastifyReply) => sendArtifact(service, readResult, request, reply),
  } as const
  // The HEAD that comes with a GET would measure the body that is not sent.
  app.head(url, shared)
  app.get(url, { ...shared, exposeHeadRoute: false })
}

const sendArtifact = async (
  service: Service,
  readResult: ResultReader,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  reply.headers(HARMLESS)
  const job = await takeVisitorJob(service, request, visitorOf(request).member)
  const { output, resultKey } = takeResult(job)
  const path = (request.params as { '*': string })['*']
  const onLost = () => reportLostResult(service.database, job, resultKey)
  const file = await readResult(resultKey, output.bytes, path)
  if (file === 'lost') throw await onLost()
  if (!file) throw new RequestError('files.not_found', { path })
  const contentType = findContentType(path)
  const name = path.slice(path.lastIndexOf('/') + 1)
  const secondsLeft = job.expiresAt ? Math.floor((job.expiresAt.getTime() - Date.now()) / 1000) : 0
  return sendFile(request, reply, {
    bytes: file.bytes,
    contentType: contentType ?? 'application/octet-stream',
    etag: `"${output.sha256}-${file.place.toString(16)}"`,
    disposition: contentDisposition(name, contentType ? 'inline' : 'attachment'),
    takesRanges: file.isStored,
    cacheControl: `private, max-age=${Math.max(0, Math.min(MAX_AGE_SECONDS, secondsLeft))}`,
    open: file.open,
    onLost,
  })
}
