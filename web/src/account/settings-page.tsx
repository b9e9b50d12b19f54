import { useState } from 'react'
import type { Sessions } from '../../../src/http/web/contract.ts'
import { ApiError, post, remove } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Button } from '../design/button.tsx'
import { Confirm } from '../design/dialog.tsx'
import { Fact, Facts } from '../design/facts.tsx'
import { Badge, Loading, Notice } from '../design/feedback.tsx'
import { CheckField } from '../design/field.tsx'
import { Form, hasProblems, useForm } from '../design/form.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { AnswerProblem } from '../session/answer-problem.tsx'
import { checkNewPassword, findProblem, PASSWORD_RULE } from '../session/credentials.ts'
import { PasswordField } from '../session/password-field.tsx'
import { useSession } from '../session/session.tsx'
import { useTitle } from '../site.tsx'
import styles from './account.module.css'
import { nameBrowser } from './browser-name.ts'
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
          <Facts look="lines">
            <Fact name="Name">
              <bdi>{name}</bdi>
            </Fact>
            <Fact name="E-mail">
              <bdi>{email}</bdi>
            </Fact>
          </Facts>
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
        <PasswordField
          label="Current password"
          name="currentPassword"
          autoComplete="current-password"
          isShown={isShown}
          problem={form.problems.currentPassword}
        />
        <PasswordField
          label="New password"
          name="newPassword"
          autoComplete="new-password"
          isShown={isShown}
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
  const [asked, setAsked] = useState<Session | 'others'>()
  const action: Column<Session> = {
    name: 'Actions',
    hideName: true,
    cell: (session) =>
      !session.isCurrent && (
        <Button small onClick={() => setAsked(session)} aria-label={`End ${nameBrowser(session.userAgent)}`}>
          End
        </Button>
      ),
  }
  const end = async () => {
    await remove(asked === 'others' ? '/web/sessions' : `/web/sessions/${asked?.id}`).catch((cause: unknown) => {
      // It ended by itself meanwhile.
      if (!(cause instanceof ApiError) || cause.code !== 'sessions.not_found') throw cause
    })
    reload()
  }
  return (
    <section className="stack" aria-labelledby="sessions">
      <div className="row between">
        <h2 id="sessions">Where you are signed in</h2>
        {data?.sessions.some(({ isCurrent }) => !isCurrent) && (
          <Button small onClick={() => setAsked('others')}>
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
          title={asked === 'others' ? 'End all other sessions?' : 'End this session?'}
          action={asked === 'others' ? 'End the others' : 'End the session'}
          danger
          onConfirm={end}
          onClose={() => setAsked(undefined)}
        >
          {asked === 'others' ? 'Every browser but this one' : nameBrowser(asked.userAgent)} has to sign in again.
        </Confirm>
      )}
    </section>
  )
}
