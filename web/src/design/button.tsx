import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react'
import { useState } from 'react'
import { Link } from 'wouter'
import { Spinner } from './feedback.tsx'

type Look = 'primary' | 'danger' | 'quiet' | undefined
type Shape = { look?: Look; small?: boolean; children: ReactNode }

const classOf = ({ look, small }: { look?: Look; small?: boolean | undefined }): string =>
  ['button', look, small && 'small'].filter(Boolean).join(' ')

/** A button; while `busy` it turns and cannot be pressed. */
export const Button = ({
  look,
  small,
  busy = false,
  children,
  ...rest
}: Shape & { busy?: boolean } & ButtonHTMLAttributes<HTMLButtonElement>) => (
  <button type="button" {...rest} disabled={rest.disabled || busy} className={classOf({ look, small })}>
    {busy && <Spinner />}
    {children}
  </button>
)

/** A link to another page of the site that looks like a button. */
export const ButtonLink = ({ href, look, small, children }: Shape & { href: string }) => (
  <Link href={href} className={classOf({ look, small })}>
    {children}
  </Link>
)

/** Copies a text, and says so for a moment. */
export const CopyButton = ({ text, label = 'Copy' }: { text: string; label?: string }) => {
  const [copied, setCopied] = useState(false)
  const copy = async (event: MouseEvent<HTMLButtonElement>) => {
    await copyText(text, event.currentTarget)
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <Button small onClick={copy}>
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  )
}

/** Browsers keep the clipboard from pages without https; those still obey the old command. */
const copyText = async (text: string, button: HTMLElement): Promise<void> => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  // Beside the button: outside an open dialog nothing can be selected.
  button.after(area)
  area.select()
  document.execCommand('copy')
  area.remove()
  button.focus()
}
