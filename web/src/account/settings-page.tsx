import { useState } from 'react'
import type { Sessions } from '../../../src/http/web/contract.ts'
import { ApiError, post, remove } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Button } from '../design/button.tsx'
import { Confirm } from '../design/dialog.tsx'
import { Badge, Loading, Notice } from '../design/feedback.tsx'
import { CheckField, TextField } from '../design/field.tsx'
import { Form, hasProblems, useForm } from '../design/form.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { AnswerProblem } from '../session/answer-problem.tsx'
import { checkNewPassword, findProblem, PASSWORD_RULE } from '../session/credentials.ts'
import { useSession } from '../session/session.tsx'
import { useTitle } from '../site.tsx'
import styles from './account.module.css'
import { nameBrowser } from './browser-name.ts'
import { Facts } from './facts.tsx'
import { SignOutButton } from './sign-out.tsx'

/** Who is signed in, with what password, and where. */
export const SettingsPage = () => {
  useTitle('Settings')
  const { me } = useSession()
  const sessions = useAnswer<Sessions>('/web/sessions')
  if (!me?.user) return null
  const { name, email } = me.user
  return (
    <>
      <h1>Settings</h1>
      <section className="card" aria-labelledby="profile">
        <h2 id="profile">Profile</h2>
        <div className={styles.profile}>
          <Facts
            facts={[
              ['Name', <bdi key="name">{name}</bdi>],
              ['E-mail', <bdi key="email">{email}</bdi>],
            ]}
          />
        </div>
      </section>
      <section className="card" aria-labelledby="password">
        <h2 id="password">Password</h2>
        <PasswordForm email={email} onChanged={sessions.reload} />
      </section>
      <SessionList {...sessions} />
      <div>
        <SignOutButton />
      </div>
    </>
  )
}

const PasswordForm = ({ email, onChanged }: { email: string; onChanged(): void }) => {
  const [isShown, setIsShown] = useState(false)
  const [isChanged, setIsChanged] = useState(false)
  const form = useForm(async ({ currentPassword = '', newPassword = '' }, element) => {
    setIsChanged(false)
    const problems = {
      currentPassword: currentPassword === '' ? 'Enter your current password.' : undefined,
      newPassword: checkNewPassword(newPassword),
    }
    if (hasProblems(problems)) return problems
    try {
      await post('/web/password', { currentPassword, newPassword })
    } catch (refusal) {
      if (refusal instanceof ApiError && refusal.code === 'session.invalid_credentials') {
        return { currentPassword: 'This is not your current password.' }
      }
      const found = findProblem(refusal, { newPassword: PASSWORD_RULE })
      if (found) return found
      throw refusal
    }
    element.reset()
    setIsChanged(true)
    onChanged()
  })
  const type = isShown ? 'text' : 'password'
  return (
    <Form
      form={form}
      label="Change the password"
      actions={
        <Button type="submit" busy={form.busy}>
          Change the password
        </Button>
      }
    >
      {/* Tells password managers whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <div className={styles.passwords}>
        <TextField
          label="Current password"
          name="currentPassword"
          type={type}
          autoComplete="current-password"
          autoCapitalize="none"
          spellCheck={false}
          required
          problem={form.problems.currentPassword}
        />
        <TextField
          label="New password"
          name="newPassword"
          type={type}
          autoComplete="new-password"
          autoCapitalize="none"
          spellCheck={false}
          required
          hint={PASSWORD_RULE}
          problem={form.problems.newPassword}
        />
      </div>
      <CheckField label="Show the passwords" checked={isShown} onChange={(event) => setIsShown(event.target.checked)} />
      <span className="small muted">Changing it signs you out everywhere else. API keys keep working.</span>
      <div role="status">
        {isChanged && <Notice tone="success">The password is changed, and every other session has ended.</Notice>}
      </div>
    </Form>
  )
}

type Session = Sessions['sessions'][number]

const COLUMNS: readonly Column<Session>[] = [
  {
    name: 'Browser',
    cell: ({ userAgent, isCurrent }) => (
      <div className={styles.state} title={userAgent}>
        <span>{nameBrowser(userAgent)}</span>
        {isCurrent && <Badge tone="accent">This browser</Badge>}
      </div>
    ),
  },
  { name: 'Address', cell: ({ address }) => <span className="mono">{address}</span> },
  { name: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { name: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
]

const SessionList = ({ data, error, reload }: { data: Sessions | undefined; error: unknown; reload(): void }) => {
  const [asked, setAsked] = useState<readonly Session[]>()
  const others = data?.sessions.filter(({ isCurrent }) => !isCurrent) ?? []
  const action: Column<Session> = {
    name: 'Actions',
    hideName: true,
    cell: (session) =>
      !session.isCurrent && (
        <Button small onClick={() => setAsked([session])} aria-label={`End ${nameBrowser(session.userAgent)}`}>
          End
        </Button>
      ),
  }
  const end = async () => {
    for (const { id } of asked ?? []) {
      await remove(`/web/sessions/${id}`).catch((cause: unknown) => {
        // It ended by itself meanwhile.
        if (!(cause instanceof ApiError) || cause.code !== 'sessions.not_found') throw cause
      })
    }
    reload()
  }
  return (
    <section className="stack" aria-labelledby="sessions">
      <div className="row between">
        <h2 id="sessions">Where you are signed in</h2>
        {others.length > 0 && (
          <Button small onClick={() => setAsked(others)}>
            End all others
          </Button>
        )}
      </div>
      {error !== undefined && <AnswerProblem error={error} onRetry={reload} />}
      {data ? (
        <div className={styles.acting}>
          <Table label="Sessions" columns={[...COLUMNS, action]} rows={data.sessions} keyOf={({ id }) => id} />
        </div>
      ) : (
        error === undefined && <Loading />
      )}
      {asked && (
        <Confirm
          title={asked.length === 1 ? 'End this session?' : 'End all other sessions?'}
          action={asked.length === 1 ? 'End the session' : `End ${asked.length} sessions`}
          danger
          onConfirm={end}
          onClose={() => setAsked(undefined)}
        >
          {asked.length === 1 ? nameBrowser(asked[0]?.userAgent ?? '') : 'Every browser but this one'} has to sign in
          again.
        </Confirm>
      )}
    </section>
  )
}
