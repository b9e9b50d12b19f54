import type { OutputFile } from '../../../../src/jobs/records.ts'
import { ErrorNotice, Loading } from '../../design/feedback.tsx'
import { CutNote } from './cut-note.tsx'
import { useText } from './read-text.ts'
import styles from './result.module.css'
import { useFileAddress } from './result-context.ts'
import { ScrollFrame } from './scroll-frame.tsx'

const MAX_BYTES = 200_000

/** Plain text, each paragraph in its own direction. */
export const TextView = ({ file }: { file: OutputFile }) => {
  const address = useFileAddress()
  const { read, error } = useText(address(file.path), MAX_BYTES)
  if (error !== undefined) return <ErrorNotice error={error} />
  if (!read) return <Loading />
  return (
    <div className="stack">
      {read.isCut && <CutNote file={file} shownBytes={MAX_BYTES} />}
      {read.text.trim() === '' ? (
        <p className="muted">The file is empty.</p>
      ) : (
        <ScrollFrame label={`Text of ${file.path}`} className={`card ${styles.text}`} dir="auto">
          {read.text}
        </ScrollFrame>
      )}
    </div>
  )
}
