import { z } from 'zod'
import { BUCKETS } from '../../accounts/ledger.ts'
import { emailSchema as email, passwordSchema as password } from '../../accounts/sign-up-rules.ts'
import { JOB_STATES } from '../../core/job-states.ts'
import { PLAN_IDS } from '../../core/plans.ts'
import { entitlementsSchema, jobRecordSchema, quoteSchema, submissionSchema } from '../schemas.ts'

/**
 * What the pages and the service say to each other, under `/web`. The pages take their types from here, and from here
 * alone. Every error has the envelope of the public API.
 */

const timestamp = z.string().describe('ISO 8601, UTC')
const count = z.number().int()

// ---- Who is there: GET /web/me ----

export const meSchema = z.object({
  version: z.string(),
  signUpOpen: z.boolean(),
  retentionMinutes: z.number(),
  user: z.object({ id: z.string(), name: z.string(), email: z.string(), isAdmin: z.boolean() }).nullable(),
  /** The account's when signed in, else the guests' of the visitor's network. */
  entitlements: entitlementsSchema,
})

// ---- Sessions ----
// POST /web/sign-up   202 whether or not the address was free; signs nobody in
// POST /web/sign-in   200 me · POST /web/sign-out 204 · POST /web/password 204, ends the other sessions
// GET /web/sessions · DELETE /web/sessions/{id} 204 · DELETE /web/sessions 204 (all but the one that asks)

export const signUpBody = z.strictObject({ email, password, name: z.string().trim().max(100).optional() })
export const signInBody = z.strictObject({ email: z.string().max(254), password: z.string().max(1000) })
export const passwordBody = z.strictObject({ currentPassword: z.string().max(1000), newPassword: password })
export const sessionsSchema = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      isCurrent: z.boolean(),
      userAgent: z.string(),
      address: z.string(),
      createdAt: timestamp,
      lastSeenAt: timestamp,
      expiresAt: timestamp,
    }),
  ),
})

// ---- API keys: GET /web/keys · POST /web/keys 201 · DELETE /web/keys/{id} 204 ----

export const keySchema = z.object({
  id: z.string(),
  name: z.string(),
  hint: z.string(),
  allowedCidr: z.string().nullable(),
  state: z.enum(['active', 'expired', 'revoked']),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  expiresAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
})
export const keysSchema = z.object({ keys: z.array(keySchema) })
export const newKeyBody = z.strictObject({
  name: z.string().trim().min(1).max(100),
  expiresAt: z.iso.datetime({ offset: true }).nullish(),
  allowedCidr: z.string().trim().max(60).nullish().describe('An address or a CIDR.'),
})
/** The only answer that ever holds a key. */
export const newKeySchema = z.object({ key: z.string(), record: keySchema })

// ---- Credits: GET /web/credits · GET /web/ledger?cursor&limit ----

const bucket = z.enum(BUCKETS)
export const creditsSchema = z.object({
  buckets: z.array(z.object({ bucket, available: count, held: count })),
  available: count,
  held: count,
})
export const ledgerSchema = z.object({
  entries: z.array(
    z.object({
      id: z.number(),
      bucket,
      kind: z.enum(['grant', 'hold', 'capture', 'release', 'refund']),
      credits: count,
      jobId: z.string().nullable(),
      note: z.string().describe("A grant's or refund's reason; the format of a job."),
      createdAt: timestamp,
    }),
  ),
  nextCursor: z.string().nullable(),
})
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(25),
  cursor: z.string().optional().describe('nextCursor of the page before.'),
})

// ---- Usage: GET /web/usage?days ----

export const usageQuery = z.object({ days: z.coerce.number().int().min(1).max(366).default(30) })
const usage = { jobs: count, succeeded: count, credits: count }
export const usageSchema = z.object({
  /** Every day of the span, the oldest first, empty ones too. */
  days: z.array(z.object({ date: z.string().describe('YYYY-MM-DD, UTC'), ...usage })),
  formats: z.array(z.object({ format: z.string(), ...usage })),
})

