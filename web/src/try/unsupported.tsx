import { Link } from 'wouter'
import { useAnswer } from '../api/use-answer.ts'
import { Notice } from '../design/feedback.tsx'
import type { Extractors } from '../docs/catalog.ts'
import { inWords } from './form-state.ts'
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
export const FormatList = () => {
  const { data } = useAnswer<Extractors>('/web/extractors')
  if (!data) return null
  return (
    <section className={`card ${styles.formats}`}>
      <h2>What can be sent</h2>
      <dl className={styles.extensions}>
        {[...Map.groupBy(data.extractors, ({ category }) => category)].map(([category, families]) => {
          const extensions = takeTurns(families.map(({ sourceFormats }) => sourceFormats))
          return (
            <div key={category} className={styles.category}>
              <dt>{inWords(category)}</dt>
              <dd>
                {extensions.slice(0, SHOWN).join(', ')}
                {extensions.length > SHOWN && ` and ${extensions.length - SHOWN} more`}
              </dd>
            </div>
          )
        })}
      </dl>
      <p>
        <Link href="/docs/formats">All formats, and what is taken out of each</Link>
      </p>
    </section>
  )
}

/** The first of each list, then the second of each: no family hides another's best known formats. */
const takeTurns = (lists: readonly (readonly string[])[]): string[] => {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat()
}
