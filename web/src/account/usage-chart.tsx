import type { Usage } from '../../../src/http/web/contract.ts'
import { formatCredits, formatNumber } from '../design/format.ts'
import styles from './account.module.css'

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** `2026-11-15`, a day in UTC, in words. */
export const formatDay = (date: string): string => day.format(new Date(`${date}T00:00:00Z`))

const STEP = 10
const GAP = 2
const HEIGHT = 100
/** So little is still seen, beside much. */
const LEAST = 2

/** Credits by day, a bar for each. */
export const UsageChart = ({ days, summary }: { days: Usage['days']; summary: string }) => {
  const most = Math.max(...days.map(({ credits }) => credits))
  const best = days.find(({ credits }) => credits === most)
  const peak = most > 0 && best ? ` The most on one day: ${formatCredits(most)} on ${formatDay(best.date)}.` : ''
  const [first, last] = [days[0], days.at(-1)]
  return (
    <figure className={styles.chart}>
      <figcaption className="row between small muted">
        <span>Credits by day</span>
        <span aria-hidden="true">most: {formatNumber(most)}</span>
      </figcaption>
      <div className={styles.plot}>
        <svg
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Credits by day: ${summary}.${peak}`}
        >
          {days.map(({ date, credits, jobs }, i) => {
            const height = credits === 0 ? 0 : Math.max(LEAST, (credits / most) * HEIGHT)
            const x = i * STEP + GAP / 2
            return (
              <g key={date}>
                <title>{`${formatDay(date)}: ${formatCredits(credits)}, ${formatNumber(jobs)} ${jobs === 1 ? 'job' : 'jobs'}`}</title>
                {/* The whole height answers to the pointer, also on a day of nothing. */}
                <rect className={styles.day} x={i * STEP} y={0} width={STEP} height={HEIGHT} />
                <rect className={styles.bar} x={x} y={HEIGHT - height} width={STEP - GAP} height={height} />
              </g>
            )
          })}
        </svg>
      </div>
      <div className={`row between small muted ${styles.ends}`} aria-hidden="true">
        <span>{first && formatDay(first.date)}</span>
        <span>{last && formatDay(last.date)}</span>
      </div>
    </figure>
  )
}
