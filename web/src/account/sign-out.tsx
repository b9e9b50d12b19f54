import { useState } from 'react'
import { useLocation } from 'wouter'
import { post } from '../api/client.ts'
import { Button } from '../design/button.tsx'
import { ErrorNotice } from '../design/feedback.tsx'
import { useSession } from '../session/session.tsx'

/** Ends the session of this browser and leaves the account. */
export const SignOutButton = ({ look }: { look?: 'quiet' }) => {
  const { refresh } = useSession()
  const [, navigate] = useLocation()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const signOut = async () => {
    setBusy(true)
    try {
      await post('/web/sign-out')
      // Away first: the account's pages would ask to sign in again.
      navigate('/')
      refresh()
    } catch (cause) {
      setError(cause)
      setBusy(false)
    }
  }
  return (
    <>
      <Button {...(look ? { look } : {})} busy={busy} onClick={signOut}>
        Sign out
      </Button>
      {error !== undefined && <ErrorNotice error={error} />}
    </>
  )
}
