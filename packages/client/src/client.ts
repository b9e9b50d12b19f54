import { randomUUID } from 'node:crypto'
import type { Selection } from './constraints.ts'
import { type DownloadedFile, type DownloadOptions, openResult, saveResult } from './download.ts'
import { followJob } from './events.ts'
import type {
  JobStatus,
  SourceExtension,
  TranscriptionMode,
  TranscriptionOptions,
  WebhookEventType,
} from './generated.ts'
import { layOutForm } from './multipart.ts'
import {
  type Entitlements,
  type EstimateMetrics,
  type Extractor,
  type FormatSchema,
  type JobPage,
  type JobRecord,
  normalizeStatus,
  type OptionsDescriptor,
  type Quote,
  readEntitlements,
  readJobRecord,
  type Submission,
} from './records.ts'
import { type FileInput, openSource } from './source.ts'
import { type ClientSettings, createTransport, type Transport } from './transport.ts'
import { type WaitOptions, waitForJob } from './wait.ts'

/** What every request takes. */
export type CallOptions = {
  /** Aborts the request; the call then fails with the reason of the signal. */
  signal?: AbortSignal
}

/** What both kinds of submission take. */
export type SubmitOptions = CallOptions & {
  /** Called when the job ends; https, on a public address. */
  webhookUrl?: string
  /** Signs the webhook: `whsec_` and 24 to 64 bytes in base64. The account's own secret unless told. */
  webhookSecret?: string
  /** Ends that the webhook is called for; all unless told. */
  webhookEvents?: readonly WebhookEventType[]
  /** Makes one job of several tries, also of several processes. One is made up for each call unless told. */
  idempotencyKey?: string
  /** Another name for the file; its extension tells the format. */
  fileName?: string
  /** Told of each piece of the file as it is sent. */
  onProgress?: (progress: { sentBytes: number; totalBytes: number }) => void
}

/** What to extract. */
export type ExtractOptions = SubmitOptions &
  Selection & {
    /** Whether the result holds `manifest.json`; true unless told. */
    includeManifest?: boolean
  }

/** How to transcribe. */
export type TranscribeOptions = SubmitOptions & TranscriptionOptions

/** A file whose price is asked for, and what is to be made of it. */
export type EstimateRequest = EstimateMetrics & {
  /** `transcribe` quotes a job of `transcribe`; `extract` unless told. */
  workflow?: 'extract' | 'transcribe'
  /** Mode of a transcript-only job. */
  mode?: TranscriptionMode
  /** What the job is to make, as for `extract`. */
  extraction?: Selection
}

/** A job, by its id or by anything that has it. */
export type JobReference = string | { readonly id: string }

/** An extension, with or without a dot; an operator may have more than this package knows. */
export type Extension = SourceExtension | (string & {})

/** What can be done with jobs. */
export type Jobs = {
  /** The record of a job. */
  get(job: JobReference, options?: CallOptions): Promise<JobRecord>
  /** A page of the account's jobs, the newest first. */
  list(
    options?: CallOptions & { limit?: number; cursor?: string | null; status?: JobStatus | 'cancelled' },
  ): Promise<JobPage>
  /** Waits for the end. Throws `JobFailedError` or `JobCanceledError` if it is not success. */
  wait(job: JobReference, options?: WaitOptions): Promise<JobRecord>
  /** Cancels a job that waits or runs. */
  cancel(job: JobReference, options?: CallOptions): Promise<JobRecord>
  /** Deletes a job that has ended, and its result. */
  delete(job: JobReference, options?: CallOptions): Promise<void>
  /** Downloads the ZIP into a file, or as a stream where no path is given; resumed where it breaks, and checked. */
  download: {
    (job: JobReference, path: string | URL, options?: DownloadOptions): Promise<DownloadedFile>
    (job: JobReference, options?: DownloadOptions): Promise<ReadableStream<Uint8Array>>
  }
  /** The record now, and after each change, until the job ends. */
  events(job: JobReference, options?: CallOptions): AsyncGenerator<JobRecord>
}

/** A client of one service and one key. */
export type Client = {
  /** Sends a file and makes a job of it. */
  extract(file: FileInput, options?: ExtractOptions): Promise<Submission>
  /** Sends a recording and makes a job of its transcript alone. */
  transcribe(file: FileInput, options?: TranscribeOptions): Promise<Submission>
  /** The price of a file that is not sent. */
  estimate(extension: Extension, request: EstimateRequest, options?: CallOptions): Promise<Quote>
  /** Capabilities, options and constraints of a format. */
  options(format: Extension, options?: CallOptions): Promise<OptionsDescriptor>
  /** Every family of formats, or those that take one extension. */
  extractors(extension?: Extension, options?: CallOptions): Promise<readonly Extractor[]>
  /** The formats in brief. */
  schema(options?: CallOptions): Promise<FormatSchema>
  /** Credits and limits of the account. */
  entitlements(options?: CallOptions): Promise<Entitlements>
  jobs: Jobs
}

