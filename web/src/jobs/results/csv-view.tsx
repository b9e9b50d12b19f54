import { useMemo } from 'react'
import type { OutputFile } from '../../../../src/jobs/records.ts'
import { ErrorNotice, Loading } from '../../design/feedback.tsx'
import { formatNumber } from '../../design/format.ts'
import { parseCsv } from './parse-csv.ts'
import { useText } from './read-text.ts'
import styles from './result.module.css'
import { useFileAddress } from './result-context.ts'
import { ScrollFrame } from './scroll-frame.tsx'
import { extensionOf } from './sort-files.ts'

/** So much is read to count the rows. */
const MAX_BYTES = 4_000_000
const MAX_ROWS = 200
const MAX_COLUMNS = 60

/** Separated values as a table; the first row names the columns. */
export const CsvView = ({ file }: { file: OutputFile }) => {
  const address = useFileAddress()
  const { read, error } = useText(address(file.path), MAX_BYTES)
  const delimiter = extensionOf(file.path) === 'tsv' ? '\t' : undefined
  const table = useMemo(() => read && parseCsv(read.text, MAX_ROWS + 1, delimiter), [read, delimiter])
  if (error !== undefined) return <ErrorNotice error={error} />
  if (!read || !table) return <Loading />
  const [head = [], ...body] = table.rows
  const columns = Math.max(0, ...table.rows.map((row) => row.length))
  const shown = Array.from({ length: Math.min(columns, MAX_COLUMNS) }, (_, index) => index)
  const isNumber = shown.map((column) => body.length > 0 && body.every((row) => isNumeric(row[column])))
  if (columns === 0) return <p className="muted">The table is empty.</p>
  return (
    <div className="stack">
      <ScrollFrame label={`Table ${file.path}`} className={`table-frame ${styles.sheet}`}>
        <table className="table">
          <thead>
            <tr>
              {shown.map((column) => (
                <th key={column} scope="col" dir="auto" className={isNumber[column] ? 'number' : undefined}>
                  {head[column] || <span className="visually-hidden">Column {column + 1}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {body.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
              <tr key={index}>
                {shown.map((column) => (
                  <td key={column} dir="auto" className={isNumber[column] ? 'number' : undefined}>
                    {row[column]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
      <p className="muted small">{describeSize(table.rowCount - 1, body.length, columns, read.isCut)}</p>
    </div>
  )
}

const isNumeric = (value = ''): boolean => value === '' || /^-?[\d.,\s]*\d%?$/.test(value)

const describeSize = (rows: number, shownRows: number, columns: number, isCut: boolean): string => {
  const count = `${isCut ? 'More than ' : ''}${formatNumber(rows)} ${rows === 1 ? 'row' : 'rows'}, ${formatNumber(columns)} ${columns === 1 ? 'column' : 'columns'}.`
  const hiddenRows = rows - shownRows
  return [
    count,
    ...(hiddenRows > 0 || isCut ? [`The first ${formatNumber(shownRows)} rows are shown.`] : []),
    ...(columns > MAX_COLUMNS ? [`The first ${MAX_COLUMNS} columns are shown.`] : []),
  ].join(' ')
}
