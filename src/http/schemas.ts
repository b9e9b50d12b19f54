import { z } from 'zod'
import { JOB_FAILURES, REQUEST_ERRORS, type RequestErrorCode } from '../core/errors.ts'
import { JOB_STATES } from '../core/job-states.ts'
import { TRANSCRIPTION_OPTIONS } from '../core/transcription.ts'
import type { JobRecord } from '../jobs/records.ts'
import type { SubmissionRecord } from '../jobs/submit.ts'

const credits = z.number().int()
const workflow = z.enum(['extract', 'transcribe'])
const timestamp = z.string().describe('ISO 8601, UTC')
const id = z.string().describe('UUIDv7 as 32 hex digits')

export const submissionSchema: z.ZodType<SubmissionRecord> = z.object({
  id,
  status: z.literal('Queued'),
  fileName: z.string(),
  format: z.string(),
  job: z.string(),
  workflow,
  queue: z.object({ pool: z.string(), position: z.number().int() }),
  quotedCredits: credits,
  createdAt: timestamp,
})

const jobErrorSchema = z.object({
  error: z.string(),
  code: z.string().describe(`One of: ${Object.keys(JOB_FAILURES).join(', ')}`),
  params: z.record(z.string(), z.unknown()),
  detail: z.string(),
})

export const jobRecordSchema: z.ZodType<JobRecord> = z.object({
  id,
  status: z.enum(JOB_STATES),
  job: z.string(),
  workflow,
  fileName: z.string(),
  format: z.string(),
  category: z.string(),
  queue: z.object({ pool: z.string(), position: z.number().int() }).nullable(),
  progress: z.object({ percent: z.number().int(), phase: z.string().nullable() }),
  metrics: z.object({
    inputBytes: z.number().int(),
    outputBytes: z.number().int().nullable(),
    durationSeconds: z.number().nullable(),
    pageCount: z.number().int().nullable(),
    slideCount: z.number().int().nullable(),
    sheetCount: z.number().int().nullable(),
    frameCount: z.number().int().nullable(),
    quotedCredits: credits,
    chargedCredits: credits,
    refundedCredits: credits,
  }),
  billing: z.enum(['held', 'charged', 'released', 'refunded']),
  output: z
    .object({
      fileName: z.string(),
      contentType: z.string(),
      bytes: z.number().int(),
      fileCount: z.number().int(),
      sha256: z.string(),
      files: z.array(z.object({ path: z.string(), bytes: z.number().int(), capabilityId: z.string().nullable() })),
      expiresAt: timestamp.nullable(),
    })
    .nullable(),
  warnings: z.array(z.object({ code: z.string(), capabilityId: z.string().nullable(), detail: z.string() })),
  transcription: z
    .object({
      provider: z.string(),
      model: z.string(),
      mode: z.string(),
      language: z.string(),
      durationSeconds: z.number(),
      segmentCount: z.number().int(),
      speakerCount: z.number().int().nullable(),
      spend: z.object({ requests: z.number().int(), audioSeconds: z.number() }).nullable(),
    })
    .nullable(),
  error: jobErrorSchema.nullable(),
  createdAt: timestamp,
  startedAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
})

const count = z.number().int().nonnegative().nullish()
export const estimateRequestSchema = z.strictObject({
  fileSizeBytes: z.number().nullish().describe('Wins over fileSizeMb.'),
  fileSizeMb: z.number().nullish().describe('1 MB is 1,048,576 bytes.'),
  durationSeconds: z.number().nonnegative().nullish().describe('Wins over durationMinutes.'),
  durationMinutes: z.number().nonnegative().nullish(),
  pageCount: count,
  slideCount: count,
  sheetCount: count,
  documentUnitCount: count.describe('Stands for the count the format is priced on; the specific count wins.'),
  frameCount: count,
  workflow: workflow.nullish(),
  mode: z
    .enum(TRANSCRIPTION_OPTIONS.mode.allowedValues)
    .nullish()
    .describe('Transcription mode, with workflow transcribe.'),
  options: z.unknown().optional().describe('The options object of a submission.'),
})

export const quoteSchema = z.object({
  job: z.string(),
  category: z.string(),
  quotedCredits: credits,
  lineItems: z.array(
    z.object({
      kind: z.enum(['base', 'capability']),
      credits,
      capabilityId: z.string().optional(),
      mode: z.string().optional(),
      unit: z.string(),
      quantity: z.number(),
      per: z.number(),
    }),
  ),
})

