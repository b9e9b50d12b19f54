import {
  type CapabilityId,
  END_STATES,
  type JobFailureCode,
  type JobStatus,
  type MetricField,
  type TranscriptionMode,
  type WebhookEventType,
} from './generated.ts'

/** A value that an option can have. */
export type OptionValue = string | number | boolean | readonly string[]

/** Facts that go with an error: which parameter, what is allowed, how much is missing. */
export type ErrorParams = Readonly<Record<string, unknown>>

/** What `extract` and `transcribe` answer: the job that was made. */
export type Submission = {
  id: string
  status: 'Queued'
  /** Name of the file without its extension. */
  fileName: string
  format: string
  job: string
  workflow: 'extract' | 'transcribe'
  queue: { pool: string; position: number }
  quotedCredits: number
  createdAt: string
}

/** One file of a result. */
export type OutputFile = { path: string; bytes: number; capabilityId: CapabilityId | null }

/** The result of a job that succeeded. */
export type JobOutput = {
  fileName: string
  contentType: string
  bytes: number
  fileCount: number
  sha256: string
  files: OutputFile[]
  /** When the result is deleted. */
  expiresAt: string | null
}

/** Why a job failed. */
export type JobError = { error: JobFailureCode; code: JobFailureCode; params: ErrorParams; detail: string }

/** A job as the service tells of it. */
export type JobRecord = {
  id: string
  status: JobStatus
  job: string
  workflow: 'extract' | 'transcribe'
  fileName: string
  format: string
  category: string
  /** Null once it runs. */
  queue: { pool: string; position: number } | null
  progress: { percent: number; phase: string | null }
  metrics: {
    inputBytes: number
    outputBytes: number | null
    durationSeconds: number | null
    pageCount: number | null
    slideCount: number | null
    sheetCount: number | null
    frameCount: number | null
    quotedCredits: number
    chargedCredits: number
    refundedCredits: number
  }
  billing: 'held' | 'charged' | 'released' | 'refunded'
  /** Null unless it succeeded. */
  output: JobOutput | null
  /** What was asked for and is not in the file. */
  warnings: { code: string; capabilityId: CapabilityId | null; detail: string }[]
  transcription: {
    provider: string
    model: string
    mode: TranscriptionMode
    language: string
    durationSeconds: number
    segmentCount: number
    speakerCount: number | null
    spend: { requests: number; audioSeconds: number } | null
  } | null
  /** Null unless it failed. */
  error: JobError | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
}

/** A page of jobs, the newest first; `nextCursor` asks for the next one. */
export type JobPage = { jobs: JobRecord[]; nextCursor: string | null }

/** The price of a job, and what it is made of. */
export type Quote = {
  job: string
  category: string
  quotedCredits: number
  lineItems: {
    kind: 'base' | 'capability'
    credits: number
    capabilityId?: CapabilityId
    mode?: TranscriptionMode
    unit: string
    quantity: number
    per: number
  }[]
}

/** What is known of a file whose price is asked for; what a format is priced on must be there. */
export type EstimateMetrics = { [field in MetricField]?: number | null }

/** An option as `options(format)` describes it. */
export type OptionDescriptor = {
  id: string
  type: 'enum' | 'boolean' | 'integer' | 'number' | 'string' | 'list'
  required?: boolean
  defaultValue: OptionValue
  allowedValues?: readonly OptionValue[]
  min?: number
  max?: number
  maxLength?: number
  pattern?: string
  detail?: string
}

/** A rule between capabilities: the owner, perhaps only with one value of an option, requires or excludes the targets. */
export type Constraint = {
  type: 'requires' | 'excludes'
  capabilityId: CapabilityId
  option?: { id: string; value: OptionValue }
  targets: readonly CapabilityId[]
  detail: string
}

/** What can be asked of a format. */
export type OptionsDescriptor = {
  format: string
  job: string
  defaults: {
    selectedCapabilities: readonly CapabilityId[]
    includeManifest: boolean
    capabilityOptions: Readonly<Record<string, Readonly<Record<string, OptionValue>>>>
  }
  capabilities: readonly {
    id: CapabilityId
    output: string
    defaultSelected: boolean
    /** False where the service lacks a program that it needs. */
    available: boolean
    detail?: string
    options: readonly OptionDescriptor[]
  }[]
  constraints: readonly Constraint[]
  /** On formats that hold sound. */
  transcription?: {
    modes: readonly { id: TranscriptionMode; creditsPerMinute: number; available: boolean }[]
    languages: readonly string[]
    options: readonly OptionDescriptor[]
  }
}

