import { CheckField } from '../design/field.tsx'
import { CapabilityChoice } from './capability-choice.tsx'
import { Disclosure } from './disclosure.tsx'
import {
  brokenConstraints,
  type Descriptor,
  type FormState,
  inWords,
  optionValue,
  sharedOptions,
} from './form-state.ts'
import { OptionField } from './option-field.tsx'
import styles from './try.module.css'

/** What is to be extracted, built from the descriptor of the format alone. */
export const ExtractionForm = ({
  descriptor,
  form,
  isSharedOpen,
  onChange,
}: {
  descriptor: Descriptor
  form: FormState
  /** Something the visitor must see stands among the options of the file. */
  isSharedOpen: boolean
  onChange(form: FormState): void
}) => {
  const groups = Map.groupBy(descriptor.capabilities, ({ output }) => output)
  const broken = brokenConstraints(descriptor, form)
  const shared = sharedOptions(descriptor, form)
  return (
    <div>
      {[...groups].map(([output, capabilities]) => {
        const isTold = capabilities.length === 1 && inWords(capabilities[0]?.id ?? '') === inWords(output)
        return (
          <fieldset key={output} className={styles.group}>
            <legend className={isTold ? 'visually-hidden' : undefined}>{inWords(output)}</legend>
            {capabilities.map((capability) => (
              <CapabilityChoice
                key={capability.id}
                descriptor={descriptor}
                capability={capability}
                form={form}
                broken={broken.filter(({ capabilityId }) => capabilityId === capability.id)}
                onChange={onChange}
              />
            ))}
          </fieldset>
        )
      })}
      <fieldset className={styles.group}>
        <legend className="visually-hidden">The whole file</legend>
        <div className={styles.capability}>
          <CheckField
            label={<span className={styles.name}>Manifest</span>}
            hint="A list of everything in the result, with checksums and where each piece comes from."
            checked={form.includeManifest}
            onChange={({ target }) => onChange({ ...form, includeManifest: target.checked })}
          />
        </div>
        {shared.length > 0 && (
          <Disclosure mustOpen={isSharedOpen} summary="Options for the whole file">
            <div className={styles.options}>
              {shared.map((option) => (
                <OptionField
                  key={option.id}
                  option={option}
                  value={optionValue(form.shared, option)}
                  onChange={(value) => onChange({ ...form, shared: { ...form.shared, [option.id]: value } })}
                />
              ))}
            </div>
          </Disclosure>
        )}
      </fieldset>
    </div>
  )
}
