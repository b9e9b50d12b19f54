import { createHash, randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConnectionError, ResultDamagedError } from './errors.ts'
import { type JobRecord, readJobRecord } from './records.ts'
import { backOff, type OpenAnswer, pause, type Transport } from './transport.ts'

/** How to download. */
export type DownloadOptions = {
  signal?: AbortSignal
  /** Told of each piece as it comes. */
  onProgress?: (progress: { receivedBytes: number; totalBytes: number | null }) => void
}

/** A result that lies on disk, whole and checked. */
export type DownloadedFile = { path: string; bytes: number; sha256: string }

type Expected = { bytes: number | null; sha256: string | null }

/** The result as a stream. It fails at its end if the whole does not have the SHA-256 of the job's record. */
export const openResult = async (
  transport: Transport,
  id: string,
  options: DownloadOptions = {},
): Promise<ReadableStream<Uint8Array>> => {
  const expected = await readExpected(transport, id, options.signal)
  // Opened here, so that a refusal meets whoever asked and not whoever reads.
  const first = await openAt(transport, id, { start: 0, etag: null }, options.signal)
  return ReadableStream.from(receive(transport, id, expected, first, options)) as ReadableStream<Uint8Array>
}

/** Writes the result to a file, which is there only when it is whole and checked. */
export const saveResult = async (
  transport: Transport,
  id: string,
  target: string | URL,
  options: DownloadOptions = {},
): Promise<DownloadedFile> => {
  const path = typeof target === 'string' ? target : fileURLToPath(target)
  const expected = await readExpected(transport, id, options.signal)
  const unfinished = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.part`)
  const file = await open(unfinished, 'wx')
  try {
    const first = await openAt(transport, id, { start: 0, etag: null }, options.signal)
    const result = receive(transport, id, expected, first, options)
    let next = await result.next()
    for (; !next.done; next = await result.next()) await file.writeFile(next.value)
    await file.close()
    await rename(unfinished, path)
    return { path, ...next.value }
  } catch (error) {
    await file.close()
    await rm(unfinished, { force: true })
    throw error
  }
}

const readExpected = async (transport: Transport, id: string, signal: AbortSignal | undefined): Promise<Expected> => {
  const { output }: JobRecord = readJobRecord(await transport.ask({ path: `/job/${encodeURIComponent(id)}`, signal }))
  return { bytes: output?.bytes ?? null, sha256: output?.sha256 ?? null }
}

const openAt = (
  transport: Transport,
  id: string,
  { start, etag }: { start: number; etag: string | null },
  signal: AbortSignal | undefined,
): Promise<OpenAnswer> =>
  transport.open({
    path: `/job/${encodeURIComponent(id)}/download`,
    headers: {
      // What is packed on the way has other lengths and places than what is stored.
      'accept-encoding': 'identity',
      ...(start === 0 ? {} : { range: `bytes=${start}-` }),
      ...(etag ? { 'if-range': etag } : {}),
    },
    // Later breaks are counted by who reads.
    isRepeatable: start === 0,
    signal,
  })

/** All bytes of the result, over as many connections as it takes; at the end, how many they were and their hash. */
async function* receive(
  transport: Transport,
  id: string,
  expected: Expected,
  first: OpenAnswer,
  { signal, onProgress }: DownloadOptions,
): AsyncGenerator<Uint8Array, { bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  // A weak tag does not promise the same bytes.
  const etag = first.headers.get('etag')?.startsWith('"') ? first.headers.get('etag') : null
  const announced = Number(first.headers.get('content-length') ?? Number.NaN)
  const totalBytes = expected.bytes ?? (Number.isNaN(announced) ? null : announced)
  let answer: OpenAnswer | null = first
  let received = 0
  for (let failures = 0; ; failures++) {
    try {
      answer ??= await openAt(transport, id, { start: received, etag }, signal)
      // A service that sends it all again is read past what is here; the hash tells whether it is the same.
      let skip = answer.status === 206 ? 0 : received
      for await (const chunk of answer.chunks()) {
        const fresh = chunk.subarray(Math.min(skip, chunk.length))
        skip -= chunk.length - fresh.length
        if (fresh.length === 0) continue
        failures = 0
        received += fresh.length
        hash.update(fresh)
        onProgress?.({ receivedBytes: received, totalBytes })
        yield fresh
      }
      if (totalBytes !== null && received < totalBytes) {
        throw new ConnectionError('client.connection_failed', { detail: 'The result ended before its end.' })
      }
      break
    } catch (error) {
      if (!(error instanceof ConnectionError) || failures >= transport.maxRetries) throw error
      answer = null
      await pause(backOff(failures) * 1000, signal)
    }
  }
  const sha256 = hash.digest('hex')
  if (expected.sha256 !== null && sha256 !== expected.sha256) {
    throw new ResultDamagedError({ expected: expected.sha256, received: sha256, bytes: received })
  }
  return { bytes: received, sha256 }
}
