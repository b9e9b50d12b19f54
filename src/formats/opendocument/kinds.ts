/** Extensions of presentations; all others are texts and drawings. */
export const PRESENTATIONS = ['odp', 'otp', 'fodp'] as const
export const TEXTS_AND_DRAWINGS = ['odt', 'ott', 'fodt', 'odg', 'otg', 'fodg'] as const

export const isPresentation = (extension: string): boolean => (PRESENTATIONS as readonly string[]).includes(extension)
