import { type ReactNode, useEffect, useId, useState } from 'react'
import { Link } from 'wouter'
import { request } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { ErrorNotice, Loading } from '../design/feedback.tsx'
import { SelectField, TextField } from '../design/field.tsx'
import { formatCredits } from '../design/format.ts'
import {
  addOnKey,
  addOnWords,
  baseWords,
  costingOf,
  countWords,
  type Extractor,
  type Extractors,
  formatPath,
  groupAddOns,
  type LineItem,
  type Options,
  type Quote,
  rateWords,
} from './catalog.ts'
import styles from './docs.module.css'
import { buildEstimate, defaultAddOn, type Inputs, metricsOf } from './estimate-body.ts'

const QUIET_MS = 200
const FIRST_FORMAT = 'pptx'

const readWantedFormat = (): string => new URLSearchParams(location.search).get('format') ?? FIRST_FORMAT

/** Says what a job would cost, by asking the service. */
export const Calculator = () => {
  const extractors = useAnswer<Extractors>('/web/extractors')
  const [text, setText] = useState(readWantedFormat)
  const list = useId()
  if (!extractors.data) return extractors.error === undefined ? <Loading /> : <ErrorNotice error={extractors.error} />
  const extension = text.trim().toLowerCase().replace(/^\./, '')
  const extractor = extractors.data.extractors.find(({ sourceFormats }) => sourceFormats.includes(extension))
  return (
    <section className={`card ${styles.calculator}`} aria-labelledby={`${list}-title`}>
      <h2 id={`${list}-title`}>Calculator</h2>
      <TextField
        label="Format"
        list={list}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => setText(target.value)}
        hint="The extension of the file."
        problem={extractor || extension === '' ? undefined : 'No format has this extension.'}
      />
      <datalist id={list}>
        {extractors.data.extractors.flatMap(({ extractor: family, sourceFormats }) =>
          sourceFormats.map((name) => (
            <option key={name} value={name}>
              {family}
            </option>
          )),
        )}
      </datalist>
      {extractor && <Choices key={extension} extension={extension} extractor={extractor} />}
    </section>
  )
}

const Choices = ({ extension, extractor }: { extension: string; extractor: Extractor }) => {
  const options = useAnswer<Options>(`/web/options/${encodeURIComponent(extension)}`)
  if (!options.data) return options.error === undefined ? <Loading /> : <ErrorNotice error={options.error} />
  return <Form extension={extension} extractor={extractor} options={options.data} />
}

const Form = ({ extension, extractor, options }: { extension: string; extractor: Extractor; options: Options }) => {
  const { terms, addOns } = costingOf(extractor, extension)
  const groups = groupAddOns(addOns)
  const modes = options.transcription?.modes ?? []
  const [inputs, setInputs] = useState<Inputs>(() => ({
    workflow: 'extract',
    mode: modes[0]?.id ?? '',
    amounts: {},
    chosen: Object.fromEntries(groups.map(({ name, addOns: group }) => [name, defaultAddOn(options, group)])),
  }))
  const isExtraction = inputs.workflow === 'extract'
  const metrics = isExtraction
    ? metricsOf([...terms, ...addOns])
    : metricsOf([{ unit: 'megabyte' }, { unit: 'minute' }])
  const set = (change: Partial<Inputs>) => setInputs({ ...inputs, ...change })
  return (
    <>
      {modes.length > 0 && (
        <SelectField
          label="What for"
          value={inputs.workflow}
          onChange={({ target }) => set({ workflow: target.value as Inputs['workflow'] })}
          options={[
            { value: 'extract', label: 'Extraction' },
            { value: 'transcribe', label: 'A transcript alone' },
          ]}
        />
      )}
      <fieldset>
        <legend>The file</legend>
        <div className="grid">
          {metrics.map(({ field, label, initial }) => (
            <TextField
              key={field}
              label={label}
              type="number"
              min="0"
              step="any"
              inputMode="decimal"
              value={inputs.amounts[field] ?? initial}
              onChange={({ target }) => set({ amounts: { ...inputs.amounts, [field]: target.value } })}
            />
          ))}
        </div>
      </fieldset>
      {isExtraction ? (
        groups.map(({ name, addOns: group }) => (
          <SelectField
            key={name}
            label={`Add-on: ${name}`}
            value={inputs.chosen[name] ?? ''}
            onChange={({ target }) => set({ chosen: { ...inputs.chosen, [name]: target.value } })}
            options={[
              { value: '', label: 'Not selected' },
              ...group.map((addOn) => ({
                value: addOnKey(addOn),
                label: `${addOnWords(addOn, options)}: ${rateWords(addOn)}`,
              })),
            ]}
          />
        ))
      ) : (
        <SelectField
          label="Mode"
          value={inputs.mode}
          onChange={({ target }) => set({ mode: target.value })}
          options={modes.map(({ id, creditsPerMinute, available }) => ({
            value: id,
            label: `${id}: ${rateWords({ per: 1, unit: 'minute', credits: creditsPerMinute })}${available ? '' : ' (not available now)'}`,
          }))}
        />
      )}
      <Bill extension={extension} body={buildEstimate(options, addOns, metrics, inputs)}>
        {(item) => describeItem(item, extractor, options)}
      </Bill>
      <p className="small muted">
        {isExtraction && `Base: ${baseWords(terms, extractor.costing.minimum)} `}
        The limits of your own plan hold here too. <Link href={formatPath(extension)}>All about .{extension}</Link>
      </p>
    </>
  )
}

/** Asks for the price as soon as nothing has changed for a moment. */
const Bill = ({
  extension,
  body,
  children,
}: {
  extension: string
  body: object
  children: (item: LineItem) => ReactNode
}) => {
  const [state, setState] = useState<{ quote?: Quote; error?: unknown }>({})
  const json = JSON.stringify(body)
  useEffect(() => {
    const abort = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const init = { json: JSON.parse(json) as unknown, signal: abort.signal }
        const quote = await request<Quote>('POST', `/web/estimate/${encodeURIComponent(extension)}`, init)
        if (!abort.signal.aborted) setState({ quote })
      } catch (error) {
        if (!abort.signal.aborted) setState({ error })
      }
    }, QUIET_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [extension, json])
  return (
    <section className={styles.bill} aria-live="polite" aria-label="Price">
      {state.error !== undefined && <ErrorNotice error={state.error} />}
      {state.quote && (
        <>
          <p className={styles.total} data-credits={state.quote.quotedCredits}>
            {formatCredits(state.quote.quotedCredits)}
          </p>
          <ul>
            {state.quote.lineItems.map((item) => (
              <li key={`${item.kind}${item.capabilityId}${item.mode}`}>{children(item)}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

const describeItem = (item: LineItem, { costing }: Extractor, options: Options): string => {
  const amount = `${formatCredits(item.credits)} for ${countWords(item.quantity, item.unit)}`
  if (item.kind === 'base') {
    const term = costing.terms.find(({ unit, per }) => unit === item.unit && per === item.per)
    return `Base: ${amount}${term ? `, at ${rateWords(term)}` : ''}`
  }
  const addOn = costing.addOns.find(
    ({ capabilityId, mode, unit }) =>
      capabilityId === item.capabilityId && mode === (item.mode ?? null) && unit === item.unit,
  )
  const name = addOnWords({ capabilityId: item.capabilityId ?? '', mode: item.mode ?? null }, options)
  return `${name}: ${amount}${addOn ? `, at ${rateWords(addOn)}` : ''}`
}
