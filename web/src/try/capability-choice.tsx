import { Button } from '../design/button.tsx'
import { Notice } from '../design/feedback.tsx'
import { CheckField } from '../design/field.tsx'
import { Detail } from './detail.tsx'
import { Disclosure } from './disclosure.tsx'
import {
  type CapabilityDescriptor,
  type ConstraintDescriptor,
  type Descriptor,
  type FormState,
  fixFor,
  inWords,
  optionValue,
  problemOf,
} from './form-state.ts'
import { OptionField } from './option-field.tsx'
import { unavailableModes } from './transcription-modes.ts'
import styles from './try.module.css'

type Props = {
  descriptor: Descriptor
  capability: CapabilityDescriptor
  form: FormState
  broken: readonly ConstraintDescriptor[]
  onChange(form: FormState): void
}

/** One thing that can be extracted: whether it is wanted, what it breaks, and its options. */
export const CapabilityChoice = ({ descriptor, capability, form, broken, onChange }: Props) => {
  const { id, detail } = capability
  const missingModes = unavailableModes(descriptor, capability)
  const isAvailable = capability.available && !missingModes.isNoneLeft
  const isSelected = form.selected.includes(id)
  const toggle = (isOn: boolean) =>
    onChange({ ...form, selected: isOn ? [...form.selected, id] : form.selected.filter((each) => each !== id) })
  const options = capability.options.filter((option) => !option.shared)
  const setOption = (optionId: string, value: FormState['shared'][string]) =>
    onChange({ ...form, own: { ...form.own, [id]: { ...form.own[id], [optionId]: value } } })
  const hasProblem = options.some((option) => problemOf(option, optionValue(form.own[id], option)))
  return (
    <div className={styles.capability}>
      <CheckField
        label={<span className={styles.name}>{inWords(id)}</span>}
        hint={
          (detail || !isAvailable) && (
            <>
              {detail && <Detail text={detail} />}
              {!isAvailable && (
                <>
                  {' '}
                  <strong>
                    {capability.available
                      ? 'Not available: no speech engine is set up here.'
                      : 'Not available: a program that it needs is not installed here.'}
                  </strong>
                </>
              )}
            </>
          )
        }
        checked={isSelected}
        disabled={!isAvailable}
        onChange={({ target }) => toggle(target.checked)}
      />
      <div className={styles.below} role="status">
        {broken.map((constraint) => (
          <BrokenConstraint
            key={`${constraint.type} ${constraint.targets.join(' ')}`}
            {...{ descriptor, form, constraint, onChange }}
          />
        ))}
      </div>
      {isSelected && options.length > 0 && (
        <Disclosure
          className={styles.below}
          mustOpen={hasProblem}
          summary={
            <>
              Options<span className="visually-hidden"> of {inWords(id)}</span>
            </>
          }
        >
          <div className={styles.options}>
            {options.map((option) => (
              <OptionField
                key={option.id}
                option={option}
                value={optionValue(form.own[id], option)}
                unavailable={option.id === missingModes.optionId ? missingModes.modes : []}
                onChange={(value) => setOption(option.id, value)}
              />
            ))}
          </div>
        </Disclosure>
      )}
    </div>
  )
}

const BrokenConstraint = ({
  descriptor,
  form,
  constraint,
  onChange,
}: {
  descriptor: Descriptor
  form: FormState
  constraint: ConstraintDescriptor
  onChange(form: FormState): void
}) => {
  const { add, remove, form: mended } = fixFor(descriptor, form, constraint)
  const names = (ids: readonly string[]) => ids.map(inWords).join(' and ')
  return (
    <Notice tone="warning">
      <div className="row between">
        <span>{constraint.detail}</span>
        <Button small onClick={() => onChange(mended)}>
          {add.length > 0 ? `Add ${names(add)}` : `Remove ${names(remove)}`}
        </Button>
      </div>
    </Notice>
  )
}
