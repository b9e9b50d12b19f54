import type { ReactNode } from 'react'
import type { Me, Measured } from '../../../src/http/web/contract.ts'
import { Button } from '../design/button.tsx'
import { ErrorNotice, Loading, Notice, ProgressBar } from '../design/feedback.tsx'
import { formatCredits, formatTime } from '../design/format.ts'
import { creditsLeft, describeLeft } from './allowance.tsx'
import { describeMissing } from './describe-measures.ts'
import { describeItem, describeRate } from './describe-quote.ts'
import type { Workflow } from './form-state.ts'
import styles from './try.module.css'
import type { Quote, QuoteState } from './use-quote.ts'
import type { Sending } from './use-sending.ts'

type Props = {
  me: Me | undefined
  workflow: Workflow
  state: QuoteState
  isSendable: boolean
  isMeasuring: boolean
  /** What the service said when it was asked to measure. */
  failure: Measured['failure']
  /** The price that was agreed to before the true one was known. */
  agreedCredits: number | null
  sending: Sending | null
  error: unknown
  onMeasure(): void
  onSubmit(quote: Quote): void
  onCancel(): void
}

/** What it costs, and the button that does it. */
export const PricePanel = (props: Props) => {
  const { sending, error } = props
  return (
    <section className={`card ${styles.price}`} aria-label="Price">
      <div aria-live="polite" className="stack">
        <Price {...props} />
      </div>
      {error !== undefined && !sending && <ErrorNotice error={error} />}
      {sending && <SendingBar sending={sending} onCancel={props.onCancel} />}
    </section>
  )
}

const Price = (props: Props) => {
  const { state, isMeasuring, isSendable, failure } = props
  if (isMeasuring) return <Loading what="Looking at the file" />
  if (!isSendable) return <p className="muted">Choose what you want, and correct what is marked, to see the price.</p>
  if (failure) return <CannotMeasure {...props} failure={failure} />
  if (state.missing) return <Unmeasured {...props} missing={state.missing} />
  if (state.error !== undefined) return <ErrorNotice error={state.error} />
  return state.quote ? <Quoted {...props} quote={state.quote} /> : <Loading what="Reckoning the price" />
}

const Unmeasured = ({ missing, sending, onMeasure }: Props & { missing: readonly string[] }) => (
  <>
    <p>
      {describeMissing(missing)} could not be told in the browser, and the price depends on it. The service can measure
      the file: it is sent, kept for a few minutes, and nothing is charged.
    </p>
    <SendButton isBusy={sending !== null} onClick={onMeasure}>
      Measure it
    </SendButton>
  </>
)

const CannotMeasure = ({ failure, sending, onMeasure }: Props & { failure: NonNullable<Props['failure']> }) => (
  <>
    <Notice tone="danger">
      <p>{failure.detail}</p>
      {failure.code === 'extract.source_encrypted' && <p>Write it under “Options for the whole file”.</p>}
    </Notice>
    <SendButton isBusy={sending !== null} onClick={onMeasure}>
      Measure it again
    </SendButton>
  </>
)

const Quoted = ({ me, quote, state, workflow, agreedCredits, sending, onSubmit }: Props & { quote: Quote }) => {
  const { lineItems, quotedCredits } = quote
  const left = me && creditsLeft(me.entitlements)
  const isShort = left !== undefined && left < quotedCredits
  const words = me && describeLeft(me.entitlements)
  return (
    <>
      {agreedCredits !== null && agreedCredits < quotedCredits && (
        <Notice tone="warning">
          The service measured more than the browser: {formatCredits(quotedCredits)} in place of{' '}
          {formatCredits(agreedCredits)}. Nothing was charged.
        </Notice>
      )}
      <div className={state.isPending ? styles.isOld : undefined}>
        <ul className={styles.items}>
          {lineItems.map((item) => (
            <li key={`${item.kind} ${item.capabilityId ?? ''}`}>
              <span>{describeItem(item)}</span>
              <span className="number">{formatCredits(item.credits)}</span>
              <small className={styles.aside}>{describeRate(item)}</small>
            </li>
          ))}
        </ul>
      </div>
      <div className={state.isPending ? `${styles.total} ${styles.isOld}` : styles.total}>
        <span>Total</span>
        <span className="number">{formatCredits(quotedCredits)}</span>
      </div>
      {isShort ? (
        <Notice tone="warning">
          This costs {formatCredits(quotedCredits)}, and there are {words}.
        </Notice>
      ) : (
        words && <p className={`muted small ${styles.aside}`}>{words}. Charged only when the job succeeds.</p>
      )}
      <SendButton isBusy={sending !== null} isDisabled={isShort || state.isPending} onClick={() => onSubmit(quote)}>
        {workflow === 'extract' ? 'Extract' : 'Transcribe'} for {formatCredits(quotedCredits)}
      </SendButton>
    </>
  )
}

const SendButton = ({
  isBusy,
  isDisabled = false,
  onClick,
  children,
}: {
  isBusy: boolean
  isDisabled?: boolean
  onClick(): void
  children: ReactNode
}) => (
  <div className={styles.send}>
    <Button look="primary" busy={isBusy} disabled={isDisabled} onClick={onClick}>
      {children}
    </Button>
  </div>
)

const SendingBar = ({ sending: { percent, what }, onCancel }: { sending: Sending; onCancel(): void }) => {
  const isSent = percent >= 100
  const words = isSent ? 'Measuring the file' : 'Sending the file'
  return (
    <div className="stack">
      <ProgressBar percent={percent} label={words} />
      <div className="row between small">
        <span className="muted" role="status">
          {words}
          {!isSent && `, ${Math.floor(percent)} %`}
        </span>
        <Button small onClick={onCancel}>
          {what === 'measure' ? 'Do not measure' : 'Cancel'}
        </Button>
      </div>
    </div>
  )
}

/** Says until when a measured file waits. */
export const describeKept = (expiresAt: string): string =>
  `The file is at the service and need not be sent again until ${formatTime(expiresAt)}.`
