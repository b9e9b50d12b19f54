import { useState } from 'react'
import type { AdminAccount } from '../../../src/http/web/contract.ts'
import { post } from '../api/client.ts'
import { Button } from '../design/button.tsx'
import { Notice } from '../design/feedback.tsx'
import { SelectField, TextField } from '../design/field.tsx'
import { Form, useForm } from '../design/form.tsx'
import { formatCredits } from '../design/format.ts'

const MOST = 100_000_000
const BUCKETS = [
  { value: 'wallet', label: 'Wallet' },
  { value: 'loyalty', label: 'Loyalty' },
  { value: 'plan', label: 'Plan' },
]

/** Gives credits to an account. */
export const GrantForm = ({ account, onDone }: { account: AdminAccount; onDone(account: AdminAccount): void }) => {
  const [given, setGiven] = useState<string>()
  const form = useForm(async ({ bucket, credits: text = '', note }, element) => {
    setGiven(undefined)
    const credits = Number(text)
    if (!Number.isInteger(credits) || credits < 1 || credits > MOST) {
      return { credits: `Enter a whole number from 1 to ${MOST.toLocaleString('en')}.` }
    }
    const changed = await post<AdminAccount>(`/web/admin/accounts/${account.id}/credits`, { bucket, credits, note })
    element.reset()
    setGiven(`${formatCredits(credits)} given. The account has ${formatCredits(changed.available)} now.`)
    onDone(changed)
    return undefined
  })
  return (
    <section className="card">
      <h2>Give credits</h2>
      <Form
        form={form}
        label="Give credits"
        actions={
          <Button type="submit" look="primary" busy={form.busy}>
            Give credits
          </Button>
        }
      >
        <TextField
          label="Credits"
          name="credits"
          inputMode="numeric"
          autoComplete="off"
          required
          problem={form.problems.credits}
        />
        <SelectField
          label="Bucket"
          name="bucket"
          options={BUCKETS}
          hint="Spent in the order plan, loyalty, wallet."
          defaultValue="wallet"
        />
        <TextField
          label="Note"
          name="note"
          maxLength={200}
          autoComplete="off"
          hint="Stands in the ledger of the account, with your address."
        />
        <div role="status">{given && <Notice tone="success">{given}</Notice>}</div>
      </Form>
    </section>
  )
}
