import { type ReactNode, useState } from 'react'
import type { OutputFile } from '../../../../src/jobs/records.ts'
import { SelectField } from '../../design/field.tsx'
import { formatBytes } from '../../design/format.ts'
import { FileLink } from './file-link.tsx'

const MAX_CHOICES = 300

/** One file of several, chosen from a list, with its link. */
export const FileChooser = ({
  files,
  children,
}: {
  files: readonly OutputFile[]
  children: (file: OutputFile) => ReactNode
}) => {
  const [path, setPath] = useState(files[0]?.path)
  const file = files.find((one) => one.path === path) ?? files[0]
  if (!file) return null
  return (
    <div className="stack">
      {files.length > 1 && (
        <SelectField
          label="File"
          hint={files.length > MAX_CHOICES ? `The first ${MAX_CHOICES}; the others are under All files.` : undefined}
          options={files.slice(0, MAX_CHOICES).map(({ path: value }) => ({ value, label: value }))}
          value={file.path}
          onChange={(event) => setPath(event.target.value)}
        />
      )}
      <div className="row between small">
        <FileLink path={file.path} />
        <span className="muted">{formatBytes(file.bytes)}</span>
      </div>
      <div key={file.path}>{children(file)}</div>
    </div>
  )
}
