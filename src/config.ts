import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { type AccountPlans, DEFAULT_PLANS, PLAN_IDS } from './core/plans.ts'
import { priceOverridesSchema } from './core/prices.ts'

const flag = z.enum(['true', 'false', '1', '0', '']).transform((text) => text === 'true' || text === '1')
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)
const whole = (min: number, max = Number.MAX_SAFE_INTEGER) => z.coerce.number().int().min(min).max(max)
const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON' })
    return z.NEVER
  }
})
const planPatch = z
  .object({
    name: z.string(),
    maxFileSizeMb: z.number().positive(),
    maxDurationMinutes: z.number().positive(),
    maxQueuedJobs: z.number().int().positive(),
    maxParallelJobs: z.number().int().positive(),
    dailyCredits: z.number().int().positive().nullable(),
  })
  .partial()
  .strict()
const plans = json.pipe(z.partialRecord(z.enum(PLAN_IDS), planPatch)).transform((patches): AccountPlans => {
  const patched = PLAN_IDS.map((id) => [id, { ...DEFAULT_PLANS[id], ...patches[id] }] as const)
  return Object.fromEntries(patched) as AccountPlans
})

type Setting<T> = { env: string; fallback: string; schema: z.ZodType<T, string>; detail: string; secret?: boolean }
const setting = <T>(env: string, fallback: string, schema: z.ZodType<T, string>, detail: string): Setting<T> => ({
  env,
  fallback,
  schema,
  detail,
})
const secret = <T>(env: string, schema: z.ZodType<T, string>, detail: string): Setting<T> => ({
  env,
  fallback: '',
  schema,
  detail,
  secret: true,
})
const text = z.string()
const engines = list.pipe(z.array(z.enum(['built-in', 'openai', 'deepgram', 'assemblyai', 'whisper.cpp'])).min(1))
const path = text.transform((given) => (given === '' ? '' : resolve(given)))
const address = text.transform((url) => url.replace(/\/+$/, ''))
const number = (schema: z.ZodType<number>) => schema as z.ZodType<number, string>

