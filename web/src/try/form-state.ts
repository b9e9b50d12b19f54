import type { z } from 'zod'
import { type OptionSpec, type OptionValue, valueProblem } from '../../../src/core/catalog.ts'
import { isBroken, type ResolvedCapability } from '../../../src/core/constraints.ts'
import type { optionsDescriptorSchema, schemaSchema } from '../../../src/http/schemas.ts'
import { toSentence } from '../design/format.ts'

export type SupportedFormat = z.infer<typeof schemaSchema>['formats'][number]
export type Descriptor = z.infer<typeof optionsDescriptorSchema>
export type CapabilityDescriptor = Descriptor['capabilities'][number]
export type OptionDescriptor = CapabilityDescriptor['options'][number]
export type ConstraintDescriptor = Descriptor['constraints'][number]
export type Workflow = 'extract' | 'transcribe'
/** What was typed may not be a value yet. */
export type Values = Readonly<Record<string, OptionValue>>

/** What a visitor chose for a file. Values that were not touched are the defaults, and are not kept here. */
export type FormState = {
  workflow: Workflow
  selected: readonly string[]
  /** By capability, then by option. */
  own: Readonly<Record<string, Values>>
  /** Options about the file, asked once for all capabilities. */
  shared: Values
  transcription: Values
  includeManifest: boolean
}

/** The form as it first stands: what is selected by default and can be had. */
export const beginForm = ({ defaults, capabilities }: Descriptor): FormState => ({
  workflow: 'extract',
  selected: capabilities
    .filter(({ id, available }) => available && defaults.selectedCapabilities.includes(id))
    .map(({ id }) => id),
  own: {},
  shared: {},
  transcription: {},
  includeManifest: defaults.includeManifest,
})

/** Options that are asked once: each that several capabilities share, of those selected. */
export const sharedOptions = ({ capabilities }: Descriptor, { selected }: FormState): OptionDescriptor[] => {
  const found = new Map<string, OptionDescriptor>()
  for (const { id, options } of capabilities) {
    if (!selected.includes(id)) continue
    for (const option of options) if (option.shared && !found.has(option.id)) found.set(option.id, option)
  }
  return [...found.values()]
}

export const optionValue = (values: Values | undefined, option: OptionDescriptor): OptionValue =>
  values?.[option.id] ?? option.defaultValue

/** Why a value cannot be sent; undefined when it can. By the very rules of the service. */
export const problemOf = (option: OptionDescriptor, value: OptionValue): string | undefined => {
  const problem = valueProblem(option as unknown as OptionSpec, value)
  if (problem === undefined) return undefined
  // A pattern says nothing to most people; what the option is about does.
  return problem.startsWith('must match') ? 'Must be written as described.' : `${toSentence(problem)}.`
}

const valuesFor = (
  { options, id }: CapabilityDescriptor,
  { own, shared }: FormState,
): [OptionDescriptor, OptionValue][] =>
  options.map((option) => [option, optionValue(option.shared ? shared : own[id], option)])

const selectedOf = ({ capabilities }: Descriptor, { selected }: FormState): CapabilityDescriptor[] =>
  capabilities.filter(({ id }) => selected.includes(id))

/** The selection as the service would understand it, defaults filled in. */
export const resolve = (descriptor: Descriptor, form: FormState): ResolvedCapability[] =>
  selectedOf(descriptor, form).map((capability) => ({
    id: capability.id,
    values: Object.fromEntries(valuesFor(capability, form).map(([{ id }, value]) => [id, value])),
  }))

/** The constraints that the selection breaks. */
export const brokenConstraints = (descriptor: Descriptor, form: FormState): ConstraintDescriptor[] => {
  if (form.workflow === 'transcribe') return []
  const resolved = resolve(descriptor, form)
  return descriptor.constraints.filter((constraint) => isBroken(withoutUndefined(constraint), resolved))
}
const withoutUndefined = ({ option, ...rest }: ConstraintDescriptor) => (option ? { ...rest, option } : rest)

