import type { ReactNode } from 'react'

/** Names with their values: side by side in two columns, or each on a line with its value at the far end. */
export const Facts = ({ look, children }: { look?: 'card' | 'lines'; children: ReactNode }) => (
  <dl className={['facts', look].filter(Boolean).join(' ')}>{children}</dl>
)

export const Fact = ({
  name,
  className,
  children,
}: {
  name: string
  className?: 'mono' | 'file-name'
  children: ReactNode
}) => (
  <div>
    <dt>{name}</dt>
    <dd className={className}>{children}</dd>
  </div>
)
