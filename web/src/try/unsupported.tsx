import { Link } from 'wouter'
import { Notice } from '../design/feedback.tsx'
import { inWords, type SupportedFormat } from './form-state.ts'
import styles from './try.module.css'

/** Enough to see what is meant; the documentation has them all. */
const SHOWN = 12

/** Says that a file cannot be taken. */
export const Unsupported = ({ extension }: { extension: string }) => (
  <Notice tone="danger">
    {extension === ''
      ? 'The name of the file has no extension, so its format is not known.'
      : `Files of the kind .${extension} are not supported.`}{' '}
    Nothing was sent.
  </Notice>
)

/** What can be sent, by category. */
export const FormatList = ({ formats }: { formats: readonly SupportedFormat[] }) => (
  <section className={`card ${styles.formats}`}>
    <h2>What can be sent</h2>
    <dl className={styles.extensions}>
      {[...Map.groupBy(formats, ({ category }) => category)].map(([category, members]) => (
        <div key={category} className={styles.category}>
          <dt>{inWords(category)}</dt>
          <dd>
            {members
              .slice(0, SHOWN)
              .map(({ extension }) => extension)
              .join(', ')}
            {members.length > SHOWN && ` and ${members.length - SHOWN} more`}
          </dd>
        </div>
      ))}
    </dl>
    <p>
      <Link href="/docs/formats">All formats, and what is taken out of each</Link>
    </p>
  </section>
)
