import type { Catalog, OptionSpec, OptionSpecs } from '../src/core/catalog.ts'
import { API_ERRORS, JOB_FAILURES } from '../src/core/errors.ts'
import { JOB_STATES, SETTLEMENT } from '../src/core/job-states.ts'
import { PRICE_METRICS } from '../src/core/metrics.ts'
import { WEBHOOK_EVENTS } from '../src/core/options.ts'
import { TRANSCRIPTION_OPTIONS } from '../src/core/transcription.ts'

const WIDTH = 120
/** Unions of more values than this get a name of their own, as several capabilities tend to share them. */
const MAX_INLINE_VALUES = 12

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const key = (text: string): string => (/^[A-Za-z_$][\w$]*$/.test(text) ? text : quote(text))
const pascal = (text: string): string => text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, c) => c.toUpperCase())

/** `head` and a union after it: on one line where it fits, else a line for each member, as the formatter wants it. */
const union = (head: string, members: readonly string[], indent = ''): string => {
  const line = `${indent}${head} ${members.join(' | ')}`
  return line.length <= WIDTH ? line : `${indent}${head}\n${members.map((m) => `${indent}  | ${m}`).join('\n')}`
}

const comment = (text: string, indent: string): string => `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`

/** The types of the TypeScript client, as the catalog and the error tables have them. */
export const generateClientTypes = (catalog: Catalog): string => {
  const named = new Map<string, { name: string; values: readonly string[] }>()
  const optionSpecs = collectOptions(catalog)
  const nameUnion = (owner: string, id: string, values: readonly string[]): string => {
    const known = named.get(values.join('\n'))
    if (known) return known.name
    const taken = [...named.values()].some(({ name }) => name === pascal(id))
    const name = taken ? pascal(`${owner}.${id}`) : pascal(id)
    named.set(values.join('\n'), { name, values })
    return name
  }
  const capabilities = [...optionSpecs].map(([id, specs]) => {
    const fields = Object.entries(specs).map(([optionId, option]) =>
      optionField(id, optionId, option, nameUnion, '    '),
    )
    return fields.length === 0 ? `  ${key(id)}: Record<string, never>\n` : `  ${key(id)}: {\n${fields.join('')}  }\n`
  })
  const transcription = Object.entries(TRANSCRIPTION_OPTIONS as OptionSpecs).map(([id, option]) =>
    optionField('transcription', id, option, nameUnion, '  '),
  )
  const literals = (values: Iterable<string>): string[] => [...new Set(values)].map(quote)
  const families = catalog.formats.map((format) => ({
    ...{ name: format.name, extensions: format.extensions },
    capabilities: format.capabilities.map((capability) => capability.id),
  }))
  const metricFields = [...new Set(Object.values(PRICE_METRICS).flatMap(({ fields }) => fields))]
  return [
    '// Written by `npm run generate` from the catalog and the error tables. Change those, not this file.\n',
    '/** Every code that a request can be refused with, and the status it comes with. */',
    `export const REQUEST_ERRORS = {\n${Object.entries(API_ERRORS)
      .map(([code, { status, detail }]) => `${comment(detail, '  ')}  ${key(code)}: ${status},\n`)
      .join('')}} as const`,
    '/** A code that a request can be refused with. */',
    'export type RequestErrorCode = keyof typeof REQUEST_ERRORS\n',
    '/** Every code that a failed job can carry, and what it means. */',
    `export const JOB_FAILURES = {\n${Object.entries(JOB_FAILURES)
      .map(([code, detail]) => `  ${quote(code)}: ${quote(detail)},\n`)
      .join('')}} as const`,
    '/** A code that a failed job can carry. */',
    'export type JobFailureCode = keyof typeof JOB_FAILURES\n',
    '/** Where a job can stand. */',
    union('export type JobStatus =', literals(JOB_STATES)),
    '/** The states that end a job. */',
    `export const END_STATES = [${literals(Object.keys(SETTLEMENT)).join(', ')}] as const`,
    '/** What a webhook can tell of. */',
    union('export type WebhookEventType =', literals(WEBHOOK_EVENTS)),
    '/** What `estimate` takes as metrics of a file. */',
    union('export type MetricField =', literals(metricFields)),
    '/** Categories of formats. */',
    union('export type Category =', literals(catalog.formats.map((format) => format.category))),
    '/** Groups of artifacts, which are the folders of the result. */',
    union('export type OutputGroup =', literals(catalog.formats.flatMap((f) => f.capabilities.map((c) => c.output)))),
    '',
    ...families.flatMap(({ name, extensions }) => [
      `/** Extensions of the family ${name}. */`,
      union(`export type ${pascal(name)}Extension =`, literals(extensions)),
    ]),
    '/** Extensions of files that the service takes. */',
    union(
      'export type SourceExtension =',
      families.map(({ name }) => `${pascal(name)}Extension`),
    ),
    '',
    '/** Capabilities by the family that has them. */',
    `export type FamilyCapabilities = {\n${families
      .map(({ name, capabilities: ids }) => `${union(`${key(name)}:`, literals(ids), '  ')}\n`)
      .join('')}}\n`,
    ...[...named.values()].flatMap(({ name, values }) => [
      `/** Values of the option ${quote(name.charAt(0).toLowerCase() + name.slice(1))}. */`,
      union(`export type ${name} =`, values.map(quote)),
    ]),
    '',
    '/** Options of each capability. An operator with formats of their own adds to it by declaration merging. */',
    `export interface CapabilityOptions {\n${capabilities.join('')}}`,
    '/** A capability that a job can ask for. */',
    'export type CapabilityId = keyof CapabilityOptions\n',
    '/** What `transcribe` takes. */',
    `export type TranscriptionOptions = {\n${transcription.join('')}}`,
    '/** How a transcript is made; they differ in price. */',
    "export type TranscriptionMode = NonNullable<TranscriptionOptions['mode']>\n",
  ].join('\n')
}

