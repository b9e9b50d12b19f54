import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes } from 'react'
import { useId } from 'react'

type Labelled = { label: string; hint?: ReactNode; problem?: string | undefined }

const Frame = ({ id, label, hint, problem, children }: Labelled & { id: string; children: ReactNode }) => (
  <div className="field">
    <label htmlFor={id}>{label}</label>
    {children}
    {hint && (
      <span className="hint" id={`${id}-hint`}>
        {hint}
      </span>
    )}
    {problem && (
      <span className="problem" id={`${id}-problem`}>
        {problem}
      </span>
    )}
  </div>
)

const describedBy = (id: string, { hint, problem }: Omit<Labelled, 'label'>): string | undefined =>
  [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ') || undefined

/** One line of text, a number, a date or a password, with its label, hint and problem. */
export const TextField = ({ label, hint, problem, ...input }: Labelled & InputHTMLAttributes<HTMLInputElement>) => {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} problem={problem}>
      <input
        className="input"
        {...input}
        id={id}
        aria-invalid={problem ? true : undefined}
        aria-describedby={describedBy(id, { hint, problem })}
      />
    </Frame>
  )
}

/** One of several values. */
export const SelectField = ({
  label,
  hint,
  problem,
  options,
  ...select
}: Labelled & {
  options: readonly { value: string; label: string; disabled?: boolean }[]
} & SelectHTMLAttributes<HTMLSelectElement>) => {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} problem={problem}>
      <select className="select" {...select} id={id} aria-describedby={describedBy(id, { hint, problem })}>
        {options.map(({ value, label: text, disabled }) => (
          <option key={value} value={value} disabled={disabled}>
            {text}
          </option>
        ))}
      </select>
    </Frame>
  )
}

/** Yes or no. */
export const CheckField = ({
  label,
  hint,
  ...input
}: { label: ReactNode; hint?: ReactNode } & InputHTMLAttributes<HTMLInputElement>) => {
  const id = useId()
  return (
    <div className="field">
      <div className="check">
        <input type="checkbox" {...input} id={id} aria-describedby={hint ? `${id}-hint` : undefined} />
        <label htmlFor={id}>{label}</label>
      </div>
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  )
}
