import type { Capability, Constraint, Format, OptionSpec, OptionValue, SharedValues } from './catalog.ts'
import { valueProblem } from './catalog.ts'
import { isBroken, type ResolvedCapability } from './constraints.ts'
import { RequestError } from './errors.ts'
import type { Workflow } from './job-states.ts'
import { TRANSCRIPT_CAPABILITY, TRANSCRIPTION_OPTIONS, type TranscriptionOptions } from './transcription.ts'

export const WEBHOOK_EVENTS = ['job.succeeded', 'job.failed', 'job.canceled'] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]
export type WebhookRequest = { url: string; secret: string | null; events: readonly WebhookEvent[] }

/** What a job is to do: the client's options, checked against the catalog and completed with its defaults. */
export type JobPlan = {
  workflow: Workflow
  capabilities: readonly ResolvedCapability[]
  includeManifest: boolean
  transcription: TranscriptionOptions | null
  webhook: WebhookRequest | null
}

type Json = Readonly<Record<string, unknown>>

const EXTRACTION_FIELDS = ['selectedCapabilities', 'includeManifest', 'capabilityOptions'] as const
const WEBHOOK_FIELDS = ['webhookUrl', 'webhookSecret', 'webhookEvents'] as const

/** Turns the `options` of a submission or an estimate into a plan, or refuses with the path of what is wrong. */
export const resolveOptions = (format: Format, workflow: Workflow, raw: unknown): JobPlan => {
  const options = raw === undefined || raw === null ? {} : asObject(raw, 'options')
  const own = workflow === 'extract' ? 'extraction' : 'transcription'
  refuseUnknownFields(options, [own, ...WEBHOOK_FIELDS], 'options')
  const webhook = resolveWebhook(options)
  if (workflow === 'transcribe') {
    const transcription = resolveTranscription(format, options.transcription)
    const { mode, ...values } = transcription
    // A transcript-only job is an extraction of the transcript alone.
    const capabilities = [{ id: TRANSCRIPT_CAPABILITY, values: { 'transcription.mode': mode, ...values } }]
    return { workflow, capabilities, includeManifest: false, transcription, webhook }
  }
  const extraction = options.extraction == null ? {} : asObject(options.extraction, 'options.extraction')
  refuseUnknownFields(extraction, EXTRACTION_FIELDS, 'options.extraction')
  const selected = resolveSelection(format, extraction.selectedCapabilities)
  const values = resolveValues(format, selected, extraction.capabilityOptions)
  const capabilities = selected.map((capability) => ({ id: capability.id, values: values(capability) }))
  for (const constraint of format.constraints ?? []) checkConstraint(constraint, capabilities)
  const includeManifest = extraction.includeManifest ?? true
  if (typeof includeManifest !== 'boolean') {
    throw invalid('options.extraction.includeManifest', includeManifest, 'must be true or false')
  }
  return { workflow, capabilities, includeManifest, transcription: null, webhook }
}

/** The `options` form field as sent: a JSON object in text. */
export const parseOptionsJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new RequestError(
      'request.invalid_parameter',
      { path: 'options', allowed: 'a JSON object' },
      { detail: 'options is not JSON.', cause },
    )
  }
}

const resolveSelection = (format: Format, raw: unknown): Capability[] => {
  if (raw === undefined || raw === null) return format.capabilities.filter((capability) => capability.defaultSelected)
  const path = 'options.extraction.selectedCapabilities'
  const allowed = format.capabilities.map((capability) => capability.id)
  if (!Array.isArray(raw)) throw invalid(path, raw, 'must be an array of capability ids', allowed)
  if (raw.length === 0) throw invalid(path, raw, 'must name at least one capability', allowed)
  raw.forEach((id, i) => {
    if (!allowed.includes(id)) throw invalid(`${path}[${i}]`, id, `is not a capability of ${format.name}`, allowed)
  })
  // Catalog order, whatever order the client wrote: the same request always makes the same job.
  return format.capabilities.filter((capability) => raw.includes(capability.id))
}

const resolveValues = (format: Format, selected: readonly Capability[], raw: unknown) => {
  const path = 'options.extraction.capabilityOptions'
  const given = raw === undefined || raw === null ? {} : asObject(raw, path)
  for (const [id, options] of Object.entries(given)) {
    const capability = format.capabilities.find((candidate) => candidate.id === id)
    const allowed = format.capabilities.map((candidate) => candidate.id)
    if (!capability) throw invalid(`${path}.${id}`, id, `is not a capability of ${format.name}`, allowed)
    for (const [optionId, value] of Object.entries(asObject(options, `${path}.${id}`))) {
      const option = Object.hasOwn(capability.options, optionId) ? capability.options[optionId] : undefined
      const optionPath = `${path}.${id}.${optionId}`
      if (!option) throw invalid(optionPath, optionId, `is not an option of ${id}`, Object.keys(capability.options))
      const problem = valueProblem(option, value)
      if (problem)
        throw invalid(
          optionPath,
          option.type === 'string' && option.secret ? null : value,
          problem,
          describeAllowed(option),
        )
    }
  }
  const givenTo = (capability: Capability, id: string): unknown => ((given[capability.id] ?? {}) as Json)[id]
  const shared = (id: string): unknown =>
    selected
      .filter((capability) => Object.hasOwn(capability.options, id) && capability.options[id]?.shared)
      .map((capability) => givenTo(capability, id))
      .find((value) => value !== undefined && value !== null)
  return (capability: Capability): Readonly<Record<string, OptionValue>> => {
    const entries = Object.entries(capability.options).map(([id, option]) => {
      const value = givenTo(capability, id) ?? (option.shared ? shared(id) : undefined)
      return [id, value ?? option.defaultValue] as const
    })
    return Object.fromEntries(entries) as Record<string, OptionValue>
  }
}

