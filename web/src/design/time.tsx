import { formatTime } from './format.ts'

const short = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
const long = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })

/** In tables the year goes without saying, and in another year the hour does not matter. */
const formatShort = (date: Date): string =>
  (date.getFullYear() === new Date().getFullYear() ? short : long).format(date)

/** A moment in the reader's own time zone, in few words; a dash where there is none. */
export const Time = ({ at, none = '–' }: { at: string | null; none?: string }) =>
  at === null ? (
    <span className="muted">{none}</span>
  ) : (
    <time className="one-line" dateTime={at} title={formatTime(at)}>
      {formatShort(new Date(at))}
    </time>
  )
