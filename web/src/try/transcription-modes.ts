import type { CapabilityDescriptor, Descriptor, FormState } from './form-state.ts'

const MODE_OPTION = 'transcription.mode'

/** Modes of transcription that no engine here can serve. */
const missing = ({ transcription }: Descriptor): string[] =>
  (transcription?.modes ?? []).filter(({ available }) => !available).map(({ id }) => id)

/** The modes that a capability offers and nobody serves; with none left the capability cannot be had. */
export const unavailableModes = (
  descriptor: Descriptor,
  { options }: CapabilityDescriptor,
): { optionId: string; modes: readonly string[]; isNoneLeft: boolean } => {
  const option = options.find(({ id }) => id === MODE_OPTION)
  const gone = missing(descriptor)
  const modes = (option?.allowedValues ?? []).map(String).filter((mode) => gone.includes(mode))
  return {
    optionId: MODE_OPTION,
    modes,
    isNoneLeft: modes.length > 0 && modes.length === option?.allowedValues?.length,
  }
}

/** Puts a mode that can be had in the place of a default that cannot. */
export const withServedModes = (descriptor: Descriptor, form: FormState): FormState => {
  const { transcription, capabilities } = descriptor
  const served = transcription?.modes.find(({ available }) => available)?.id
  if (!transcription || served === undefined) return form
  const gone = missing(descriptor)
  const replace = (options: CapabilityDescriptor['options'], id: string) => {
    const usual = options.find((option) => option.id === id)?.defaultValue
    return gone.includes(String(usual)) ? { [id]: served } : {}
  }
  const own = capabilities.flatMap(({ id, options }) => {
    const replaced = replace(options, MODE_OPTION)
    return Object.keys(replaced).length > 0 ? [[id, replaced] as const] : []
  })
  return { ...form, own: Object.fromEntries(own), transcription: replace(transcription.options, 'mode') }
}
