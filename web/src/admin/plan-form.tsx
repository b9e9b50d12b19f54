import { useState } from 'react'
import type { AdminAccount } from '../../../src/http/web/contract.ts'
import { post } from '../api/client.ts'
import { Button } from '../design/button.tsx'
import { Notice } from '../design/feedback.tsx'
import { SelectField } from '../design/field.tsx'
import { Form, useForm } from '../design/form.tsx'

const PLANS = [
  { value: 'pro', label: 'Pro: the API and the website, no daily limit' },
  { value: 'free', label: 'Free: the website, with a daily limit' },
  { value: 'guest', label: 'Guest: the website, with a small daily limit' },
]

/** Puts an account on another plan. */
export const PlanForm = ({ account, onDone }: { account: AdminAccount; onDone(account: AdminAccount): void }) => {
  const [said, setSaid] = useState<string>()
  const form = useForm(async ({ plan }) => {
    setSaid(undefined)
    const changed = await post<AdminAccount>(`/web/admin/accounts/${account.id}/plan`, { plan })
    setSaid(`The plan is ${changed.plan} now.`)
    onDone(changed)
  })
  return (
    <section className="card">
      <h2>Plan</h2>
      <Form
        form={form}
        label="Plan"
        actions={
          <Button type="submit" busy={form.busy}>
            Change the plan
          </Button>
        }
      >
        <SelectField
          key={account.plan}
          label="Plan of the account"
          name="plan"
          options={PLANS}
          hint="Holds from the next request on. Credits stay as they are."
          defaultValue={account.plan}
        />
        <div role="status">{said && <Notice tone="success">{said}</Notice>}</div>
      </Form>
    </section>
  )
}
