import type { Constraint, OptionValue } from './catalog.ts'

/** A chosen capability with a value for each of its options. */
export type ResolvedCapability = { id: string; values: Readonly<Record<string, OptionValue>> }

/** True where the constraint applies to this selection and is broken. The website's forms ask it too. */
export const isBroken = (constraint: Constraint, capabilities: readonly ResolvedCapability[]): boolean => {
  const owner = capabilities.find((capability) => capability.id === constraint.capabilityId)
  if (!owner) return false
  if (constraint.option && owner.values[constraint.option.id] !== constraint.option.value) return false
  const has = (id: string) => capabilities.some((capability) => capability.id === id)
  return constraint.type === 'requires' ? !constraint.targets.every(has) : constraint.targets.some(has)
}
