import { useId } from 'react'
import styles from './try.module.css'
import type { FilePick } from './use-file-drop.ts'

/** Where a file is dropped, chosen or pasted. */
export const DropZone = ({ isOver, pick }: { isOver: boolean; pick: FilePick }) => {
  const id = useId()
  return (
    <label htmlFor={id} className={isOver ? `${styles.zone} ${styles.isOver}` : styles.zone}>
      <input
        id={id}
        type="file"
        className="visually-hidden"
        aria-describedby={`${id}-hint`}
        // Not every browser opens its window on this key.
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          event.currentTarget.click()
        }}
        onChange={({ target }) => {
          pick([...(target.files ?? [])])
          // The same file again is a choice too.
          target.value = ''
        }}
      />
      <svg width="36" height="36" viewBox="0 0 36 36" aria-hidden="true">
        <path
          d="M18 24V6m0 0-7 7m7-7 7 7M5 24v4a3 3 0 0 0 3 3h20a3 3 0 0 0 3-3v-4"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <strong>{isOver ? 'Let it go' : 'Choose a file'}</strong>
      <span className="muted" id={`${id}-hint`}>
        or drop it anywhere on this page, or paste it. Nothing is sent before you have seen the price.
      </span>
    </label>
  )
}
