import { type ReactNode, useEffect, useState } from 'react'
import styles from './try.module.css'

/** Something that is shown on demand, or when it has to be seen; it never closes by itself. */
export const Disclosure = ({
  summary,
  mustOpen = false,
  className = '',
  children,
}: {
  summary: ReactNode
  mustOpen?: boolean
  className?: string | undefined
  children: ReactNode
}) => {
  const [isOpen, setIsOpen] = useState(mustOpen)
  useEffect(() => {
    if (mustOpen) setIsOpen(true)
  }, [mustOpen])
  return (
    <details
      className={`${styles.disclosure} ${className}`}
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
