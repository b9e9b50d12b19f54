import { passwordOption } from '../shared/password-option.ts'
/** Whether hidden slides are part of what is read; given for one capability, it holds for all. */
export const hiddenSlidesOption = {
  type: 'enum',
  allowedValues: ['keep', 'drop'],
  defaultValue: 'keep',
  shared: true,
  detail: '`keep`: hidden slides of a presentation too, marked as such.',
} as const

/** Options of every capability that reads the file as a document. */
export const readingOptions = {
  password: passwordOption,
  hiddenSlides: hiddenSlidesOption,
  notes: {
    type: 'enum',
    allowedValues: ['drop', 'keep'],
    defaultValue: 'drop',
    detail: '`keep`: the notes of the speaker after each slide of a presentation.',
  },
} as const
