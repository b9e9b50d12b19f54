import { createHash, type Hash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { addAbortSignal } from 'node:stream'
import type { Catalog } from '../core/catalog.ts'
import { JobFailure } from '../core/errors.ts'
import type { ProviderSpend } from '../core/outside.ts'
import type { ExtractHandlers, SandboxPool } from '../sandbox/pool.ts'
import { BlobMissing, type Blobs } from '../storage/blobs.ts'
import { childOwner } from './child-owner.ts'
import { resultKey, uploadKey } from './files.ts'
import { makeManifest } from './manifest.ts'
import type { Job } from './records.ts'
import { streamZip } from './result-zip.ts'
import { type Outcome, toJobError } from './settle.ts'

type Context = {
  blobs: Blobs
  sandbox: SandboxPool
  catalog: Catalog
  /** Scratch space of this process. */
  workFolder: string
  retentionMinutes: number
  onProgress: (percent: number, phase: string) => void
  outside: NonNullable<ExtractHandlers['outside']>
}

/**
 * Does the work of one attempt, from the upload to the ZIP in the store. A failure that is the file's is an outcome;
 * one that is the machine's is thrown, and the job gets another try.
 */
export const runJob = async (context: Context, job: Job, signal: AbortSignal): Promise<Outcome> => {
  const inputPath = join(context.workFolder, `${job.id}-${job.attempt}.${job.format}`)
  try {
    await context.blobs.fetchTo(uploadKey(job.id), inputPath)
    return await extractToZip(context, job, inputPath, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof JobFailure) return { state: 'failed', error: toJobError(error), warnings: [] }
    if (error instanceof BlobMissing) throw new Error('the upload is gone', { cause: error })
    throw error
  } finally {
    await rm(inputPath, { force: true })
  }
}

/** Passes questions on, and counts what providers are asked for. */
const countSpend = (outside: Context['outside']): { outside: Context['outside']; read(): ProviderSpend | null } => {
  const spend = { requests: 0, audioSeconds: 0 }
  return {
    outside: {
      offer: outside.offer,
      answer: (question, file, signal) => {
        if (question.kind === 'transcribe') {
          spend.requests += 1
          spend.audioSeconds += question.durationSeconds
        }
        return outside.answer(question, file, signal)
      },
    },
    read: () => (spend.requests > 0 ? { ...spend } : null),
  }
}

const extractToZip = async (context: Context, job: Job, inputPath: string, signal: AbortSignal): Promise<Outcome> => {
  const { outside, read: readSpend } = countSpend(context.outside)
  const extraction = await context.sandbox.extract(
    {
      owner: childOwner({ ...job, jobId: job.id }),
      extension: job.format,
      inputPath,
      name: job.sourceName,
      bytes: job.metrics.bytes,
      capabilities: job.plan.capabilities,
    },
    { onProgress: context.onProgress, outside },
    signal,
  )
  try {
    const { artifacts, engines, warnings, transcription } = extraction
    const manifest = job.plan.includeManifest
      ? (hashed: Parameters<typeof makeManifest>[2]['artifacts']) =>
          makeManifest(job, context.catalog, { artifacts: hashed, engines, warnings })
      : null
    const { stream, files } = streamZip(artifacts, manifest)
    const key = resultKey(job.id, job.attempt)
    const hash = createHash('sha256')
    const { bytes } = await context.blobs.putStream(key, hashing(addAbortSignal(signal, stream), hash))
    const listed = await files
    return {
      state: 'succeeded',
      output: {
        fileName: `${job.fileName}.zip`,
        contentType: 'application/zip',
        bytes,
        fileCount: listed.length,
        sha256: hash.digest('hex'),
        files: [...listed],
      },
      resultKey: key,
      retentionMinutes: context.retentionMinutes,
      warnings: [...warnings],
      transcription: transcription && { ...transcription, spend: readSpend() },
    }
  } finally {
    await extraction.release()
  }
}

async function* hashing(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}
