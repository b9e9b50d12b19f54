import { Link, Redirect, useSearch } from 'wouter'
import { ApiError, post } from '../api/client.ts'
import { Button, ButtonLink } from '../design/button.tsx'
import { ErrorNotice, Notice } from '../design/feedback.tsx'
import { TextField } from '../design/field.tsx'
import { Form, hasProblems, useForm } from '../design/form.tsx'
import { useTitle } from '../site.tsx'
import { CredentialFields } from './credential-fields.tsx'
import { checkEmail, checkNewPassword, findProblem, PASSWORD_RULE } from './credentials.ts'
import { takeNextPath, withNext } from './next-path.ts'
import styles from './session.module.css'
import { useSession } from './session.tsx'

/** Opens an account and signs in to it. */
export const SignUpPage = () => {
  useTitle('Sign up')
  const { me } = useSession()
  const next = takeNextPath(useSearch())
  if (me?.user) return <Redirect to={next} replace />
  return (
    <div className={`stack ${styles.column}`}>
      <h1>Sign up</h1>
      {me?.signUpOpen === false ? <Closed next={next} /> : <SignUpForm next={next} />}
    </div>
  )
}

const Closed = ({ next }: { next: string }) => (
  <div className="stack">
    <Notice>New accounts are opened by the operator of this service. Ask them for one.</Notice>
    <div className="row">
      <ButtonLink href={withNext('/sign-in', next)}>Sign in</ButtonLink>
      <ButtonLink href="/" look="quiet">
        Try a file without an account
      </ButtonLink>
    </div>
  </div>
)

const SignUpForm = ({ next }: { next: string }) => {
  const { error, refresh } = useSession()
  const form = useForm(async ({ name = '', email: typed = '', password = '' }) => {
    const email = typed.trim()
    const problems = { email: checkEmail(email), password: checkNewPassword(password) }
    if (hasProblems(problems)) return problems
    try {
      await post('/web/sign-up', { email, password, ...(name.trim() === '' ? {} : { name: name.trim() }) })
    } catch (refusal) {
      const found = findProblem(refusal, {
        name: 'Use at most 100 characters.',
        email: 'This is not an e-mail address that mail can reach.',
        password: PASSWORD_RULE,
      })
      if (found) return found
      throw refusal
    }
    // The answer is the same whether or not the address was free; only the password tells whose account it is.
    await post('/web/sign-in', { email, password })
    refresh()
  })
  const signIn = withNext('/sign-in', next)
  return (
    <>
      <div className="card">
        <Form
          form={form}
          label="Sign up"
          explain={(cause) => <Refusal error={cause} signIn={signIn} />}
          actions={
            <Button look="primary" type="submit" busy={form.busy}>
              Sign up
            </Button>
          }
        >
          <TextField
            label="Name (optional)"
            name="name"
            autoComplete="name"
            maxLength={100}
            problem={form.problems.name}
          />
          <CredentialFields isNew problems={form.problems} />
          {error !== undefined && <ErrorNotice error={error} />}
        </Form>
      </div>
      <p className="muted">
        Have an account? <Link href={signIn}>Sign in</Link>.
      </p>
    </>
  )
}

const Refusal = ({ error, signIn }: { error: unknown; signIn: string }) =>
  error instanceof ApiError && error.code === 'session.invalid_credentials' ? (
    <Notice tone="danger">
      An account may already exist for this address: <Link href={signIn}>sign in with its password</Link>.
    </Notice>
  ) : (
    <ErrorNotice error={error} />
  )