/** Every setting, once: its variable, default, type and meaning. `quarry config` prints this table. */
export const SETTINGS = {
  port: setting('PORT', '3000', number(whole(0, 65_535)), 'Port of the HTTP server.'),
  host: setting('HOST', '', text, 'Address to listen on; empty: every address, IPv6 and IPv4.'),
  dataFolder: setting(
    'QUARRY_DATA',
    './data',
    text.transform((path) => resolve(path)),
    'Folder of the embedded database, uploads, results and scratch space.',
  ),
  demoKey: secret(
    'QUARRY_DEMO_KEY',
    text,
    'Fixes the key of the demo account (fast_prod_ and at least 20 characters); empty: a random one, printed once.',
  ),
  databaseUrl: secret('DATABASE_URL', text, 'PostgreSQL 15 to 18; empty: the embedded server.'),
  databaseConnections: setting(
    'QUARRY_DATABASE_CONNECTIONS',
    '12',
    number(whole(3, 500)),
    'Database connections of one process at most.',
  ),
  s3Bucket: setting('QUARRY_S3_BUCKET', '', text, 'Bucket for uploads and results; empty: the data folder.'),
  s3Endpoint: setting('QUARRY_S3_ENDPOINT', '', text, 'Endpoint of an S3-compatible store; empty: AWS.'),
  s3Region: setting('QUARRY_S3_REGION', 'us-east-1', text, 'Region of the bucket.'),
  s3AccessKeyId: secret('QUARRY_S3_ACCESS_KEY_ID', text, 'Access key; empty: the default credential chain.'),
  s3SecretAccessKey: secret('QUARRY_S3_SECRET_ACCESS_KEY', text, 'Secret of the access key.'),
  s3ForcePathStyle: setting(
    'QUARRY_S3_FORCE_PATH_STYLE',
    'true',
    flag,
    'Bucket in the path, as most S3-compatible stores want it.',
  ),
  s3Prefix: setting('QUARRY_S3_PREFIX', '', text, 'Prefix of every key in the bucket.'),
  trustedProxies: setting(
    'QUARRY_TRUSTED_PROXIES',
    '',
    list,
    'Addresses or CIDRs of reverse proxies whose X-Forwarded-For is believed.',
  ),
  rateLimitPerMinute: setting(
    'QUARRY_RATE_LIMIT_PER_MINUTE',
    '120000',
    number(whole(1)),
    'Requests a minute for each key.',
  ),
  signUp: setting(
    'QUARRY_SIGN_UP',
    'open',
    z.enum(['open', 'closed']),
    'Whether visitors of the website may open accounts; closed: only the operator does, with `quarry user add`.',
  ),
  plans: setting('QUARRY_PLANS', '{}', plans, 'Changes to the plans, as JSON: {"pro":{"maxFileSizeMb":4096}}.'),
  prices: setting(
    'QUARRY_PRICES',
    '{}',
    json.pipe(priceOverridesSchema),
    'Changes to the prices, as JSON: {"families":{"text":[{"metric":"megabytes","per":10}]}}.',
  ),
  retentionMinutes: setting(
    'QUARRY_RETENTION_MINUTES',
    '60',
    number(z.coerce.number().positive()),
    'How long a result can be downloaded.',
  ),
  poolLimit: setting('QUARRY_POOL_LIMIT', '20000', number(whole(1)), 'Jobs waiting in one pool at most.'),
  formatFolders: setting(
    'QUARRY_FORMATS',
    '',
    list.transform((paths) => paths.map((path) => resolve(path))),
    'More folders with format families, beside the built-in ones.',
  ),
  workerJobs: setting(
    'QUARRY_WORKER_JOBS',
    '',
    z
      .string()
      .transform((count) => Number(count || availableParallelism() * 2))
      .pipe(z.number().int().min(1).max(1024)),
    'Jobs one worker process runs at once; empty: two for each core.',
  ),
  workerPools: setting('QUARRY_WORKER_POOLS', '', list, 'Pools this worker serves; empty: all.'),
  heartbeatSeconds: setting(
    'QUARRY_HEARTBEAT_SECONDS',
    '10',
    number(whole(10, 600)),
    'A worker silent for this long has lost its jobs.',
  ),
  shutdownSeconds: setting(
    'QUARRY_SHUTDOWN_SECONDS',
    '20',
    number(whole(0, 3600)),
    'How long requests may finish at shutdown, and then running jobs before they go back to the queue.',
  ),
  isolation: setting(
    'QUARRY_SANDBOX',
    'auto',
    z.enum(['auto', 'bubblewrap', 'user', 'none']),
    'Isolation of the extraction processes; auto takes the best that works here.',
  ),
  sandboxUid: setting(
    'QUARRY_SANDBOX_UID',
    '64738',
    number(whole(1, 2 ** 31)),
    'User and group id of extraction processes when the service runs as root.',
  ),
  jobsPerChild: setting(
    'QUARRY_JOBS_PER_CHILD',
    '1000',
    number(whole(1)),
    'Jobs of one account an extraction process may run before it is replaced.',
  ),
  jobSeconds: setting('QUARRY_JOB_SECONDS', '3600', number(whole(1, 80_000)), 'Wall time of one job.'),
  stallSeconds: setting(
    'QUARRY_STALL_SECONDS',
    '180',
    number(whole(1)),
    'A job without progress for this long is stopped.',
  ),
  jobCpuSeconds: setting('QUARRY_JOB_CPU_SECONDS', '7200', number(whole(1)), 'CPU time of one job.'),
  jobMemoryMb: setting(
    'QUARRY_JOB_MEMORY_MB',
    '2048',
    number(whole(128)),
    'Memory of one job, all its processes together.',
  ),
  jobOutputMb: setting('QUARRY_JOB_OUTPUT_MB', '8192', number(whole(1)), 'Bytes one job may write.'),
  jobOutputFiles: setting('QUARRY_JOB_OUTPUT_FILES', '20000', number(whole(1)), 'Files one job may write.'),
  transcribeFast: setting(
    'QUARRY_TRANSCRIBE_FAST',
    'built-in',
    engines,
    'Engines of the mode fast, the first choice first: built-in, openai, deepgram, assemblyai, whisper.cpp.',
  ),
  transcribeQuality: setting('QUARRY_TRANSCRIBE_QUALITY', 'built-in', engines, 'Engines of the mode quality.'),
  transcribeMeeting: setting(
    'QUARRY_TRANSCRIBE_MEETING',
    'built-in',
    engines,
    'Engines of the mode meeting-intelligence.',
  ),
  openaiUrl: setting(
    'QUARRY_OPENAI_URL',
    'https://api.openai.com/v1',
    address,
    'Where an OpenAI-compatible transcription service is, up to /audio/transcriptions.',
  ),
  openaiKey: secret('QUARRY_OPENAI_KEY', text, 'Key of that service; may be empty where it wants none.'),
  openaiModel: setting('QUARRY_OPENAI_MODEL', 'whisper-1', text, 'Model to transcribe with there.'),
  deepgramUrl: setting('QUARRY_DEEPGRAM_URL', 'https://api.deepgram.com', address, 'Where Deepgram is.'),
  deepgramKey: secret('QUARRY_DEEPGRAM_KEY', text, 'Key of Deepgram.'),
  deepgramModel: setting('QUARRY_DEEPGRAM_MODEL', 'nova-3', text, 'Model of Deepgram.'),
  assemblyaiUrl: setting('QUARRY_ASSEMBLYAI_URL', 'https://api.assemblyai.com', address, 'Where AssemblyAI is.'),
  assemblyaiKey: secret('QUARRY_ASSEMBLYAI_KEY', text, 'Key of AssemblyAI.'),
  assemblyaiModel: setting('QUARRY_ASSEMBLYAI_MODEL', 'universal', text, 'Model of AssemblyAI.'),
  whisperProgram: setting(
    'QUARRY_WHISPER_PROGRAM',
    '',
    path,
    'The command line program of whisper.cpp, in a folder with nothing but what it needs.',
  ),
  whisperModel: setting('QUARRY_WHISPER_MODEL', '', path, 'Its model file.'),
  analysisUrl: setting(
    'QUARRY_ANALYSIS_URL',
    '',
    address,
    'OpenAI-compatible chat service that analyzes meetings, up to /chat/completions; empty: a method of our own.',
  ),
  analysisKey: secret('QUARRY_ANALYSIS_KEY', text, 'Key of that service.'),
  analysisModel: setting('QUARRY_ANALYSIS_MODEL', '', text, 'Its model.'),
  providerSeconds: setting(
    'QUARRY_PROVIDER_SECONDS',
    '900',
    number(whole(1)),
    'Longest wait for one answer of a provider.',
  ),
  providerRetries: setting(
    'QUARRY_PROVIDER_RETRIES',
    '3',
    number(whole(0, 20)),
    'Tries after a first one that failed.',
  ),
  webhookAllowPrivate: setting(
    'QUARRY_WEBHOOK_ALLOW_PRIVATE',
    'false',
    flag,
    'Lets webhooks reach private addresses and plain http; for tests and closed networks.',
  ),
  logLevel: setting(
    'QUARRY_LOG_LEVEL',
    'info',
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    'Least severe log line that is written.',
  ),
} as const
type Settings = typeof SETTINGS

