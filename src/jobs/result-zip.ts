import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type PassThrough, type Readable, Transform } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file of the result, as the sandbox left it on disk. */
export type ZipArtifact = {
  path: string
  file: string
  bytes: number
  mediaType: string
  capabilityId: string
  provenance?: Readonly<Record<string, unknown>>
}
export type HashedArtifact = ZipArtifact & { sha256: string }

const SMALL_BYTES = 64 * 1024
// Local components, because that is what the format stores: the same bytes in every time zone.
const fixedTime = () => new Date(2000, 0, 1)
const COMPRESSED =
  /^(?:image\/(?!svg|bmp|x-portable)|audio\/(?!x-wav|wav|aiff)|video\/|application\/(?:zip|gzip|x-7z|vnd\.openxml|epub|pdf|x-xz|zstd))/

/**
 * The result as a stream: entries sorted by path, fixed times, the manifest (made of the hashes taken on the way)
 * last. The same artifacts always give the same bytes, and no file is ever whole in memory.
 */
export const streamZip = (
  artifacts: readonly ZipArtifact[],
  makeManifest: ((hashed: readonly HashedArtifact[]) => string) | null,
): { stream: Readable; files: Promise<readonly { path: string; bytes: number; capabilityId: string | null }[]> } => {
  const zip = new ZipFile()
  const sorted = [...artifacts].sort((a, b) => (a.path < b.path ? -1 : 1))
  const files = fillZip(zip, sorted, makeManifest)
  // The stream is what the caller waits on; its error is the same error.
  files.catch((error) => (zip.outputStream as Readable).destroy(error as Error))
  return { stream: zip.outputStream as Readable, files }
}

const fillZip = async (
  zip: ZipFile,
  artifacts: readonly ZipArtifact[],
  makeManifest: ((hashed: readonly HashedArtifact[]) => string) | null,
) => {
  const hashed: HashedArtifact[] = []
  for (const artifact of artifacts) {
    const options = {
      mtime: fixedTime(),
      forceDosTimestamp: true,
      mode: 0o100644,
      compress: !COMPRESSED.test(artifact.mediaType),
    }
    const read = await readArtifact(artifact, zip, options)
    await drain(zip)
    hashed.push({ ...artifact, ...read })
  }
  const listed: { path: string; bytes: number; capabilityId: string | null }[] = hashed.map(
    ({ path, bytes, capabilityId }) => ({ path, bytes, capabilityId }),
  )
  if (makeManifest) {
    const manifest = Buffer.from(makeManifest(hashed))
    zip.addBuffer(manifest, 'manifest.json', { mtime: fixedTime(), forceDosTimestamp: true, mode: 0o100644 })
    listed.push({ path: 'manifest.json', bytes: manifest.length, capabilityId: null })
  }
  zip.end()
  return listed
}

// Small files are handed over whole; wait while the store is behind, so that they do not pile up here.
const drain = async (zip: ZipFile): Promise<void> => {
  const output = zip.outputStream as PassThrough
  if (output.writableNeedDrain) await once(output, 'drain')
}

type EntryOptions = { mtime: Date; forceDosTimestamp: boolean; mode: number; compress: boolean }

// The files lie where the child that wrote them cannot reach, and the sandbox has seen that each is a plain file.
const readArtifact = async (
  { file, path, bytes }: ZipArtifact,
  zip: ZipFile,
  options: EntryOptions,
): Promise<{ sha256: string; bytes: number }> => {
  const hash = createHash('sha256')
  if (bytes <= SMALL_BYTES) {
    // Through the thread pool, where it queues behind the deflating of those before: that keeps them from piling up.
    const data = await readFile(file)
    zip.addBuffer(data, path, options)
    return { sha256: hash.update(data).digest('hex'), bytes: data.length }
  }
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  const source = createReadStream(file, { highWaterMark: 256 * 1024 })
  source.once('error', (error) => hashing.destroy(error))
  // Whoever gives the ZIP up half way must not leave this file open.
  const giveUp = () => source.destroy(new Error('the ZIP was given up'))
  zip.outputStream.once('close', giveUp)
  zip.addReadStream(source.pipe(hashing), path, options)
  await once(hashing, 'end')
  zip.outputStream.off('close', giveUp)
  return { sha256: hash.digest('hex'), bytes: source.bytesRead }
}
