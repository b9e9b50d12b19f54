import { passwordOption } from '../shared/password-option.ts'

/** Whether hidden slides are part of what is read; given for one capability, it holds for all. */
export const hiddenSlidesOption = {
  type: 'enum',
  allowedValues: ['keep', 'drop'],
  defaultValue: 'keep',
  shared: true,
  detail: '`keep`: hidden slides too, marked as such.',
} as const

/** Whether what the speaker is to say stands after each slide. */
export const notesOption = {
  type: 'enum',
  allowedValues: ['drop', 'keep'],
  defaultValue: 'drop',
  detail: '`keep`: the notes of the speaker after each slide.',
} as const

/** Options of every capability that reads the slides as a document. */
export const slideOptions = { password: passwordOption, hiddenSlides: hiddenSlidesOption, notes: notesOption } as const
