import { useId } from 'react'
import type { Descriptor, Workflow } from './form-state.ts'
import styles from './try.module.css'

const CHOICES: readonly { id: Workflow; label: string; detail: string }[] = [
  {
    id: 'extract',
    label: 'Extract',
    detail: 'Choose what to take out of the recording; a transcript can be among it.',
  },
  { id: 'transcribe', label: 'Transcript only', detail: 'What is said, as text, document and subtitles.' },
]

/** Of a recording: what it holds, or only what is said in it. */
export const WorkflowChoice = ({
  workflow,
  transcription,
  onChange,
}: {
  workflow: Workflow
  transcription: NonNullable<Descriptor['transcription']>
  onChange(workflow: Workflow): void
}) => {
  const name = useId()
  const isServed = transcription.modes.some(({ available }) => available)
  return (
    <fieldset className={`${styles.choice} ${styles.isRow}`}>
      <legend className="visually-hidden">What to do</legend>
      {CHOICES.map(({ id, label, detail }) => (
        <label key={id}>
          <input
            type="radio"
            name={name}
            value={id}
            disabled={id === 'transcribe' && !isServed}
            checked={workflow === id}
            onChange={() => onChange(id)}
          />
          {label}
          <small>{id === 'transcribe' && !isServed ? 'Not available: no speech engine is set up here.' : detail}</small>
        </label>
      ))}
    </fieldset>
  )
}
