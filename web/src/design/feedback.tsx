import type { ReactNode } from 'react'
import { explainError } from '../api/explain.ts'

export type Tone = 'accent' | 'danger' | 'warning' | 'success'

/** A few words on a coloured ground. */
export const Badge = ({ tone, children }: { tone?: Tone | undefined; children: ReactNode }) => (
  <span className={tone ? `badge ${tone}` : 'badge'}>{children}</span>
)

/** Something the reader should know; errors are also announced. */
export const Notice = ({ tone, children }: { tone?: Exclude<Tone, 'accent'>; children: ReactNode }) => (
  <div className={tone ? `notice ${tone}` : 'notice'} role={tone === 'danger' ? 'alert' : undefined}>
    {children}
  </div>
)

/** What went wrong, in words for people. */
export const ErrorNotice = ({ error }: { error: unknown }) => <Notice tone="danger">{explainError(error)}</Notice>

export const Spinner = () => <span className="spinner" aria-hidden="true" />

/** Stands in for what is still on its way. */
export const Loading = ({ what = 'Loading' }: { what?: string }) => (
  <p className="row muted" role="status">
    <Spinner /> {what}…
  </p>
)

/** How far something is, 0 to 100. */
export const ProgressBar = ({ percent, label }: { percent: number; label: string }) => (
  // Not <progress>: its look cannot be had the same in all browsers.
  <div
    className="progress"
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={Math.round(percent)}
  >
    <div style={{ width: `${percent}%` }} />
  </div>
)

/** What stands where a list has nothing to show. */
export const Empty = ({ children }: { children: ReactNode }) => <p className="card muted">{children}</p>
