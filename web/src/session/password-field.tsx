import { TextField } from '../design/field.tsx'

/** A password, old or new, which the visitor may choose to see. */
export const PasswordField = ({
  isShown,
  ...field
}: {
  label: string
  name: string
  autoComplete: 'current-password' | 'new-password'
  isShown: boolean
  hint?: string
  problem: string | undefined
}) => <TextField {...field} type={isShown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} required />
