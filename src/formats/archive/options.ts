import { MAX_FILES } from './limits.ts'

const PATTERN_HELP = '`*` stands for any characters of a name, `**/` for any folders. Several between commas.'

/** Which members are meant. */
export const nameOptions = {
  include: {
    type: 'string',
    defaultValue: '',
    maxLength: 1_000,
    detail: `Only files with names like this: \`*.pdf, docs/**\`. ${PATTERN_HELP}`,
  },
  exclude: {
    type: 'string',
    defaultValue: '',
    maxLength: 1_000,
    detail: `No files with names like this. ${PATTERN_HELP}`,
  },
} as const

export const maxFilesOption = {
  type: 'integer',
  min: 1,
  max: MAX_FILES,
  defaultValue: MAX_FILES,
  detail: 'How many files are taken, in the order of the archive.',
} as const
