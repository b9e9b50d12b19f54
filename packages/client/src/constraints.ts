import type { CapabilityId, CapabilityOptions } from './generated.ts'
import type { Constraint, OptionsDescriptor } from './records.ts'

/** What a job is to make: capabilities, and options of theirs; the defaults of the format where nothing is said. */
export type Selection = {
  selectedCapabilities?: readonly CapabilityId[]
  capabilityOptions?: { [Id in CapabilityId]?: CapabilityOptions[Id] }
}

/** The constraints of a format that a selection breaks; with none, the service will not refuse it for them. */
export const findBrokenConstraints = (
  { defaults, constraints }: OptionsDescriptor,
  { selectedCapabilities = defaults.selectedCapabilities, capabilityOptions = {} }: Selection,
): Constraint[] => {
  const isSelected = (id: CapabilityId) => selectedCapabilities.includes(id)
  const readValue = (id: CapabilityId, option: string): unknown =>
    (capabilityOptions[id] as Readonly<Record<string, unknown>> | undefined)?.[option] ??
    defaults.capabilityOptions[id]?.[option]
  return constraints.filter(({ type, capabilityId, option, targets }) => {
    if (!isSelected(capabilityId)) return false
    if (option && readValue(capabilityId, option.id) !== option.value) return false
    return type === 'requires' ? !targets.every(isSelected) : targets.some(isSelected)
  })
}