/** What would mend a broken constraint, and the form after it. */
export const fixFor = (
  { capabilities }: Descriptor,
  form: FormState,
  { type, capabilityId, targets }: ConstraintDescriptor,
): { add: readonly string[]; remove: readonly string[]; form: FormState } => {
  const isAvailable = (id: string) => capabilities.some((capability) => capability.id === id && capability.available)
  const add = type === 'requires' ? targets.filter((id) => !form.selected.includes(id)) : []
  if (type === 'requires' && !add.every(isAvailable)) {
    return { add: [], remove: [capabilityId], form: { ...form, selected: without(form.selected, [capabilityId]) } }
  }
  const remove = type === 'excludes' ? targets.filter((id) => form.selected.includes(id)) : []
  return { add, remove, form: { ...form, selected: [...without(form.selected, remove), ...add] } }
}
const without = (ids: readonly string[], gone: readonly string[]): string[] => ids.filter((id) => !gone.includes(id))

/** Whether everything that was chosen can be sent. */
export const isSendable = (descriptor: Descriptor, form: FormState): boolean => {
  if (form.workflow === 'transcribe') {
    return (descriptor.transcription?.options ?? []).every(
      (option) => problemOf(option, optionValue(form.transcription, option)) === undefined,
    )
  }
  const isGood = (capability: CapabilityDescriptor) =>
    valuesFor(capability, form).every(([option, value]) => problemOf(option, value) === undefined)
  return (
    form.selected.length > 0 &&
    selectedOf(descriptor, form).every(isGood) &&
    brokenConstraints(descriptor, form).length === 0
  )
}

/** Whether an option must not be shown or sent further than it has to. */
export const isSecret = ({ id, type }: Pick<OptionDescriptor, 'id' | 'type'>): boolean =>
  type === 'string' && /password|secret/i.test(id)

type OptionsBody =
  | {
      extraction: {
        selectedCapabilities: string[]
        includeManifest?: boolean
        capabilityOptions?: Record<string, Record<string, OptionValue>>
      }
    }
  | { transcription: Record<string, OptionValue> }

/** The `options` of a submission: what differs from the defaults, and what must always be told. */
export const toOptions = (
  descriptor: Descriptor,
  form: FormState,
  writeSecret: (value: OptionValue) => OptionValue | undefined = (value) => value,
): OptionsBody => {
  if (form.workflow === 'transcribe') {
    const options = descriptor.transcription?.options ?? []
    return { transcription: told(options.map((option) => [option, optionValue(form.transcription, option)])) }
  }
  const selected = selectedOf(descriptor, form)
  const values = selected.flatMap((capability) => {
    const own = told(valuesFor(capability, form), writeSecret)
    return Object.keys(own).length > 0 ? [[capability.id, own] as const] : []
  })
  return {
    extraction: {
      selectedCapabilities: selected.map(({ id }) => id),
      ...(form.includeManifest === descriptor.defaults.includeManifest
        ? {}
        : { includeManifest: form.includeManifest }),
      ...(values.length > 0 ? { capabilityOptions: Object.fromEntries(values) } : {}),
    },
  }
}

const told = (
  values: readonly (readonly [OptionDescriptor, OptionValue])[],
  writeSecret: (value: OptionValue) => OptionValue | undefined = (value) => value,
): Record<string, OptionValue> =>
  Object.fromEntries(
    values.flatMap(([option, value]): [string, OptionValue][] => {
      const isDefault = JSON.stringify(value) === JSON.stringify(option.defaultValue)
      if (isDefault && !option.required) return []
      const shown = isSecret(option) ? writeSecret(value) : value
      return shown === undefined ? [] : [[option.id, shown]]
    }),
  )

const ACRONYMS = /\b(?:csv|docx|dpi|epub|hocr|html|json|mcp|ocr|pdf|srt|toc|txt|vtt|xml)\b/gi

/** An id of the service in words: `frameIntervalSeconds` is "Frame interval seconds". */
export const inWords = (id: string): string => {
  const words = id
    .slice(id.lastIndexOf('.') + 1)
    .replace(/[-_]/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
  return toSentence(words.replace(ACRONYMS, (word) => word.toUpperCase()))
}