/** The settings as the rest of the house takes them. */
export type Config = { readonly [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never }

/** Reads and checks the environment; every wrong setting is named at once. */
export const readConfig = (env: Readonly<Record<string, string | undefined>> = process.env): Config => {
  const problems: string[] = []
  const values = Object.entries(SETTINGS as Record<string, Setting<unknown>>).map(
    ([name, { env: variable, fallback, schema }]) => {
      const parsed = schema.safeParse(env[variable] || fallback)
      if (!parsed.success)
        problems.push(
          `${variable}: ${parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message].filter(Boolean).join(' ')).join('; ')}`,
        )
      return [name, parsed.data] as const
    },
  )
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.fromEntries(values) as Config
}

/** The environment holds settings that cannot be used. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(problems: readonly string[]) {
    super(`These settings are wrong:\n- ${problems.join('\n- ')}`)
  }
}

/** Each setting with the value in force, secrets hidden. */
export const describeConfig = (env: Readonly<Record<string, string | undefined>> = process.env) =>
  Object.values(SETTINGS as Record<string, Setting<unknown>>).map(
    ({ env: variable, fallback, detail, secret: hidden }) => {
      const given = env[variable]
      return {
        setting: variable,
        value: hidden && given ? '***' : (given ?? fallback),
        default: fallback,
        set: given !== undefined,
        detail,
      }
    },
  )
