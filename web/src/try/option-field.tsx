import { useId } from 'react'
import type { OptionValue } from '../../../src/core/catalog.ts'
import { CheckField, SelectField, TextField } from '../design/field.tsx'
import { formatNumber } from '../design/format.ts'
import { Detail } from './detail.tsx'
import { inWords, isSecret, type OptionDescriptor, problemOf } from './form-state.ts'
import styles from './try.module.css'

type Props = {
  option: OptionDescriptor
  value: OptionValue
  onChange(value: OptionValue): void
  /** Values that cannot be had now. */
  unavailable?: readonly string[]
  /** In place of the allowed values, where another list says what there is. */
  choices?: readonly { value: string; label: string }[] | undefined
}

/** The field of one option, by its type. */
export const OptionField = ({ option, value, onChange, unavailable = [], choices }: Props) => {
  const label = inWords(option.id)
  const hint = option.detail ? <Detail text={option.detail} /> : undefined
  const problem = problemOf(option, value)
  if (choices || option.type === 'enum') {
    const all = choices ?? (option.allowedValues ?? []).map((each) => ({ value: String(each), label: String(each) }))
    const options = all.map((each) =>
      unavailable.includes(each.value) ? { ...each, label: `${each.label} (not available)`, disabled: true } : each,
    )
    return (
      <SelectField
        label={label}
        hint={hint}
        problem={problem}
        options={options}
        value={String(value)}
        onChange={({ target }) => onChange(target.value)}
      />
    )
  }
  switch (option.type) {
    case 'boolean':
      return (
        <CheckField
          label={label}
          hint={hint}
          checked={value === true}
          onChange={({ target }) => onChange(target.checked)}
        />
      )
    case 'integer':
    case 'number':
      return <NumberField option={option} value={value} onChange={onChange} />
    case 'list':
      return <ListField option={option} value={value} onChange={onChange} />
    default:
      return (
        <TextField
          label={label}
          hint={hint}
          problem={problem}
          type={isSecret(option) ? 'password' : 'text'}
          autoComplete="off"
          spellCheck={false}
          maxLength={option.maxLength}
          value={String(value)}
          onChange={({ target }) => onChange(target.value)}
        />
      )
  }
}

const NumberField = ({ option, value, onChange }: Props) => {
  const { id, type, detail, min = 0, max = 0 } = option
  return (
    <TextField
      label={inWords(id)}
      hint={
        <>
          {detail && <Detail text={`${detail} `} />}
          {formatNumber(min)} to {formatNumber(max)}.
        </>
      }
      problem={problemOf(option, value)}
      type="number"
      inputMode={type === 'integer' ? 'numeric' : 'decimal'}
      min={min}
      max={max}
      step={type === 'integer' ? 1 : 'any'}
      value={String(value)}
      // An empty field is no number, and says so.
      onChange={({ target }) => onChange(target.value.trim() === '' ? '' : Number(target.value))}
    />
  )
}

const ListField = ({ option, value, onChange }: Props) => {
  const id = useId()
  const chosen = Array.isArray(value) ? (value as readonly string[]) : []
  const all = (option.allowedValues ?? []).map(String)
  // In the order of the catalog, whatever order they were ticked in.
  const toggle = (item: string, isOn: boolean) =>
    onChange(all.filter((each) => (each === item ? isOn : chosen.includes(each))))
  return (
    <fieldset className={styles.list} aria-describedby={option.detail ? `${id}-hint` : undefined}>
      <legend>{inWords(option.id)}</legend>
      <div>
        {all.map((item) => (
          <CheckField
            key={item}
            label={item}
            checked={chosen.includes(item)}
            onChange={({ target }) => toggle(item, target.checked)}
          />
        ))}
      </div>
      {option.detail && (
        <span className="muted small" id={`${id}-hint`}>
          <Detail text={option.detail} />
        </span>
      )}
    </fieldset>
  )
}
