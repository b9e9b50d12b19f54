import { useEffect, useRef, useState } from 'react'
import type { NewKey } from '../../../src/http/web/contract.ts'
import { post } from '../api/client.ts'
import { Button, CopyButton } from '../design/button.tsx'
import { Dialog } from '../design/dialog.tsx'
import { Notice } from '../design/feedback.tsx'
import { SelectField, TextField } from '../design/field.tsx'
import { Form, hasProblems, useForm } from '../design/form.tsx'
import { formatTime } from '../design/format.ts'
import { findProblem } from '../session/credentials.ts'
import { useSession } from '../session/session.tsx'
import styles from './account.module.css'

const DAY_MS = 86_400_000
const ON_DATE = 'date'
const EXPIRIES = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: ON_DATE, label: 'On a date' },
]

/** A day as a date field writes it, in the reader's own time zone. */
const toDay = (timeMs: number): string => {
  const date = new Date(timeMs)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The end of a day in the reader's own time zone; undefined when the text is no day. */
const endOfDay = (day: string): Date | undefined => {
  const end = new Date(`${day}T23:59:59`)
  return Number.isNaN(end.getTime()) ? undefined : end
}

/** Makes a key and shows it this once: it lives in this window and is gone with it. */
export const NewKeyDialog = ({ onMade, onClose }: { onMade(): void; onClose(): void }) => {
  const [made, setMade] = useState<NewKey>()
  const take = (key: NewKey) => {
    setMade(key)
    onMade()
  }
  return (
    <Dialog title={made ? 'Your new key' : 'New API key'} onClose={onClose}>
      {made ? <MadeKey made={made} onClose={onClose} /> : <KeyForm onMade={take} onClose={onClose} />}
    </Dialog>
  )
}

const KeyForm = ({ onMade, onClose }: { onMade(made: NewKey): void; onClose(): void }) => {
  const [expiry, setExpiry] = useState('')
  const form = useForm(async ({ name = '', day = '', allowedCidr = '' }) => {
    const expiresAt =
      expiry === '' ? null : endOfDay(expiry === ON_DATE ? day : toDay(Date.now() + Number(expiry) * DAY_MS))
    const problems = {
      name: name.trim() === '' ? 'Give the key a name.' : undefined,
      day:
        expiresAt === undefined
          ? 'Choose a date.'
          : expiresAt !== null && expiresAt.getTime() <= Date.now()
            ? 'The date must not lie in the past.'
            : undefined,
    }
    if (hasProblems(problems)) return problems
    try {
      const body = {
        name: name.trim(),
        expiresAt: expiresAt?.toISOString() ?? null,
        allowedCidr: allowedCidr.trim() === '' ? null : allowedCidr.trim(),
      }
      onMade(await post<NewKey>('/web/keys', body))
    } catch (refusal) {
      const found = findProblem(refusal, {
        name: 'Use 1 to 100 characters.',
        allowedCidr: 'This is neither an address nor a range, such as 203.0.113.7 or 203.0.113.0/24.',
      })
      if (found) return found
      throw refusal
    }
  })
  return (
    <Form
      form={form}
      label="New API key"
      actions={
        <>
          <Button look="primary" type="submit" busy={form.busy}>
            Make the key
          </Button>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={100}
        required
        hint="Where the key is used, such as “nightly import”."
        problem={form.problems.name}
      />
      <SelectField
        label="Stops working"
        options={EXPIRIES}
        value={expiry}
        onChange={(event) => setExpiry(event.target.value)}
      />
      {expiry === ON_DATE && (
        <TextField
          label="Last day"
          name="day"
          type="date"
          min={toDay(Date.now())}
          defaultValue={toDay(Date.now() + 7 * DAY_MS)}
          hint="The key works until the end of this day."
          problem={form.problems.day}
        />
      )}
      <TextField
        label="Only from this address or range (optional)"
        name="allowedCidr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={60}
        hint="One IPv4 or IPv6 address, or a range in CIDR form: 203.0.113.0/24 is every address that begins with 203.0.113. Calls from elsewhere get 401. Empty: from anywhere."
        problem={form.problems.allowedCidr}
      />
    </Form>
  )
}

const MadeKey = ({ made: { key, record }, onClose }: { made: NewKey; onClose(): void }) => {
  const { me } = useSession()
  const header = `-H 'X-Fast-Api-Key: ${key}'`
  const ask = `curl ${location.origin}/extract/entitlements/me \\\n  ${header}`
  const send = `curl ${location.origin}/extract \\\n  ${header} \\\n  -F file=@report.pdf`
  const isPro = me?.entitlements.tier === 'pro'
  const secret = useRef<HTMLDivElement>(null)
  // The form that had the focus is gone; the next thing to do is to copy.
  useEffect(() => secret.current?.querySelector('button')?.focus(), [])
  return (
    <div className="stack">
      <Notice tone="warning">
        Copy it now: the service keeps no copy of it and cannot show it again. Closing this window forgets it.
      </Notice>
      <div ref={secret} className={styles.secret}>
        <code>{key}</code>
        <CopyButton text={key} label="Copy the key" />
      </div>
      <p className="small muted">
        <bdi>{record.name}</bdi>, {record.allowedCidr ? `only from ${record.allowedCidr}` : 'from any address'},{' '}
        {record.expiresAt ? `until ${formatTime(record.expiresAt)}` : 'until it is revoked'}.
      </p>
      <Command what="Ask what the account has:" command={ask} />
      {isPro ? (
        <Command what="Send a file:" command={send} />
      ) : (
        <p className="small muted">
          Sending files by key needs the Pro plan; until then such calls get <code>403 api_key.pro_required</code>.
        </p>
      )}
      <div>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  )
}

const Command = ({ what, command }: { what: string; command: string }) => (
  <div className={styles.command}>
    <div className="row between">
      <span className="small">{what}</span>
      <CopyButton text={command} />
    </div>
    <pre>
      <code>{command}</code>
    </pre>
  </div>
)
