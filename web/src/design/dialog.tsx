import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { ErrorNotice } from './feedback.tsx'

/** Shows a `<dialog>` over the page for as long as it is there: the browser keeps the focus inside, Escape leaves. */
export const useModal = (onClose: () => void) => {
  const ref = useRef<HTMLDialogElement>(null)
  // Before the dialog leaves the page, so that the focus goes back to where it was.
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  // Left to itself the browser closes first and tells later: whoever opens it again in between would be overruled.
  const onCancel = (event: SyntheticEvent) => {
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    onClose()
  }
  return { ref, onCancel, onClose }
}

/** A window over the page. */
export const Dialog = ({ title, onClose, children }: { title: string; onClose(): void; children: ReactNode }) => {
  const modal = useModal(onClose)
  const id = useId()
  return (
    <dialog {...modal} className="dialog" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}

/** Asks before something that cannot be undone, does it, and says what went wrong. */
export const Confirm = ({
  title,
  action,
  danger = false,
  onConfirm,
  onClose,
  children,
}: {
  title: string
  action: string
  danger?: boolean
  onConfirm(): Promise<unknown>
  onClose(): void
  children: ReactNode
}) => {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch (cause) {
      setError(cause)
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        <div>{children}</div>
        {error !== undefined && <ErrorNotice error={error} />}
        <div className="row">
          <Button look={danger ? 'danger' : 'primary'} busy={busy} onClick={confirm}>
            {action}
          </Button>
          <Button look="quiet" onClick={onClose}>
            Keep
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