// ---- Webhooks: GET /web/webhooks?cursor&limit · POST /web/webhook-secret (shows it) ----

export const webhooksSchema = z.object({
  deliveries: z.array(
    z.object({
      id: z.string(),
      jobId: z.string(),
      event: z.string(),
      url: z.string(),
      state: z.enum(['pending', 'delivered', 'given_up']),
      attempts: count,
      lastStatus: count.nullable(),
      lastError: z.string().nullable(),
      createdAt: timestamp,
      deliveredAt: timestamp.nullable(),
      nextAttemptAt: timestamp.nullable(),
    }),
  ),
  nextCursor: z.string().nullable(),
})
export const webhookSecretSchema = z.object({ secret: z.string() })

// ---- Jobs ----
// Each route of one job takes the session of its owner, or `?proof=` with the owner proof of a guest.
// POST /web/jobs?workflow&maxCredits            multipart as POST /extract        202
// POST /web/measure?workflow                    multipart as POST /extract        200, keeps the file for a while
// POST /web/jobs/measured                       the ticket of a measured file     202
// GET /web/jobs?status&format&name&cursor&limit GET /web/jobs/{id}  GET /web/jobs/{id}/events (server-sent, event `job`)
// POST /web/jobs/{id}/cancel 202   DELETE /web/jobs/{id} 204
// GET /web/jobs/{id}/files/{path in the ZIP}    one artifact, with ranges where it is stored uncompressed
// GET /extract/job/{id}/download[?proof=]       the ZIP

const workflow = z.enum(['extract', 'transcribe'])
export const submitQuery = z.object({
  workflow: workflow.default('extract'),
  maxCredits: z.coerce.number().int().min(1).optional().describe('Refuse with quote.exceeded over this.'),
})
export const measureQuery = z.object({ workflow: workflow.default('extract') })
export const submittedSchema = z.object({
  job: submissionSchema,
  /** For guests: proves the ownership of this one job. */
  proof: z.string().nullable(),
})
export const measuredSchema = z.object({
  name: z.string(),
  extension: z.string(),
  category: z.string(),
  bytes: count,
  /** Named as in the body of an estimate. */
  metrics: z.object({
    durationSeconds: z.number().nullable(),
    pageCount: count.nullable(),
    slideCount: count.nullable(),
    sheetCount: count.nullable(),
    frameCount: count.nullable(),
  }),
  quote: quoteSchema.nullable(),
  /** Makes a job of the file without sending it again; null when it could not be measured. */
  ticket: z.string().nullable(),
  expiresAt: timestamp.nullable(),
  failure: z.object({ code: z.string(), detail: z.string() }).nullable(),
})
export const measuredJobBody = z.strictObject({
  ticket: z.string().max(8192),
  workflow: workflow.default('extract'),
  options: z.unknown().optional(),
  maxCredits: z.number().int().min(1).nullish(),
})
export const jobsQuery = pageQuery.extend({
  status: z.enum(JOB_STATES).optional(),
  format: z.string().max(20).optional(),
  name: z.string().max(200).optional().describe('A part of the file name.'),
})
export const jobsSchema = z.object({ jobs: z.array(jobRecordSchema), nextCursor: z.string().nullable() })
export const proofQuery = z.object({ proof: z.string().max(200).optional() })

// ---- Discovery, for everyone ----
// GET /web/options/{format} · /web/extractors · /web/schema · POST /web/estimate/{ext} · GET /web/openapi.json: as under
// /extract, without a key, with the limits of the visitor's plan.
// GET /web/reference: the tables that the guides are made of.

const limits = {
  maxFileSizeMb: z.number(),
  maxDurationMinutes: z.number(),
  maxQueuedJobs: count,
  maxParallelJobs: count,
  dailyCredits: count.nullable(),
}
export const referenceSchema = z.object({
  errors: z.array(z.object({ code: z.string(), status: count, detail: z.string(), webOnly: z.boolean() })),
  failures: z.array(z.object({ code: z.string(), detail: z.string() })),
  plans: z.array(z.object({ id: z.string(), name: z.string(), ...limits })),
  settings: z.array(z.object({ setting: z.string(), default: z.string(), detail: z.string() })),
})

