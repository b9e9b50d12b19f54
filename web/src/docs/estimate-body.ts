import { type AddOn, addOnKey, findModeOption, type Options } from './catalog.ts'

/** What the reader has entered. */
export type Inputs = {
  workflow: 'extract' | 'transcribe'
  /** Of a transcript alone. */
  mode: string
  /** By field of the estimate, as typed. */
  amounts: Readonly<Record<string, string>>
  /** The key of the add-on chosen of each group; empty for none. */
  chosen: Readonly<Record<string, string>>
}

export type MetricField = { field: string; label: string; initial: string }

const METRICS: Readonly<Record<string, MetricField>> = {
  megabyte: { field: 'fileSizeMb', label: 'Size, MB', initial: '10' },
  minute: { field: 'durationMinutes', label: 'Duration, minutes', initial: '5' },
  page: { field: 'pageCount', label: 'Pages', initial: '24' },
  slide: { field: 'slideCount', label: 'Slides', initial: '24' },
  sheet: { field: 'sheetCount', label: 'Sheets', initial: '3' },
  frame: { field: 'frameCount', label: 'Frames', initial: '1' },
}

/** The fields of an estimate for everything that these terms count. */
export const metricsOf = (terms: readonly { unit: string }[]): MetricField[] =>
  [...new Set(terms.map(({ unit }) => unit))].flatMap((unit) => METRICS[unit] ?? [])

/** The key of the add-on of a group that is due when nothing is chosen. */
export const defaultAddOn = (options: Options, group: readonly AddOn[]): string => {
  const due = group.find(({ capabilityId, mode }) => {
    const capability = options.capabilities.find(({ id }) => id === capabilityId)
    if (!capability?.defaultSelected) return false
    return mode === null || findModeOption(capability, mode)?.defaultValue === mode
  })
  return due ? addOnKey(due) : ''
}

/** The body of `POST /estimate/{ext}` for what was entered. */
export const buildEstimate = (
  options: Options,
  addOns: readonly AddOn[],
  metrics: readonly MetricField[],
  { workflow, mode, amounts, chosen }: Inputs,
): object => {
  const measured = Object.fromEntries(
    metrics.flatMap(({ field, initial }) => {
      const text = amounts[field] ?? initial
      const amount = Number(text)
      if (text.trim() === '' || !Number.isFinite(amount)) return []
      return [[field, field.endsWith('Count') ? Math.ceil(amount) : amount]]
    }),
  )
  if (workflow === 'transcribe') return { ...measured, workflow, mode }
  const wanted = addOns.filter((addOn) => Object.values(chosen).includes(addOnKey(addOn)))
  // What is priced by itself is selected only where it was chosen; the rest is as the format has it.
  const priced = new Set(addOns.filter((addOn) => addOn.mode === null).map(({ capabilityId }) => capabilityId))
  const selected = options.defaults.selectedCapabilities.filter((id) => !priced.has(id))
  const capabilityOptions = Object.fromEntries(
    wanted.flatMap(({ capabilityId, mode: value }) => {
      const capability = options.capabilities.find(({ id }) => id === capabilityId)
      const option = value === null ? undefined : findModeOption(capability, value)
      return option ? [[capabilityId, { [option.id]: value }]] : []
    }),
  )
  return {
    ...measured,
    options: {
      extraction: {
        selectedCapabilities: [...new Set([...selected, ...wanted.map(({ capabilityId }) => capabilityId)])],
        capabilityOptions,
      },
    },
  }
}
