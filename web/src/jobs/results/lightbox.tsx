import type { KeyboardEvent } from 'react'
import { Button } from '../../design/button.tsx'
import { useModal } from '../../design/dialog.tsx'
import { formatNumber } from '../../design/format.ts'
import { FileLink } from './file-link.tsx'
import styles from './gallery.module.css'

export type Picture = { path: string; address: string; alt: string; caption: string }

/** One picture, large; arrow keys go to the others, Escape goes back. */
export const Lightbox = ({
  pictures,
  index,
  onMove,
  onClose,
}: {
  pictures: readonly Picture[]
  index: number
  onMove(index: number): void
  onClose(): void
}) => {
  const modal = useModal(onClose)
  const picture = pictures[index]
  if (!picture) return null
  const move = (step: number) => {
    const next = index + step
    if (next >= 0 && next < pictures.length) onMove(next)
  }
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowRight') move(1)
    if (key === 'ArrowLeft') move(-1)
    if (key === 'Home') onMove(0)
    if (key === 'End') onMove(pictures.length - 1)
  }
  return (
    <dialog {...modal} className={styles.lightbox} aria-label="Picture" onKeyDown={onKeyDown}>
      <img key={picture.path} src={picture.address} alt={picture.alt} />
      <div className="row between">
        <span className="small" aria-live="polite">
          <FileLink path={picture.path} /> <span className="muted">{picture.caption}</span>
        </span>
        <span className="row">
          <Button small onClick={() => move(-1)} aria-disabled={index === 0}>
            Previous
          </Button>
          <span className="small muted number">
            {formatNumber(index + 1)} of {formatNumber(pictures.length)}
          </span>
          <Button small onClick={() => move(1)} aria-disabled={index === pictures.length - 1}>
            Next
          </Button>
          <Button small onClick={onClose}>
            Close
          </Button>
        </span>
      </div>
    </dialog>
  )
}
