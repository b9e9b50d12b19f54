import { useId } from 'react'
import { formatCredits } from '../design/format.ts'
import { Disclosure } from './disclosure.tsx'
import { type Descriptor, type FormState, inWords, optionValue } from './form-state.ts'
import { OptionField } from './option-field.tsx'
import styles from './try.module.css'

type Transcription = NonNullable<Descriptor['transcription']>

const languageNames = new Intl.DisplayNames('en', { type: 'language' })
const nameLanguage = (code: string): string => {
  if (code === 'auto') return 'Found out by listening'
  try {
    return languageNames.of(code) ?? code
  } catch {
    return code
  }
}

/** A transcript and nothing else: how good, in which language, in which files. */
export const TranscriptionForm = ({
  transcription,
  form,
  onChange,
}: {
  transcription: Transcription
  form: FormState
  onChange(form: FormState): void
}) => {
  const name = useId()
  const set = (id: string, value: FormState['shared'][string]) =>
    onChange({ ...form, transcription: { ...form.transcription, [id]: value } })
  const mode = transcription.options.find(({ id }) => id === 'mode')
  const others = transcription.options.filter(({ id }) => id !== 'mode' && id !== 'language')
  const language = transcription.options.find(({ id }) => id === 'language')
  const languages = transcription.languages.map((value) => ({ value, label: nameLanguage(value) }))
  return (
    <div className="stack">
      {mode && (
        <fieldset className={styles.choice}>
          <legend>Mode</legend>
          {transcription.modes.map(({ id, creditsPerMinute, available }) => (
            <label key={id}>
              <input
                type="radio"
                name={name}
                value={id}
                disabled={!available}
                checked={optionValue(form.transcription, mode) === id}
                onChange={() => set('mode', id)}
              />
              {inWords(id)}
              <small>
                {formatCredits(creditsPerMinute)} a minute
                {!available && '. Not available: no engine here can serve it now'}
              </small>
            </label>
          ))}
        </fieldset>
      )}
      {language && (
        <OptionField
          option={{ ...language, detail: 'What is spoken in the recording.' }}
          value={optionValue(form.transcription, language)}
          choices={languages}
          onChange={(value) => set('language', value)}
        />
      )}
      {others.length > 0 && (
        <Disclosure summary="Files of the result">
          <div className={styles.options}>
            {others.map((option) => (
              <OptionField
                key={option.id}
                option={option}
                value={optionValue(form.transcription, option)}
                onChange={(value) => set(option.id, value)}
              />
            ))}
          </div>
        </Disclosure>
      )}
    </div>
  )
}
