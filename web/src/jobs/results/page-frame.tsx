import type { OutputFile } from '../../../../src/jobs/records.ts'
import styles from './result.module.css'
import { useFileAddress } from './result-context.ts'

/** A page of HTML, shut in: it runs no script, sends no form and reaches nothing. */
export const PageFrame = ({ file }: { file: OutputFile }) => {
  const address = useFileAddress()
  return (
    <iframe
      className={styles.page}
      sandbox=""
      referrerPolicy="no-referrer"
      loading="lazy"
      src={address(file.path)}
      title={`The page ${file.path}`}
    />
  )
}
