import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { BYTES_PER_MB } from '../../../src/core/metrics.ts'
import type { Measured, Submitted } from '../../../src/http/web/contract.ts'
import { ApiError, query, request } from '../api/client.ts'
import { Notice } from '../design/feedback.tsx'
import { formatBytes, formatNumber } from '../design/format.ts'
import { rememberProof } from '../jobs/proofs.ts'
import { useSession } from '../session/session.tsx'
import { ApiCall } from './api-call.tsx'
import { ChosenFile } from './chosen-file.tsx'
import { keepDraft } from './draft.ts'
import { ExtractionForm } from './extraction-form.tsx'
import {
  beginForm,
  type Descriptor,
  type FormState,
  isSendable,
  type SupportedFormat,
  toOptions,
} from './form-state.ts'
import type { Measures } from './measure/measure.ts'
import { describeKept, PricePanel } from './price-panel.tsx'
import { TranscriptionForm } from './transcription-form.tsx'
import { withServedModes } from './transcription-modes.ts'
import styles from './try.module.css'
import { toForm } from './upload.ts'
import { useFileMeasures } from './use-file-measures.ts'
import { type Quote, useQuote } from './use-quote.ts'
import { useSending } from './use-sending.ts'
import { WorkflowChoice } from './workflow-choice.tsx'

type Props = {
  file: File
  format: SupportedFormat
  descriptor: Descriptor
  givenForm: FormState | undefined
  onAnother(): void
}

/** A chosen file: what is to be taken out of it, what that costs, and the way to the service. */
export const Bench = ({ file, format: { extension, category }, descriptor, givenForm, onAnother }: Props) => {
  const { me, refresh } = useSession()
  const [, navigate] = useLocation()
  const [form, setForm] = useState(() => givenForm ?? withServedModes(descriptor, beginForm(descriptor)))
  const maxFileSizeMb = me?.entitlements.limits.maxFileSizeMb
  const isTooLarge = maxFileSizeMb !== undefined && file.size > maxFileSizeMb * BYTES_PER_MB
  const found = useFileMeasures(isTooLarge ? null : file, category)
  // What the service measured is worth more than what the browser could tell.
  const [measured, setMeasured] = useState<{ metrics: Measures; failure: Measured['failure'] }>()
  const [ticket, setTicket] = useTicket()
  const [agreedCredits, setAgreedCredits] = useState<number | null>(null)
  const [round, setRound] = useState(0)
  const [error, setError] = useState<unknown>()
  const { sending, send, cancel } = useSending()
  const metrics = measured?.failure === null ? measured.metrics : found
  const { workflow } = form
  const canSend = isSendable(descriptor, form)
  const state = useQuote(
    extension,
    metrics === undefined || isTooLarge || !canSend
      ? null
      : // The price does not depend on a password, which goes no further than it must.
        { fileSizeBytes: file.size, ...metrics, workflow, options: toOptions(descriptor, form, () => undefined) },
    round,
  )
  const change = (next: FormState) => {
    setForm(next)
    setError(undefined)
    setAgreedCredits(null)
  }

  const attempt = async (work: () => Promise<void>) => {
    setError(undefined)
    try {
      await work()
    } catch (cause) {
      setError(cause)
    }
  }
  const measure = () =>
    attempt(async () => {
      const path = `/web/measure${query({ workflow })}`
      const answer = await send<Measured>('measure', (sendForm) =>
        sendForm(path, toForm(file, toOptions(descriptor, form))),
      )
      if (!answer) return
      setMeasured({ metrics: withoutNulls(answer.metrics), failure: answer.failure })
      setTicket(answer)
    })
  const submit = ({ quotedCredits: maxCredits }: Quote) =>
    attempt(async () => {
      const options = toOptions(descriptor, form)
      try {
        const answer = await send<Submitted>('submit', async (sendForm, signal) => {
          const sendFile = () => sendForm(`/web/jobs${query({ workflow, maxCredits })}`, toForm(file, options))
          if (!ticket) return sendFile()
          const json = { ticket: ticket.ticket, workflow, options, maxCredits }
          return request<Submitted>('POST', '/web/jobs/measured', { json, signal }).catch((cause: unknown) => {
            if (!isCode(cause, 'uploads.expired')) throw cause
            setTicket(null)
            return sendFile()
          })
        })
        if (!answer) return
        const { job, proof } = answer
        if (proof) rememberProof(job.id, proof)
        keepDraft(job.id, { file, form })
        refresh()
        navigate(`/jobs/${job.id}`)
      } catch (cause) {
        if (!isCode(cause, 'quote.exceeded')) throw cause
        setMeasured({ metrics: withoutNulls(cause.params.metrics as Measured['metrics']), failure: null })
        setAgreedCredits(maxCredits)
        setRound((before) => before + 1)
      }
    })

  return (
    <div className={styles.bench}>
      <div className="stack">
        <ChosenFile
          file={file}
          extension={extension}
          category={category}
          measures={metrics}
          isBusy={sending !== null}
          onAnother={onAnother}
        />
        {isTooLarge && (
          <Notice tone="danger">
            The file has {formatBytes(file.size)}, and {formatNumber(maxFileSizeMb)} MB are allowed on your plan.
            Nothing was sent.
          </Notice>
        )}
        {!isTooLarge && (
          <fieldset className={`card ${styles.form}`} disabled={sending !== null}>
            <legend className="visually-hidden">What to take out of the file</legend>
            <div className="stack">
              {descriptor.transcription && (
                <WorkflowChoice
                  workflow={workflow}
                  transcription={descriptor.transcription}
                  onChange={(next) => change({ ...form, workflow: next })}
                />
              )}
              {workflow === 'transcribe' && descriptor.transcription ? (
                <TranscriptionForm transcription={descriptor.transcription} form={form} onChange={change} />
              ) : (
                <ExtractionForm
                  descriptor={descriptor}
                  form={form}
                  isSharedOpen={measured?.failure?.code === 'extract.source_encrypted'}
                  onChange={change}
                />
              )}
            </div>
          </fieldset>
        )}
      </div>
      {!isTooLarge && (
        <div className={styles.side}>
          <PricePanel
            me={me}
            workflow={workflow}
            state={state}
            isSendable={canSend}
            isMeasuring={metrics === undefined && measured === undefined}
            failure={measured?.failure ?? null}
            agreedCredits={agreedCredits}
            sending={sending}
            error={error}
            onMeasure={measure}
            onSubmit={submit}
            onCancel={cancel}
          />
          {ticket?.expiresAt && <p className="muted small">{describeKept(ticket.expiresAt)}</p>}
          {canSend && <ApiCall descriptor={descriptor} form={form} fileName={file.name} />}
        </div>
      )}
    </div>
  )
}

const isCode = (cause: unknown, code: string): cause is ApiError => cause instanceof ApiError && cause.code === code

const withoutNulls = (metrics: Measured['metrics']): Measures =>
  Object.fromEntries(Object.entries(metrics).filter(([, value]) => value !== null))

type Ticket = { ticket: string | null; expiresAt: string | null }

/** A ticket for as long as it is good. */
const useTicket = (): [Ticket | null, (ticket: Ticket | null) => void] => {
  const [ticket, setTicket] = useState<Ticket | null>(null)
  const expiresAt = ticket?.expiresAt
  useEffect(() => {
    if (!expiresAt) return
    const timer = setTimeout(() => setTicket(null), new Date(expiresAt).getTime() - Date.now())
    return () => clearTimeout(timer)
  }, [expiresAt])
  return [ticket?.ticket ? ticket : null, setTicket]
}
