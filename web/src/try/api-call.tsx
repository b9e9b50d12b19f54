import { Link } from 'wouter'
import { CopyButton } from '../design/button.tsx'
import { writeCurl } from './curl-command.ts'
import { Disclosure } from './disclosure.tsx'
import { type Descriptor, type FormState, toOptions } from './form-state.ts'
import styles from './try.module.css'

/** The job that the form describes, as a call of the API. */
export const ApiCall = ({
  descriptor,
  form,
  fileName,
}: {
  descriptor: Descriptor
  form: FormState
  fileName: string
}) => {
  const options = toOptions(descriptor, form, () => 'YOUR_PASSWORD')
  const command = writeCurl(location.origin, { workflow: form.workflow, fileName, options })
  return (
    <Disclosure className={styles.call} summary="The same as an API call">
      <pre>
        <code>{command}</code>
      </pre>
      <div className="row between">
        <CopyButton text={command} />
        <Link href="/docs" className="small">
          How to get a key
        </Link>
      </div>
    </Disclosure>
  )
}
