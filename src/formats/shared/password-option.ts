/** Opens encrypted files; given for one capability, it holds for all. */
export const passwordOption = {
  type: 'string',
  defaultValue: '',
  maxLength: 127,
  secret: true,
  shared: true,
  detail: 'Password of an encrypted file.',
} as const