// ---- Operators ----
// GET /web/admin/overview · GET /web/admin/accounts?search&plan&cursor&limit · GET /web/admin/accounts/{id}
// POST /web/admin/accounts/{id}/credits 200 account · POST /web/admin/accounts/{id}/plan 200 account
// GET /web/admin/jobs?status&accountId&cursor&limit · POST /web/admin/jobs/{id}/refund 200 job

export const overviewSchema = z.object({
  pools: z.array(
    z.object({ pool: z.string(), queued: count, running: count, oldestQueuedSeconds: z.number().nullable() }),
  ),
  workers: z.array(
    z.object({
      id: z.string(),
      host: z.string(),
      processId: count,
      version: z.string(),
      pools: z.array(z.string()),
      maxJobs: count,
      runningJobs: count,
      startedAt: timestamp,
      seenAt: timestamp,
      isAlive: z.boolean(),
    }),
  ),
  /** Of the last seven days. */
  failures: z.array(z.object({ code: z.string(), family: z.string(), count, lastAt: timestamp })),
  lastDay: z.object({ submitted: count, succeeded: count, failed: count, canceled: count, credits: count }),
})
export const adminAccountSchema = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.enum(PLAN_IDS),
  isAdmin: z.boolean(),
  emails: z.array(z.string()),
  available: count,
  held: count,
  activeKeys: count,
  jobs: count,
  createdAt: timestamp,
  lastJobAt: timestamp.nullable(),
})
export const adminAccountsQuery = pageQuery.extend({
  search: z.string().trim().max(200).optional().describe('A part of a name or an e-mail address, or an id.'),
  plan: z
    .enum([...PLAN_IDS, 'members'])
    .optional()
    .describe('members: all but guests.'),
})
export const adminAccountsSchema = z.object({
  accounts: z.array(adminAccountSchema),
  nextCursor: z.string().nullable(),
})
export const grantBody = z.strictObject({
  bucket: bucket.default('wallet'),
  credits: z.number().int().min(1).max(100_000_000),
  note: z.string().trim().max(200).default(''),
})
export const planBody = z.strictObject({ plan: z.enum(PLAN_IDS) })
export const adminJobsQuery = pageQuery.extend({
  status: z.enum(JOB_STATES).optional(),
  accountId: z.string().max(40).optional(),
})
export const adminJobSchema = z.object({ accountId: z.string(), accountName: z.string(), record: jobRecordSchema })
export const adminJobsSchema = z.object({ jobs: z.array(adminJobSchema), nextCursor: z.string().nullable() })
export const refundBody = z.strictObject({ note: z.string().trim().min(1).max(200) })

export type Me = z.infer<typeof meSchema>
export type Sessions = z.infer<typeof sessionsSchema>
export type ApiKeyRecord = z.infer<typeof keySchema>
export type Keys = z.infer<typeof keysSchema>
export type NewKey = z.infer<typeof newKeySchema>
export type Credits = z.infer<typeof creditsSchema>
export type Ledger = z.infer<typeof ledgerSchema>
export type Usage = z.infer<typeof usageSchema>
export type Webhooks = z.infer<typeof webhooksSchema>
export type Submitted = z.infer<typeof submittedSchema>
export type Measured = z.infer<typeof measuredSchema>
export type Jobs = z.infer<typeof jobsSchema>
export type Reference = z.infer<typeof referenceSchema>
export type Overview = z.infer<typeof overviewSchema>
export type AdminAccount = z.infer<typeof adminAccountSchema>
export type AdminAccounts = z.infer<typeof adminAccountsSchema>
export type AdminJob = z.infer<typeof adminJobSchema>
export type AdminJobs = z.infer<typeof adminJobsSchema>
