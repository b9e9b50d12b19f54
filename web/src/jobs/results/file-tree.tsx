import { useMemo, useState } from 'react'
import type { OutputFile } from '../../../../src/jobs/records.ts'
import { Button } from '../../design/button.tsx'
import { formatBytes, formatNumber } from '../../design/format.ts'
import { FileLink } from './file-link.tsx'
import styles from './result.module.css'

const PAGE = 100
const ROOT = ''

/** All files of a result, by folder, each with its size and its link. */
export const FileTree = ({ files }: { files: readonly OutputFile[] }) => {
  const folders = useMemo(() => groupByFolder(files), [files])
  return (
    <div className={`card ${styles.folders}`}>
      {folders.map(([folder, own]) => (
        <Folder key={folder} folder={folder} files={own} isOpen={files.length <= PAGE || folders.length === 1} />
      ))}
    </div>
  )
}

/** By the first folder of the path. What lies at the top is told first, unless it is the manifest alone. */
const groupByFolder = (files: readonly OutputFile[]): [string, OutputFile[]][] => {
  const folders = [...Map.groupBy(files, ({ path }) => path.slice(0, path.indexOf('/') + 1))]
  const rank = ([folder, own]: [string, OutputFile[]]) => (folder !== ROOT ? 1 : own.length > 1 ? 0 : 2)
  return folders.sort((a, b) => rank(a) - rank(b) || a[0].localeCompare(b[0]))
}

const Folder = ({ folder, files, isOpen }: { folder: string; files: readonly OutputFile[]; isOpen: boolean }) => {
  const [open, setOpen] = useState(isOpen)
  const [shown, setShown] = useState(PAGE)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>{folder || 'Top level'}</strong>{' '}
        <span className="muted small">
          {formatNumber(files.length)} {files.length === 1 ? 'file' : 'files'}, {formatBytes(bytes)}
        </span>
      </summary>
      {open && (
        <ul className={styles.files}>
          {files.slice(0, shown).map((file) => (
            <li key={file.path}>
              <FileLink path={file.path} label={file.path.slice(folder.length)} />
              <span className="muted small number">{formatBytes(file.bytes)}</span>
            </li>
          ))}
        </ul>
      )}
      {open && files.length > shown && (
        <Button small onClick={() => setShown(shown + 5 * PAGE)}>
          Show more ({formatNumber(files.length - shown)})
        </Button>
      )}
    </details>
  )
}
