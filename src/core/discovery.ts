import {
  type Capability,
  type Catalog,
  type Constraint,
  type Format,
  holdsFor,
  jobKind,
  type OptionSpec,
  type OptionValue,
  type Tool,
} from './catalog.ts'
import { PRICE_METRICS } from './metrics.ts'
import type { AccountPlan } from './plans.ts'
import { TRANSCRIPTION_OPTIONS } from './transcription.ts'

/** Which outside programs are there; discovery says what cannot be had without them. */
export type ToolCheck = (tool: Tool) => boolean

type OptionDescriptor = {
  id: string
  type: string
  required?: boolean
  defaultValue: OptionValue
  allowedValues?: readonly OptionValue[]
  min?: number
  max?: number
  maxLength?: number
  shared?: boolean
  pattern?: string
  detail?: string
}

/** What a client needs to build a request for one format: `GET /options/{format}`. */
export const describeOptions = (format: Format, extension: string, hasTool: ToolCheck) => ({
  format: extension,
  job: jobKind(extension),
  defaults: {
    selectedCapabilities: format.capabilities.filter((c) => c.defaultSelected).map((c) => c.id),
    includeManifest: true,
    capabilityOptions: Object.fromEntries(
      format.capabilities
        .filter((c) => Object.keys(c.options).length > 0)
        .map((c) => [
          c.id,
          Object.fromEntries(Object.entries(c.options).map(([id, option]) => [id, option.defaultValue])),
        ]),
    ) as Record<string, Record<string, OptionValue>>,
  },
  capabilities: format.capabilities.map((capability) => ({
    id: capability.id,
    output: capability.output,
    defaultSelected: capability.defaultSelected,
    available: isAvailable(format, capability, extension, hasTool),
    ...(capability.detail ? { detail: capability.detail } : {}),
    options: describeSpecs(capability.options),
  })),
  constraints: (format.constraints ?? []) as readonly Constraint[],
  ...(format.transcription
    ? {
        transcription: {
          modes: format.transcription.modes,
          languages: format.transcription.languages,
          options: describeSpecs(TRANSCRIPTION_OPTIONS),
        },
      }
    : {}),
})

const describeSpecs = (specs: Readonly<Record<string, OptionSpec>>): OptionDescriptor[] =>
  Object.entries(specs).map(([id, option]) => {
    const { type, required, defaultValue, detail, ...limits } = option
    const allowed = type === 'boolean' ? { allowedValues: [true, false] } : {}
    const { secret: _secret, installed: _installed, ...shown } = limits as { secret?: boolean; installed?: boolean }
    return {
      id,
      type,
      ...(required ? { required } : {}),
      defaultValue,
      ...allowed,
      ...shown,
      ...(detail ? { detail } : {}),
    }
  })

/** Whether what a file with this extension needs is there; with none, what every file of the family needs. */
export const isAvailable = (
  format: Format,
  capability: Capability | undefined,
  extension: string | null,
  hasTool: ToolCheck,
): boolean =>
  [...(format.tools ?? []), ...(capability?.tools ?? [])]
    .filter(({ optional, extensions }) => !optional && (!extensions || extensions.includes(extension ?? '')))
    .every(hasTool)

/** One record of `GET /extractors`: a family, what it takes, and how it is priced. */
export const describeExtractor = (format: Format, extension: string | null, plan: AccountPlan, hasTool: ToolCheck) => ({
  job: extension === null ? `extract.${format.name}` : jobKind(extension),
  extractor: format.name,
  category: format.category,
  pool: format.pool,
  sourceFormats: format.extensions,
  capabilities: format.capabilities.map((capability) => capability.id),
  costing: {
    rule: 'max' as const,
    minimum: 1,
    terms: format.price
      .filter((term) => holdsFor(term, extension))
      .map(({ metric, per, credits = 1, extensions }) => ({
        metric,
        per,
        ...(credits === 1 ? {} : { credits }),
        unit: PRICE_METRICS[metric].unit,
        fields: PRICE_METRICS[metric].fields,
        ...(extension === null && extensions ? { extensions } : {}),
      })),
    addOns: format.capabilities.flatMap((capability) =>
      (capability.addOns ?? [])
        .filter((addOn) => holdsFor(addOn, extension))
        .map(({ metric, per, credits, when, once, extensions }) => ({
          capabilityId: capability.id,
          mode: when?.value ?? null,
          unit: PRICE_METRICS[metric].unit,
          per,
          credits: credits ?? 1,
          ...(once ? { once } : {}),
          ...(extension === null && extensions ? { extensions } : {}),
        })),
    ),
  },
  limits: {
    maxFileSizeMb: plan.maxFileSizeMb,
    ...(format.price.some((term) => term.metric === 'minutes') ? { maxDurationMinutes: plan.maxDurationMinutes } : {}),
    ...(format.limits?.maxUnits ? { maxUnits: format.limits.maxUnits } : {}),
  },
  available: isAvailable(format, undefined, extension, hasTool),
})

/** The compact schema of `GET /schema`. */
export const describeSchema = (catalog: Catalog, version: string) => ({
  version,
  formats: catalog.formats.flatMap((format) =>
    format.extensions.map((extension) => ({
      extension,
      category: format.category,
      job: jobKind(extension),
      outputs: [...new Set(format.capabilities.map((capability) => capability.output))],
      mimeTypes: format.mimeTypes[extension] ?? [],
    })),
  ),
})
