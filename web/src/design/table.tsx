import type { ReactNode } from 'react'

export type Column<T> = { name: string; cell: (row: T) => ReactNode; isNumber?: boolean; hideName?: boolean }

/** Rows under named columns; too wide for the screen, it scrolls inside its frame. */
export const Table = <T,>({
  label,
  columns,
  rows,
  keyOf,
}: {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string | number
}) => (
  // Focusable: a frame that scrolls must be reached by the keyboard too.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
  <section className="table-frame" aria-label={label} tabIndex={0}>
    <table className="table">
      <thead>
        <tr>
          {columns.map(({ name, isNumber, hideName }) => (
            <th key={name} scope="col" className={isNumber ? 'number' : undefined}>
              {hideName ? <span className="visually-hidden">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ name, cell, isNumber }) => (
              <td key={name} className={isNumber ? 'number' : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