// The catalog's lists are readonly, and so are their descriptions.
const list = <T extends z.ZodType>(item: T) => z.array(item).readonly()
const optionValue = z.union([z.string(), z.number(), z.boolean(), list(z.string())])
const optionSchema = z.object({
  id: z.string(),
  type: z.string(),
  required: z.boolean().optional(),
  shared: z.boolean().optional().describe('About the file: given for one capability, it holds for the others too.'),
  defaultValue: optionValue,
  allowedValues: list(optionValue).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  maxLength: z.number().optional(),
  pattern: z.string().optional(),
  detail: z.string().optional(),
})
export const optionsDescriptorSchema = z.object({
  format: z.string(),
  job: z.string(),
  defaults: z.object({
    selectedCapabilities: list(z.string()),
    includeManifest: z.boolean(),
    capabilityOptions: z.record(z.string(), z.record(z.string(), optionValue)),
  }),
  capabilities: list(
    z.object({
      id: z.string(),
      output: z.string(),
      defaultSelected: z.boolean(),
      available: z.boolean(),
      detail: z.string().optional(),
      options: list(optionSchema),
    }),
  ),
  constraints: list(
    z.object({
      type: z.enum(['requires', 'excludes']),
      capabilityId: z.string(),
      option: z.object({ id: z.string(), value: optionValue }).optional(),
      targets: list(z.string()),
      detail: z.string(),
    }),
  ),
  transcription: z
    .object({
      modes: list(z.object({ id: z.string(), creditsPerMinute: credits, available: z.boolean() })),
      languages: list(z.string()),
      options: list(optionSchema),
    })
    .optional(),
})

export const extractorsSchema = z.object({
  extractors: list(
    z.object({
      job: z.string(),
      extractor: z.string(),
      category: z.string(),
      pool: z.string(),
      sourceFormats: list(z.string()),
      capabilities: list(z.string()),
      costing: z.object({
        rule: z.literal('max'),
        minimum: credits,
        terms: list(
          z.object({
            metric: z.string(),
            per: z.number(),
            credits: credits.optional().describe('For each started step; 1 unless told.'),
            unit: z.string(),
            fields: list(z.string()),
            extensions: list(z.string()).optional().describe('Those it holds for, where not all.'),
          }),
        ),
        addOns: list(
          z.object({
            capabilityId: z.string(),
            mode: z.string().nullable(),
            unit: z.string(),
            per: z.number(),
            credits,
            once: z.string().optional().describe('A job pays only the first add-on of this name.'),
            extensions: list(z.string()).optional().describe('Those it holds for, where not all.'),
          }),
        ),
      }),
      limits: z.object({
        maxFileSizeMb: z.number(),
        maxDurationMinutes: z.number().optional(),
        maxUnits: z.number().optional(),
      }),
      available: z.boolean(),
    }),
  ),
})

export const schemaSchema = z.object({
  version: z.string(),
  formats: list(
    z.object({
      extension: z.string(),
      category: z.string(),
      job: z.string(),
      outputs: list(z.string()),
      mimeTypes: list(z.string()),
    }),
  ),
})

export const entitlementsSchema = z.object({
  userId: z.string(),
  organizationId: z.string(),
  planId: z.string(),
  planName: z.string(),
  accessDisplayName: z.string(),
  totalCredits: credits,
  planCredits: credits,
  loyaltyCredits: credits,
  walletCredits: credits,
  source: z.string(),
  tier: z.string(),
  dailyLimit: credits.nullable(),
  dailyUsed: credits.nullable(),
  resetDate: timestamp.nullable(),
  service: z.string(),
  credits: z.object({ available: credits, isUnlimited: z.boolean() }),
  limits: z.object({
    maxFileSizeMb: z.number(),
    maxDurationMinutes: z.number(),
    maxQueuedJobs: z.number().int(),
    maxParallelJobs: z.number().int(),
  }),
})

export const jobListSchema = z.object({ jobs: z.array(jobRecordSchema), nextCursor: z.string().nullable() })

/** The error answers a route can give, by status, for the OpenAPI document. */
export const errorResponses = (codes: readonly RequestErrorCode[]) => {
  const everywhere: RequestErrorCode[] = [
    'api_key.required',
    'api_key.invalid_or_ip_not_allowed',
    'request.malformed',
    'request.unknown_field',
    'rate_limited',
    'internal',
    'service.unavailable',
  ]
  const byStatus = Map.groupBy([...new Set([...codes, ...everywhere])], (code) => REQUEST_ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, own]) => {
      const code = z.enum(own as [RequestErrorCode, ...RequestErrorCode[]])
      const estimate = status === 422 ? { format: z.string(), job: z.string() } : {}
      const schema = z.object({
        error: code,
        code,
        detail: z.string().nullable(),
        params: z.record(z.string(), z.unknown()),
        requestId: z.string(),
        ...estimate,
      })
      return [status, schema.describe(own.map((one) => `\`${one}\`: ${REQUEST_ERRORS[one].detail}`).join(' '))]
    }),
  )
}