/** Each capability once, though families share some: what they share must be the same everywhere. */
const collectOptions = (catalog: Catalog): Map<string, OptionSpecs> => {
  const specs = new Map<string, OptionSpecs>()
  for (const { id, options } of catalog.formats.flatMap((format) => format.capabilities)) {
    const known = specs.get(id)
    if (known && JSON.stringify(known) !== JSON.stringify(options)) throw new Error(`${id} has two sets of options`)
    specs.set(id, options)
  }
  return specs
}

type NameUnion = (owner: string, id: string, values: readonly string[]) => string

const optionField = (owner: string, id: string, option: OptionSpec, nameUnion: NameUnion, indent: string): string => {
  const detail = [option.detail, describeDefault(option)].filter((part) => part).join(' ')
  return `${comment(detail, indent)}${union(`${key(id)}?:`, valueTypes(owner, id, option, nameUnion), indent)}\n`
}

const describeDefault = (option: OptionSpec): string => {
  const limits = option.type === 'integer' || option.type === 'number' ? `${option.min} to ${option.max}. ` : ''
  return `${limits}Default: ${JSON.stringify(option.defaultValue)}.`
}

const valueTypes = (owner: string, id: string, option: OptionSpec, nameUnion: NameUnion): string[] => {
  switch (option.type) {
    case 'enum':
      return option.allowedValues.length > MAX_INLINE_VALUES
        ? [nameUnion(owner, id, option.allowedValues)]
        : option.allowedValues.map(quote)
    case 'boolean':
      return ['boolean']
    case 'integer':
    case 'number':
      return ['number']
    case 'string':
      return ['string']
    case 'list':
      // What is installed differs from service to service; `options(format)` tells.
      return [option.installed ? 'readonly string[]' : `readonly (${option.allowedValues.map(quote).join(' | ')})[]`]
  }
}