/** The values of shared options: what the probe may know before any capability runs. */
export const sharedValues = (format: Format, capabilities: readonly ResolvedCapability[]): SharedValues => {
  const shared: Record<string, OptionValue> = {}
  for (const { id, values } of capabilities) {
    const specs = format.capabilities.find((capability) => capability.id === id)?.options ?? {}
    for (const [optionId, option] of Object.entries(specs)) {
      const value = values[optionId]
      if (!option.shared || value === undefined) continue
      const isDefault = (each: OptionValue | undefined) => JSON.stringify(each) === JSON.stringify(option.defaultValue)
      if (isDefault(shared[optionId] ?? option.defaultValue)) shared[optionId] = value
    }
  }
  return shared
}

const checkConstraint = (constraint: Constraint, capabilities: readonly ResolvedCapability[]): void => {
  if (isBroken(constraint, capabilities)) {
    throw new RequestError('request.constraint_violated', { constraint }, { detail: constraint.detail })
  }
}

const resolveTranscription = (format: Format, raw: unknown): TranscriptionOptions => {
  const path = 'options.transcription'
  const given = raw === undefined || raw === null ? {} : asObject(raw, path)
  refuseUnknownFields(given, Object.keys(TRANSCRIPTION_OPTIONS), path)
  const specs: Readonly<Record<string, OptionSpec>> = TRANSCRIPTION_OPTIONS
  const values = Object.entries(specs).map(([id, option]) => {
    const value = given[id] ?? option.defaultValue
    const problem = valueProblem(option, value)
    if (problem) throw invalid(`${path}.${id}`, value, problem, describeAllowed(option))
    return [id, value] as const
  })
  const modes = format.transcription?.modes.map((mode) => mode.id) ?? []
  const resolved = Object.fromEntries(values) as TranscriptionOptions
  if (!modes.includes(resolved.mode))
    throw invalid(`${path}.mode`, resolved.mode, 'is not a mode of this format', modes)
  return resolved
}

const resolveWebhook = (options: Json): WebhookRequest | null => {
  const { webhookUrl: url, webhookSecret: secret, webhookEvents: events } = options
  if (url === undefined || url === null) {
    for (const field of ['webhookSecret', 'webhookEvents']) {
      if (options[field] != null) throw invalid(`options.${field}`, null, 'needs options.webhookUrl beside it')
    }
    return null
  }
  if (typeof url !== 'string' || url.length > 2048 || !URL.canParse(url)) {
    throw invalid('options.webhookUrl', url, 'must be an absolute URL')
  }
  if (secret != null && (typeof secret !== 'string' || !isWebhookSecret(secret))) {
    throw invalid('options.webhookSecret', null, 'must be "whsec_" and 24 to 64 bytes in base64')
  }
  const known: readonly string[] = WEBHOOK_EVENTS
  if (
    events != null &&
    !(Array.isArray(events) && events.length > 0 && events.every((event) => known.includes(event)))
  ) {
    throw invalid('options.webhookEvents', events, 'must be a list of events', known)
  }
  return { url, secret: secret ?? null, events: (events as WebhookEvent[] | null | undefined) ?? WEBHOOK_EVENTS }
}

const isWebhookSecret = (secret: string): boolean => {
  const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64').length
  return secret.startsWith('whsec_') && bytes >= 24 && bytes <= 64
}

/** The value, if it is an object; refuses it by its path otherwise. */
export const asObject = (value: unknown, path: string): Json => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  throw invalid(path, value, 'must be an object')
}

const refuseUnknownFields = (value: Json, allowed: readonly string[], path: string): void => {
  for (const field of Object.keys(value)) {
    if (!allowed.includes(field))
      throw new RequestError('request.unknown_field', { field: `${path}.${field}`, allowed })
  }
}

const invalid = (path: string, value: unknown, problem: string, allowed?: unknown): RequestError =>
  new RequestError(
    'request.invalid_parameter',
    { path, value: value ?? null, ...(allowed === undefined ? {} : { allowed }) },
    { detail: `${path} ${problem}.` },
  )

const describeAllowed = (option: OptionSpec): unknown => {
  switch (option.type) {
    case 'enum':
    case 'list':
      return option.allowedValues
    case 'boolean':
      return [true, false]
    case 'integer':
    case 'number':
      return { min: option.min, max: option.max }
    case 'string':
      return { maxLength: option.maxLength, ...(option.pattern ? { pattern: option.pattern } : {}) }
  }
}

/** The plan without what must not be shown or kept: secret option values and the webhook's secret. */
export const redactPlan = (format: Format | undefined, plan: JobPlan): JobPlan => ({
  ...plan,
  webhook: plan.webhook && { ...plan.webhook, secret: null },
  capabilities: plan.capabilities.map(({ id, values }) => {
    const specs = format?.capabilities.find((capability) => capability.id === id)?.options ?? {}
    const shown = Object.entries(values).map(([key, value]) => {
      const spec = specs[key]
      return [key, spec?.type === 'string' && spec.secret && value !== '' ? '***' : value] as const
    })
    return { id, values: Object.fromEntries(shown) }
  }),
})

/** The transcript mode a plan asks for, by either door; null when it asks for no transcript. */
export const transcriptMode = (plan: JobPlan): string | null => {
  if (plan.transcription) return plan.transcription.mode
  const addOn = plan.capabilities.find((capability) => capability.id === TRANSCRIPT_CAPABILITY)
  return (addOn?.values['transcription.mode'] as string | undefined) ?? null
}
