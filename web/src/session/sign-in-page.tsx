import { Link, Redirect, useSearch } from 'wouter'
import { post } from '../api/client.ts'
import { Button } from '../design/button.tsx'
import { ErrorNotice } from '../design/feedback.tsx'
import { Form, hasProblems, useForm } from '../design/form.tsx'
import { useTitle } from '../site.tsx'
import { CredentialFields } from './credential-fields.tsx'
import { checkEmail } from './credentials.ts'
import { takeNextPath, withNext } from './next-path.ts'
import styles from './session.module.css'
import { useSession } from './session.tsx'

/** Lets a member in, and leads back to where they came from. */
export const SignInPage = () => {
  useTitle('Sign in')
  const { me, error, refresh } = useSession()
  const next = takeNextPath(useSearch())
  const form = useForm(async ({ email = '', password = '' }) => {
    const problems = {
      email: checkEmail(email.trim()),
      password: password === '' ? 'Enter your password.' : undefined,
    }
    if (hasProblems(problems)) return problems
    await post('/web/sign-in', { email: email.trim(), password })
    refresh()
  })
  if (me?.user) return <Redirect to={next} replace />
  return (
    <div className={`stack ${styles.column}`}>
      <h1>Sign in</h1>
      <div className="card">
        <Form
          form={form}
          label="Sign in"
          actions={
            <Button look="primary" type="submit" busy={form.busy}>
              Sign in
            </Button>
          }
        >
          <CredentialFields problems={form.problems} />
          {error !== undefined && <ErrorNotice error={error} />}
        </Form>
      </div>
      <p className="muted">
        {me?.signUpOpen === false ? (
          'Accounts of this service are opened by its operator, who also sets a new password when one is forgotten.'
        ) : (
          <>
            No account yet? <Link href={withNext('/sign-up', next)}>Sign up</Link>. A forgotten password is set anew by
            the operator of this service.
          </>
        )}
      </p>
    </div>
  )
}
