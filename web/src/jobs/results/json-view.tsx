import { useMemo } from 'react'
import type { OutputFile } from '../../../../src/jobs/records.ts'
import { ErrorNotice, Loading, Notice } from '../../design/feedback.tsx'
import { formatNumber } from '../../design/format.ts'
import { CutNote } from './cut-note.tsx'
import { JsonTree } from './json-tree.tsx'
import { useText } from './read-text.ts'
import styles from './result.module.css'
import { useFileAddress } from './result-context.ts'
import { extensionOf } from './sort-files.ts'

const MAX_BYTES = 2_000_000
const MAX_SHOWN_CHARACTERS = 100_000
const MAX_LINES = 200

type Parsed = { value: unknown; note?: string } | { text: string }

/** JSON as a tree; what is too large for that, or no JSON, as the text it is. */
export const JsonView = ({ file }: { file: OutputFile }) => {
  const address = useFileAddress()
  const { read, error } = useText(address(file.path), MAX_BYTES)
  const isLines = extensionOf(file.path).endsWith('jsonl') || extensionOf(file.path) === 'ndjson'
  const parsed = useMemo(() => read && parse(read.text, read.isCut, isLines), [read, isLines])
  if (error !== undefined) return <ErrorNotice error={error} />
  if (!parsed) return <Loading />
  if ('text' in parsed) {
    return (
      <div className="stack">
        <CutNote file={file} shownBytes={Math.min(MAX_SHOWN_CHARACTERS, file.bytes)} />
        <pre>{parsed.text}</pre>
      </div>
    )
  }
  return (
    <div className="stack">
      {parsed.note && <Notice>{parsed.note}</Notice>}
      <div className={`card ${styles.tree}`}>
        <JsonTree value={parsed.value} isOpen />
      </div>
    </div>
  )
}

const parse = (text: string, isCut: boolean, isLines: boolean): Parsed => {
  try {
    if (!isLines) return isCut ? { text: text.slice(0, MAX_SHOWN_CHARACTERS) } : { value: JSON.parse(text) as unknown }
    const lines = text.split('\n').slice(0, isCut ? -1 : undefined)
    const filled = lines.filter((line) => line.trim() !== '')
    const value = filled.slice(0, MAX_LINES).map((line) => JSON.parse(line) as unknown)
    const count = `${isCut ? 'more than ' : ''}${formatNumber(filled.length)}`
    return filled.length > MAX_LINES ? { value, note: `The first ${MAX_LINES} of ${count} records.` } : { value }
  } catch {
    return { text: text.slice(0, MAX_SHOWN_CHARACTERS) }
  }
}
