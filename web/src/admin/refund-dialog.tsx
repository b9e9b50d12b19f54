import type { AdminJob } from '../../../src/http/web/contract.ts'
import { post } from '../api/client.ts'
import { Button } from '../design/button.tsx'
import { Dialog } from '../design/dialog.tsx'
import { TextField } from '../design/field.tsx'
import { Form, useForm } from '../design/form.tsx'
import { formatCredits } from '../design/format.ts'

/** Asks why, then gives the credits of a job back. It cannot be undone. */
export const RefundDialog = ({
  job,
  onDone,
  onClose,
}: {
  job: AdminJob
  onDone(job: AdminJob): void
  onClose(): void
}) => {
  const { record, accountName } = job
  const credits = formatCredits(record.metrics.chargedCredits)
  const form = useForm(async ({ note = '' }) => {
    if (note.trim() === '') return { note: 'Say why, for the ledger of the account.' }
    onDone(await post<AdminJob>(`/web/admin/jobs/${record.id}/refund`, { note }))
    onClose()
    return undefined
  })
  return (
    <Dialog title="Refund this job?" onClose={onClose}>
      <Form
        form={form}
        label="Refund"
        actions={
          <>
            <Button type="submit" look="danger" busy={form.busy}>
              Refund {credits}
            </Button>
            <Button look="quiet" onClick={onClose}>
              Keep the charge
            </Button>
          </>
        }
      >
        <p>
          {credits} of{' '}
          <bdi className="file-name">
            {record.fileName}.{record.format}
          </bdi>{' '}
          go back to <bdi>{accountName || 'the account'}</bdi>. This cannot be undone.
        </p>
        <TextField
          label="Reason"
          name="note"
          maxLength={200}
          autoComplete="off"
          required
          hint="Stands in the ledger of the account, with your address."
          problem={form.problems.note}
        />
      </Form>
    </Dialog>
  )
}
