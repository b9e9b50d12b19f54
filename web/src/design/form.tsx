import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ErrorNotice } from './feedback.tsx'

/** Problems of a form, by the name of the field. */
export type Problems = Readonly<Record<string, string | undefined>>

export const hasProblems = (problems: Problems): boolean => Object.values(problems).some(Boolean)

type Values = Readonly<Record<string, string>>
type Outcome = Problems | undefined

/**
 * The state of a form that is sent: its fields are the browser's own, which is what password managers know best. `send`
 * gives back the problems of single fields, or throws what is wrong with the whole.
 */
export const useForm = (send: (values: Values, form: HTMLFormElement) => Promise<Outcome>) => {
  const ref = useRef<HTMLFormElement>(null)
  const [state, setState] = useState<{ busy: boolean; problems: Problems; error?: unknown }>({
    busy: false,
    problems: {},
  })
  const { problems } = state
  useEffect(() => {
    if (hasProblems(problems)) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problems])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (state.busy) return
    const form = event.currentTarget
    const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
    setState({ busy: true, problems: {} })
    try {
      setState({ busy: false, problems: (await send(values, form)) ?? {} })
    } catch (error) {
      setState({ busy: false, problems: {}, error })
    }
  }
  return { ref, submit, ...state }
}

type FormState = ReturnType<typeof useForm>

/** A form over `useForm`; Enter sends it, and what went wrong with the whole stands above the button. */
export const Form = ({
  form,
  label,
  children,
  explain = (error) => <ErrorNotice error={error} />,
  actions,
}: {
  form: FormState
  label: string
  children: ReactNode
  explain?: (error: unknown) => ReactNode
  actions: ReactNode
}) => (
  // What is wrong is said in place by us, not in the browser's bubbles.
  <form ref={form.ref} className="stack" aria-label={label} noValidate onSubmit={form.submit}>
    {children}
    {form.error !== undefined && explain(form.error)}
    <div className="row">{actions}</div>
  </form>
)
