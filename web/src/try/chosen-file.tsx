import { Button } from '../design/button.tsx'
import { formatBytes } from '../design/format.ts'
import { describeMeasures } from './describe-measures.ts'
import type { Measures } from './measure/measure.ts'
import styles from './try.module.css'

/** The file that was chosen: its name, what it is, and what is known of it. */
export const ChosenFile = ({
  file,
  extension,
  category,
  measures,
  isBusy,
  onAnother,
}: {
  file: File
  extension: string
  category?: string
  measures?: Measures | undefined
  isBusy: boolean
  onAnother(): void
}) => {
  const kind = [extension.toUpperCase(), category].filter(Boolean).join(' ')
  const facts = [kind, formatBytes(file.size), ...describeMeasures(measures ?? {})].filter(Boolean)
  return (
    <div className={`card ${styles.chosen}`}>
      <div>
        <h2 className="file-name">{file.name}</h2>
        <p className="muted">{facts.join(' · ')}</p>
      </div>
      <Button small disabled={isBusy} onClick={onAnother}>
        Another file
      </Button>
    </div>
  )
}
