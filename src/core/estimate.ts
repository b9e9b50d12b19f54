import { type Catalog, findFormat, normalizeExtension } from './catalog.ts'
import { RequestError } from './errors.ts'
import { BYTES_PER_MB, type Metrics, PRICE_METRICS } from './metrics.ts'
import { asObject, resolveOptions } from './options.ts'
import type { AccountPlan } from './plans.ts'
import { type Quote, quote } from './pricing.ts'

/** The body of `POST /estimate/{ext}`, its fields known and of the right type. */
export type EstimateRequest = {
  fileSizeBytes?: number | null
  fileSizeMb?: number | null
  durationSeconds?: number | null
  durationMinutes?: number | null
  pageCount?: number | null
  slideCount?: number | null
  sheetCount?: number | null
  documentUnitCount?: number | null
  frameCount?: number | null
  workflow?: 'extract' | 'transcribe' | null
  mode?: string | null
  options?: unknown
}

/** Quotes a job from the client's metrics, without the file. */
export const estimate = (
  catalog: Catalog,
  plan: AccountPlan,
  extensionText: string,
  request: EstimateRequest,
): Quote => {
  const extension = normalizeExtension(extensionText)
  const format = findFormat(catalog, extension)
  const workflow = request.workflow ?? 'extract'
  if (!format || (workflow === 'transcribe' && !format.transcription)) {
    throw new RequestError('estimate.unsupported_format', { format: extension })
  }
  const bytes = readBytes(request)
  checkFileSize(plan, bytes)
  const jobPlan = resolveOptions(format, workflow, withMode(workflow, request))
  const metrics = readMetrics(request, bytes)
  const quoted = quote(format, extension, jobPlan, metrics)
  checkDuration(plan, metrics)
  return quoted
}

const withMode = (workflow: string, { mode, options }: EstimateRequest): unknown => {
  if (workflow !== 'transcribe' || mode == null) return options
  const given = asObject(options ?? {}, 'options')
  return { ...given, transcription: { ...asObject(given.transcription ?? {}, 'options.transcription'), mode } }
}

const readBytes = ({ fileSizeBytes, fileSizeMb }: EstimateRequest): number => {
  const bytes = fileSizeBytes ?? (fileSizeMb == null ? 0 : fileSizeMb * BYTES_PER_MB)
  if (!(bytes > 0)) {
    throw new RequestError('estimate.invalid_file_size', { fields: PRICE_METRICS.megabytes.fields })
  }
  return bytes
}

const readMetrics = (request: EstimateRequest, bytes: number): Metrics => {
  const metrics: Metrics = { bytes }
  const durationSeconds =
    request.durationSeconds ?? (request.durationMinutes == null ? null : request.durationMinutes * 60)
  if (durationSeconds !== null) metrics.durationSeconds = durationSeconds
  const pages = request.pageCount ?? request.documentUnitCount
  const slides = request.slideCount ?? request.documentUnitCount
  const sheets = request.sheetCount ?? request.documentUnitCount
  if (pages != null) metrics.pages = pages
  if (slides != null) metrics.slides = slides
  if (sheets != null) metrics.sheets = sheets
  if (request.frameCount != null) metrics.frames = request.frameCount
  return metrics
}

/** Refuses a file over the plan's size, at an estimate and at a submission alike. */
export const checkFileSize = (plan: AccountPlan, bytes: number): void => {
  if (bytes > plan.maxFileSizeMb * BYTES_PER_MB) {
    throw new RequestError('request.file_too_large', { maxFileSizeMb: plan.maxFileSizeMb })
  }
}

/** Refuses a recording over the plan's duration, at an estimate and at a submission alike. */
export const checkDuration = (plan: AccountPlan, metrics: Metrics): void => {
  const minutes = (metrics.durationSeconds ?? 0) / 60
  if (minutes > plan.maxDurationMinutes) {
    throw new RequestError('estimate.duration_limit_exceeded', {
      durationMinutes: Math.ceil(minutes * 100) / 100,
      maxDurationMinutes: plan.maxDurationMinutes,
    })
  }
}
