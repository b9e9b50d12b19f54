import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '../core/errors.ts'
import type { ByteRange } from '../storage/blob-contract.ts'
import { toEnvelope } from './errors.ts'

/** A file to be sent, whole or in part. */
export type SentFile = {
  bytes: number
  contentType: string
  etag: string
  disposition: string
  /** Whether a part can be read without what lies before it. */
  takesRanges: boolean
  cacheControl: string
  /** Undefined when the bytes are gone. */
  open(range: ByteRange | undefined): Promise<Readable | undefined>
  /** What to say, and to do, when they are. */
  onLost(): Promise<RequestError>
}

/** Answers GET and HEAD with a file: ranges, entity tags, and nothing of the file's headers on an error. */
export const sendFile = async (request: FastifyRequest, reply: FastifyReply, file: SentFile): Promise<FastifyReply> => {
  reply
    .header('etag', file.etag)
    .header('accept-ranges', file.takesRanges ? 'bytes' : 'none')
    .header('cache-control', file.cacheControl)
    .header('content-disposition', file.disposition)
  if (matchesEtag(request.headers['if-none-match'], file.etag)) return reply.code(304).send()
  const range = chooseRange(request, file)
  if (range === 'unsatisfiable') {
    const error = new RequestError(
      'request.invalid_parameter',
      { path: 'Range', value: request.headers.range },
      { detail: 'The range lies outside the file.' },
    )
    return forgetFile(reply)
      .code(416)
      .header('content-range', `bytes */${file.bytes}`)
      .send(toEnvelope(error, request.id))
  }
  const bytes = range ? range.end - range.start + 1 : file.bytes
  reply.type(file.contentType).header('content-length', bytes)
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`)
  if (request.method === 'HEAD') return reply.send()
  const stream = await file.open(range)
  if (stream) return reply.send(stream)
  forgetFile(reply)
  throw await file.onLost()
}

const chooseRange = (request: FastifyRequest, { takesRanges, etag, bytes }: SentFile) => {
  const { range, 'if-range': ifRange } = request.headers
  return takesRanges && (ifRange === undefined || ifRange === etag) ? parseRange(range, bytes) : undefined
}

const FILE_HEADERS = ['etag', 'content-length', 'content-range', 'content-disposition']

/** Takes back what was said of the file: the answer is an error. */
const forgetFile = (reply: FastifyReply): FastifyReply => {
  for (const name of FILE_HEADERS) reply.removeHeader(name)
  return reply.header('cache-control', 'private, no-cache')
}

/** RFC 6266: a plain ASCII name for old readers, the real one in UTF-8 for all others. */
export const contentDisposition = (fileName: string, type: 'attachment' | 'inline' = 'attachment'): string => {
  const ascii = fileName
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return ascii === fileName
    ? `${type}; filename="${ascii}"`
    : `${type}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag) ?? false

/** One byte range; several, or another unit, are answered with the whole file, as RFC 9110 allows. */
export const parseRange = (header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined => {
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