/** A family of formats: what it takes, what it gives, how it is priced. */
export type Extractor = {
  job: string
  extractor: string
  category: string
  pool: string
  sourceFormats: readonly string[]
  capabilities: readonly CapabilityId[]
  costing: {
    rule: 'max'
    minimum: number
    terms: readonly { metric: string; per: number; unit: string; fields: readonly string[]; extensions?: string[] }[]
    addOns: readonly {
      capabilityId: CapabilityId
      mode: string | null
      unit: string
      per: number
      credits: number
      once?: string
      extensions?: readonly string[]
    }[]
  }
  limits: { maxFileSizeMb: number; maxDurationMinutes?: number; maxUnits?: number }
  available: boolean
}

/** The formats of the service in brief. */
export type FormatSchema = {
  version: string
  formats: readonly {
    extension: string
    category: string
    job: string
    outputs: readonly string[]
    mimeTypes: readonly string[]
  }[]
}

/**
 * Credits and limits of the account. A service may tell the flat half, the nested half, or both; what one half says is
 * filled into the other, and what neither says is null.
 */
export type Entitlements = {
  userId: string | null
  organizationId: string | null
  planId: string | null
  planName: string | null
  accessDisplayName: string | null
  /** What can be spent now: the same as `credits.available`. */
  totalCredits: number
  planCredits: number | null
  loyaltyCredits: number | null
  walletCredits: number | null
  source: string | null
  tier: string
  /** Of accounts with a daily limit. */
  dailyLimit: number | null
  dailyUsed: number | null
  resetDate: string | null
  service: string | null
  credits: { available: number; isUnlimited: boolean }
  limits: {
    maxFileSizeMb: number | null
    maxDurationMinutes: number | null
    maxQueuedJobs: number | null
    maxParallelJobs: number | null
  }
}

/** What a webhook says. */
export type WebhookEvent = { type: WebhookEventType; timestamp: string; data: JobRecord }

type Json = Readonly<Record<string, unknown>>
const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const asNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** A status or an event in the spelling of this package: lower case, canceled with one l. */
export const normalizeStatus = <T extends string>(text: string): T =>
  text.toLowerCase().replace('cancelled', 'canceled') as T

/** A job record as the service sent it, its status in the spelling of this package. */
export const readJobRecord = (sent: unknown): JobRecord => {
  const record = sent as JobRecord
  return { ...record, status: normalizeStatus(String(record.status)) }
}

/** Whether a job has come to its end. */
export const hasEnded = ({ status }: { status: JobStatus }): boolean =>
  (END_STATES as readonly string[]).includes(status)

/** Entitlements of either shape, as one. */
export const readEntitlements = (sent: unknown): Entitlements => {
  const flat = asObject(sent)
  const credits = asObject(flat.credits)
  const limits = asObject(flat.limits)
  const buckets = [flat.planCredits, flat.loyaltyCredits, flat.walletCredits].map(asNumber)
  const sum = buckets.reduce<number>((total, bucket) => total + (bucket ?? 0), 0)
  const available = asNumber(flat.totalCredits) ?? asNumber(credits.available) ?? sum
  return {
    userId: asText(flat.userId),
    organizationId: asText(flat.organizationId),
    planId: asText(flat.planId),
    planName: asText(flat.planName),
    accessDisplayName: asText(flat.accessDisplayName),
    totalCredits: available,
    planCredits: buckets[0] ?? null,
    loyaltyCredits: buckets[1] ?? null,
    walletCredits: buckets[2] ?? null,
    source: asText(flat.source),
    tier: asText(flat.tier) ?? asText(flat.planId) ?? 'unknown',
    dailyLimit: asNumber(flat.dailyLimit),
    dailyUsed: asNumber(flat.dailyUsed),
    resetDate: asText(flat.resetDate),
    service: asText(flat.service),
    credits: { available, isUnlimited: credits.isUnlimited === true },
    limits: {
      maxFileSizeMb: asNumber(limits.maxFileSizeMb),
      maxDurationMinutes: asNumber(limits.maxDurationMinutes),
      maxQueuedJobs: asNumber(limits.maxQueuedJobs),
      maxParallelJobs: asNumber(limits.maxParallelJobs),
    },
  }
}
