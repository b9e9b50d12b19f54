import { useState } from 'react'
import { CheckField, TextField } from '../design/field.tsx'
import { PASSWORD_RULE } from './credentials.ts'
import { PasswordField } from './password-field.tsx'

/** E-mail and password: of an account that is there, or of a new one. */
export const CredentialFields = ({
  isNew = false,
  problems,
}: {
  isNew?: boolean
  problems: Readonly<Record<string, string | undefined>>
}) => {
  const [isShown, setIsShown] = useState(false)
  return (
    <>
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete={isNew ? 'email' : 'username'}
        required
        maxLength={254}
        hint={isNew && 'You sign in with it. No mail is sent.'}
        problem={problems.email}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        isShown={isShown}
        {...(isNew ? { hint: PASSWORD_RULE } : {})}
        problem={problems.password}
      />
      <CheckField label="Show the password" checked={isShown} onChange={(event) => setIsShown(event.target.checked)} />
    </>
  )
}