/** A client of the service at `baseUrl`; nothing is sent before it is asked for something. */
export const createClient = (settings: ClientSettings): Client => {
  const transport = createTransport(settings)
  const { ask } = transport
  return {
    extract: (file, options = {}) => {
      const { selectedCapabilities, capabilityOptions, includeManifest } = options
      return submit(transport, '', file, options, {
        extraction: { selectedCapabilities, capabilityOptions, includeManifest },
      })
    },
    transcribe: (file, options = {}) => {
      const { signal, webhookUrl, webhookSecret, webhookEvents, idempotencyKey, fileName, onProgress, ...own } = options
      return submit(transport, '/transcribe', file, options, { transcription: own })
    },
    estimate: (extension, { extraction, ...metrics }, { signal } = {}) =>
      ask({
        method: 'POST',
        path: `/estimate/${encodeURIComponent(extension)}`,
        json: { ...metrics, ...(extraction ? { options: { extraction } } : {}) },
        // It changes nothing.
        isRepeatable: true,
        signal,
      }),
    options: (format, { signal } = {}) => ask({ path: `/options/${encodeURIComponent(format)}`, signal }),
    extractors: async (extension, { signal } = {}) => {
      const path = extension === undefined ? '/extractors' : `/extractors/${encodeURIComponent(extension)}`
      return (await ask<{ extractors: Extractor[] }>({ path, signal })).extractors
    },
    schema: ({ signal } = {}) => ask({ path: '/schema', signal }),
    entitlements: async ({ signal } = {}) => readEntitlements(await ask({ path: '/entitlements/me', signal })),
    jobs: createJobs(transport),
  }
}

const idOf = (job: JobReference): string => {
  const id = typeof job === 'string' ? job : job.id
  // An empty id, or one of dots, would lead to another route.
  if (!/^[\w-]+$/.test(id)) throw new TypeError('That is not the id of a job.')
  return id
}

const createJobs = (transport: Transport): Jobs => {
  const { ask } = transport
  return {
    get: async (job, { signal } = {}) => readJobRecord(await ask({ path: `/job/${idOf(job)}`, signal })),
    list: async ({ signal, limit, cursor, status } = {}) => {
      const query = new URLSearchParams()
      if (limit !== undefined) query.set('limit', String(limit))
      if (cursor) query.set('cursor', cursor)
      if (status) query.set('status', normalizeStatus(status))
      const page = await ask<JobPage>({ path: `/jobs${query.size > 0 ? `?${query}` : ''}`, signal })
      return { ...page, jobs: page.jobs.map(readJobRecord) }
    },
    wait: async (job, options) => waitForJob(transport, idOf(job), options),
    cancel: async (job, { signal } = {}) =>
      // Canceling a canceled job answers as the first time.
      readJobRecord(await ask({ method: 'POST', path: `/job/${idOf(job)}/cancel`, isRepeatable: true, signal })),
    delete: async (job, { signal } = {}) => {
      await ask({ method: 'DELETE', path: `/job/${idOf(job)}`, signal })
    },
    download: (async (job: JobReference, target?: string | URL | DownloadOptions, options?: DownloadOptions) =>
      typeof target === 'string' || target instanceof URL
        ? saveResult(transport, idOf(job), target, options)
        : openResult(transport, idOf(job), target)) as Jobs['download'],
    events: (job, { signal } = {}) => followJob(transport, idOf(job), { signal }),
  }
}

const submit = async (
  transport: Transport,
  path: string,
  input: FileInput,
  { signal, webhookUrl, webhookSecret, webhookEvents, idempotencyKey, fileName, onProgress }: SubmitOptions,
  own: object,
): Promise<Submission> => {
  signal?.throwIfAborted()
  const file = await openSource(input, fileName)
  const form = layOutForm(file, { ...own, webhookUrl, webhookSecret, webhookEvents })
  let sentBytes = 0
  return transport.ask<Submission>({
    method: 'POST',
    path,
    form: {
      ...form,
      write: () => {
        sentBytes = 0
        return form.write()
      },
    },
    onSent: (bytes) => {
      sentBytes += bytes
      onProgress?.({ sentBytes, totalBytes: form.contentLength })
    },
    // The key makes one job of all tries.
    headers: { 'idempotency-key': idempotencyKey ?? randomUUID() },
    isRepeatable: true,
    canResend: file.canReopen,
    signal,
  })
}
