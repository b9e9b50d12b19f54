import type { OutputFile } from '../../../../src/jobs/records.ts'
import { Notice } from '../../design/feedback.tsx'
import { formatBytes } from '../../design/format.ts'
import { FileLink } from './file-link.tsx'

/** Says that only the beginning of a file is shown, and where the rest is. */
export const CutNote = ({ file, shownBytes }: { file: OutputFile; shownBytes: number }) => (
  <Notice tone="warning">
    These are the first {formatBytes(shownBytes)} of {formatBytes(file.bytes)}.{' '}
    <FileLink path={file.path} label="Open the whole file" />
  </Notice>
)
