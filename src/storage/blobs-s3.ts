import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import { type BlobEntry, BlobMissing, type Blobs, checkKey, checkNotEmpty, checkPrefix } from './blob-contract.ts'
import { openRegularFile } from './regular-file.ts'

const MIB = 1_048_576
/** A store takes 10,000 parts of one upload: 160 GB where the size is not known before. */
const PART_BYTES = 16 * MIB
const MAX_PARTS = 10_000
const PARALLEL_PARTS = 3
const PARALLEL_DELETES = 8
const MAX_SOCKETS = 256
const CONNECT_TIMEOUT_MS = 5_000

/** A bucket of any store that speaks S3. */
export type S3Settings = {
  bucket: string
  region: string
  /** Absent for Amazon's own. */
  endpoint?: string
  /** Absent together with the secret where the machine's own role gives access. */
  accessKeyId?: string
  secretAccessKey?: string
  /** The bucket in the path instead of the host name, as most stores other than Amazon's want it. */
  forcePathStyle?: boolean
  /** Goes in front of every key: `quarry/`. */
  prefix?: string
}

/** Keeps blobs as objects of one bucket. */
export const openS3Blobs = (settings: S3Settings): Blobs => {
  const Bucket = settings.bucket
  const base = settings.prefix ?? ''
  const keyOf = (key: string): string => base + checkKey(key)
  let session: Promise<Session> | undefined
  const connect = (): Promise<Session> => {
    session ??= startSession(settings)
    return session
  }

  /** Ends the body whatever happens. */
  const upload = async (key: string, body: Readable, bytes = 0): Promise<void> => {
    try {
      const target = { Bucket, Key: keyOf(key) }
      const { sdk, client, Upload } = await connect()
      const partSize = Math.max(PART_BYTES, Math.ceil(bytes / MAX_PARTS))
      const transfer = new Upload({ client, params: { ...target, Body: body }, partSize, queueSize: PARALLEL_PARTS })
      await transfer.done().catch(async (error: unknown) => {
        // Parts without an end are invisible, and billed. The SDK forgets them when the last step is what failed.
        const UploadId = transfer.uploadId
        if (UploadId !== undefined)
          await client.send(new sdk.AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => {})
        throw error
      })
    } finally {
      body.destroy()
    }
  }

  const openBlob: Blobs['open'] = async (key, range) => {
    const { sdk, client } = await connect()
    const Range = range && `bytes=${range.start}-${range.end}`
    try {
      const reply = await client.send(new sdk.GetObjectCommand({ Bucket, Key: keyOf(key), Range }))
      return reply.Body as Readable
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  async function* list(prefix: string): AsyncGenerator<BlobEntry> {
    const Prefix = base + checkPrefix(prefix)
    const { sdk, client } = await connect()
    for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket, Prefix })) {
      for (const { Key, Size, LastModified } of page.Contents ?? []) {
        if (Key === undefined || LastModified === undefined) continue
        yield { key: Key.slice(base.length), bytes: Size ?? 0, modifiedAt: LastModified }
      }
    }
  }

  const deleteBlob = async (key: string): Promise<void> => {
    const Key = keyOf(key)
    const { sdk, client } = await connect()
    await client.send(new sdk.DeleteObjectCommand({ Bucket, Key })).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
  }

  return {
    async putFile(key, path) {
      const { file, stats } = await openRegularFile(path)
      await upload(key, file.createReadStream(), stats.size)
      await rm(path)
    },

    async putStream(key, stream) {
      let bytes = 0
      const counter = new Transform({
        transform(chunk: Uint8Array, _encoding, done) {
          bytes += chunk.byteLength
          done(null, chunk)
        },
      })
      // The source may fail before or while the store reads: either end's error must reach the other.
      const source = stream instanceof Readable ? stream : Readable.from(stream, { objectMode: false })
      const feeding = pipeline(source, counter)
      const [fed, sent] = await Promise.allSettled([feeding, upload(key, counter)])
      if (fed.status === 'rejected' && sent.status === 'rejected') throw firstCause(fed.reason, sent.reason)
      if (sent.status === 'rejected') throw sent.reason
      if (fed.status === 'rejected') throw fed.reason
      return { bytes }
    },

    open: openBlob,

    async fetchTo(key, path) {
      const body = await openBlob(key)
      if (!body) throw new BlobMissing(key)
      const partial = `${path}.partial`
      try {
        await pipeline(body, createWriteStream(partial, { mode: 0o444 }))
        await rename(partial, path)
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
    },

    delete: deleteBlob,

    async deleteAll(prefix) {
      // One by one: stores disagree on the checksum that a bulk delete must carry.
      const entries = list(checkNotEmpty(prefix))
      const worker = async (): Promise<void> => {
        for (let next = await entries.next(); !next.done; next = await entries.next()) await deleteBlob(next.value.key)
      }
      await Promise.all(Array.from({ length: PARALLEL_DELETES }, worker))
    },

    list,

    async check() {
      const { sdk, client } = await connect()
      await client.send(new sdk.HeadBucketCommand({ Bucket }))
    },
  }
}

type Sdk = typeof import('@aws-sdk/client-s3')
type Session = { sdk: Sdk; client: S3Client; Upload: typeof import('@aws-sdk/lib-storage').Upload }

/** Loaded on first use: it takes longer to load than the whole service needs to start. */
const startSession = async (settings: S3Settings): Promise<Session> => {
  const [sdk, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')])
  const { endpoint, region, forcePathStyle, accessKeyId, secretAccessKey } = settings
  const client = new sdk.S3Client({
    region,
    ...(endpoint !== undefined && { endpoint }),
    ...(forcePathStyle !== undefined && { forcePathStyle }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
    // The newer checksums of Amazon are refused, or stored as content, by many other stores.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      httpAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
    },
  })
  return { sdk, client, Upload }
}

/** Whichever end fails takes the other down with it, and that one then only reports that it was cut off. */
const firstCause = (source: unknown, store: unknown): unknown =>
  (source as { code?: string }).code === 'ERR_STREAM_PREMATURE_CLOSE' ? store : source

const isMissing = (error: unknown): boolean => {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  return name === 'NoSuchKey' || name === 'NotFound' || (name !== 'NoSuchBucket' && $metadata?.httpStatusCode === 404)
}
