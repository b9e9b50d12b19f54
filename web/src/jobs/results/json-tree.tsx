import { useState } from 'react'
import { Button } from '../../design/button.tsx'
import styles from './result.module.css'

const PAGE = 100

/** A value of JSON. Branches are made when they are opened, so that large ones cost nothing before. */
export const JsonTree = ({ name, value, isOpen = false }: { name?: string; value: unknown; isOpen?: boolean }) => {
  const [open, setOpen] = useState(isOpen)
  if (typeof value !== 'object' || value === null) {
    return (
      <div>
        <Name name={name} />
        <Leaf value={value} />
      </div>
    )
  }
  const size = Array.isArray(value) ? value.length : Object.keys(value).length
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Name name={name} />
        <span className="muted">{Array.isArray(value) ? `[${size}]` : `{${size}}`}</span>
      </summary>
      {open && <Branch value={value} />}
    </details>
  )
}

const Branch = ({ value }: { value: object }) => {
  const [shown, setShown] = useState(PAGE)
  const entries = Object.entries(value)
  return (
    <div className={styles.branch}>
      {entries.slice(0, shown).map(([key, child]) => (
        <JsonTree key={key} name={key} value={child} />
      ))}
      {entries.length > shown && (
        <Button small onClick={() => setShown(shown + PAGE)}>
          {entries.length - shown} more
        </Button>
      )}
    </div>
  )
}

const Name = ({ name }: { name: string | undefined }) =>
  name !== undefined && <span className={styles.name}>{name}: </span>

const Leaf = ({ value }: { value: unknown }) =>
  typeof value === 'string' ? (
    <span className={styles.string} dir="auto">
      {JSON.stringify(value)}
    </span>
  ) : (
    <span className={styles.scalar}>{String(value)}</span>
  )
