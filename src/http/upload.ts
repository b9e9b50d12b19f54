import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { safeFileName, splitFileName } from '../core/artifact-names.ts'
import { RequestError } from '../core/errors.ts'
import { BYTES_PER_MB } from '../core/metrics.ts'
import { SIGNATURE_BYTES } from '../core/signatures.ts'

/** A file on our disk, and what came with it. */
export type Upload = {
  path: string
  /** As the client named it, without folders. */
  name: string
  stem: string
  extension: string
  bytes: number
  sha256: string
  /** The first bytes, to compare with known signatures. */
  head: Buffer
  optionsText: string | undefined
}

type UploadRules = {
  path: string
  maxFileSizeMb: number
  /** Throws to refuse the file by its extension, and by the options if they came first, before its bytes are read. */
  checkHeader(extension: string, optionsText: string | undefined): void
}

const FORM_FIELDS = ['file', 'options']
const MAX_OPTIONS_BYTES = 1_048_576
const WRITE_AHEAD_BYTES = 262_144

/** The client closed the connection before the body was whole: there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/**
 * Receives a multipart body with one file, streamed to disk with its hash taken on the way. Whatever is wrong is
 * refused at the first byte that shows it, and leaves no file behind.
 */
export const receiveUpload = async (request: FastifyRequest, rules: UploadRules): Promise<Upload> => {
  try {
    return await receive(request, rules)
  } catch (error) {
    await rm(rules.path, { force: true })
    throw error
  }
}

const receive = (request: FastifyRequest, rules: UploadRules): Promise<Upload> =>
  new Promise((resolve, reject) => {
    const parser = openParser(request)
    const body = request.raw
    let optionsText: string | undefined
    let readingOptions: Promise<void> | undefined
    let receiving: Promise<Omit<Upload, 'optionsText'>> | undefined
    let fileStream: Readable | undefined
    let fileSentAsText = false
    let refused = false
    let finished = false

    const refuse = (error: unknown) => {
      if (refused) return
      refused = true
      body.unpipe(parser)
      body.off('close', onClose)
      parser.destroy()
      // The part in hand must not wait for bytes that will not come.
      fileStream?.destroy(error instanceof Error ? error : new Error('refused'))
      Promise.resolve(receiving)
        .catch(() => undefined)
        .finally(() => reject(error))
    }
    const onClose = () => {
      if (!body.complete) refuse(new ClientGone('the client closed the connection'))
    }
    const refuseBroken = (cause?: unknown) =>
      refuse(new RequestError('request.malformed', {}, { detail: 'The multipart body is broken.', cause }))
    const takeOptions = (text: string) => {
      if (optionsText !== undefined) return refuse(duplicate('options'))
      optionsText = text
    }

    parser.on('field', (name, value, _nameTruncated, valueTruncated) => {
      if (name === 'file') fileSentAsText = true
      else if (name !== 'options') refuse(unknownField(name))
      else if (valueTruncated) refuse(tooLongOptions())
      else takeOptions(value)
    })
    parser.on('file', (name, stream, fileName) => {
      stream.on('error', () => undefined)
      if (refused) return stream.resume()
      if (name === 'options') {
        readingOptions = readText(stream, MAX_OPTIONS_BYTES).then(takeOptions, refuse)
        return
      }
      if (name !== 'file') return refuse(unknownField(name))
      if (receiving) return refuse(new RequestError('request.multiple_files'))
      try {
        const { stem, extension } = splitFileName(safeFileName(fileName ?? ''))
        rules.checkHeader(extension, optionsText)
        fileStream = stream
        receiving = writeFile(stream, rules, { name: safeFileName(fileName ?? ''), stem, extension })
        receiving.catch(refuse)
      } catch (error) {
        refuse(error)
      }
    })
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.on(event, () =>
        refuse(new RequestError('request.malformed', {}, { detail: 'The form has too many parts.' })),
      )
    }
    parser.on('error', refuseBroken)
    parser.on('finish', async () => {
      finished = true
      if (refused) return
      body.off('close', onClose)
      if (!receiving) return refuse(noFile(fileSentAsText))
      await readingOptions
      if (!refused) receiving.then((file) => resolve({ ...file, optionsText }), reject)
    })
    // The parser never ends when a part's header does not: with every byte read and written, its silence is the error.
    body.once('end', () =>
      setImmediate(async () => {
        await Promise.allSettled([receiving])
        setImmediate(() => finished || refuseBroken())
      }),
    )
    body.on('close', onClose)
    // An aborted request fails before it closes, and says only that the connection was reset.
    body.on('error', onClose)
    body.pipe(parser)
  })

const openParser = (request: FastifyRequest): BusboyInstance => {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: { fields: 8, files: 4, parts: 12, fieldNameSize: 100, fieldSize: MAX_OPTIONS_BYTES, headerPairs: 100 },
    })
  } catch (cause) {
    throw new RequestError('request.malformed', {}, { detail: 'The content type names no multipart boundary.', cause })
  }
}

const writeFile = async (
  stream: Readable,
  rules: UploadRules,
  named: { name: string; stem: string; extension: string },
) => {
  const hash = createHash('sha256')
  const maxBytes = rules.maxFileSizeMb * BYTES_PER_MB
  const head: Buffer[] = []
  let bytes = 0
  // Opened here and not by the stream: a refusal that comes while it opens would delete the file before it is there.
  const file = await open(rules.path, 'wx', 0o444)
  await pipeline(
    stream,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        if (bytes < SIGNATURE_BYTES) head.push(Buffer.from(chunk.subarray(0, SIGNATURE_BYTES - bytes)))
        bytes += chunk.length
        if (bytes > maxBytes) throw new RequestError('request.file_too_large', { maxFileSizeMb: rules.maxFileSizeMb })
        hash.update(chunk)
        yield chunk
      }
    },
    file.createWriteStream({ highWaterMark: WRITE_AHEAD_BYTES }),
  )
  if (bytes === 0) throw new RequestError('request.empty_file')
  return { ...named, path: rules.path, bytes, sha256: hash.digest('hex'), head: Buffer.concat(head) }
}

const readText = async (stream: Readable, maxBytes: number): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLongOptions()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const unknownField = (field: string) => new RequestError('request.unknown_field', { field, allowed: FORM_FIELDS })
const duplicate = (path: string) =>
  new RequestError('request.invalid_parameter', { path }, { detail: `The form field "${path}" was sent twice.` })
const tooLongOptions = () =>
  new RequestError('request.invalid_parameter', { path: 'options' }, { detail: 'options is longer than 1 MiB.' })
const noFile = (sentAsText: boolean) =>
  new RequestError(
    'request.no_files',
    {},
    sentAsText ? { detail: 'The form field "file" was sent as text, without a file name.' } : {},
  )
