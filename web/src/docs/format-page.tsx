import { Link } from 'wouter'
import { useAnswer } from '../api/use-answer.ts'
import { Fact, Facts } from '../design/facts.tsx'
import { Badge, ErrorNotice, Loading } from '../design/feedback.tsx'
import { formatNumber } from '../design/format.ts'
import { Table } from '../design/table.tsx'
import { useTitle } from '../site.tsx'
import {
  addOnWords,
  allowedWords,
  baseWords,
  type Capability,
  costingOf,
  type Extractor,
  type Extractors,
  formatPath,
  groupAddOns,
  type Option,
  type Options,
  rateWords,
  type Schema,
} from './catalog.ts'
import { Code, Example } from './code.tsx'
import styles from './docs.module.css'
import { Contents, useHash } from './guide.tsx'
import { Value, Words } from './words.tsx'

/** All about one extension, from the service's own descriptions. */
export const FormatPage = ({ extension }: { extension: string }) => {
  const name = extension.toLowerCase().replace(/^\./, '')
  useTitle(`.${name}`)
  const options = useAnswer<Options>(`/web/options/${encodeURIComponent(name)}`)
  const extractors = useAnswer<Extractors>('/web/extractors')
  const schema = useAnswer<Schema>('/web/schema')
  useHash(options.data)
  const error = options.error ?? extractors.error ?? schema.error
  const extractor = extractors.data?.extractors.find(({ sourceFormats }) => sourceFormats.includes(name))
  const mimeTypes = schema.data?.formats.find((format) => format.extension === name)?.mimeTypes ?? []
  return (
    <div className={styles.guide}>
      <div className={`${styles.text} stack`}>
        <div>
          <p className="small">
            <Link href="/docs/formats">Formats</Link>
          </p>
          <h1>
            <span className="mono">.{name}</span>
          </h1>
        </div>
        {error !== undefined && <ErrorNotice error={error} />}
        {options.data && extractor && schema.data ? (
          <Format extension={name} options={options.data} extractor={extractor} mimeTypes={mimeTypes} />
        ) : (
          error === undefined && <Loading />
        )}
      </div>
      {options.data && (
        <Contents
          headings={[
            { id: 'price', text: 'Price' },
            { id: 'send', text: 'Send it' },
            ...options.data.capabilities.map(({ id }) => ({ id, text: id })),
            ...(options.data.transcription ? [{ id: 'transcription', text: 'Transcript alone' }] : []),
          ]}
        />
      )}
    </div>
  )
}

const Format = ({
  extension,
  options,
  extractor,
  mimeTypes,
}: {
  extension: string
  options: Options
  extractor: Extractor
  mimeTypes: readonly string[]
}) => {
  const { terms, addOns } = costingOf(extractor, extension)
  const { limits } = extractor
  return (
    <>
      <Facts>
        <Fact name="Family">
          {extractor.extractor} {!extractor.available && <Badge tone="warning">not installed here</Badge>}
        </Fact>
        <Fact name="Category">{extractor.category}</Fact>
        {mimeTypes.length > 0 && (
          <Fact name="Media types" className="mono">
            {mimeTypes.join(', ')}
          </Fact>
        )}
        <Fact name="Your limits">
          {formatNumber(limits.maxFileSizeMb)} MB
          {limits.maxDurationMinutes !== undefined && `, ${formatNumber(limits.maxDurationMinutes)} minutes`}
          {limits.maxUnits !== undefined && `, ${formatNumber(limits.maxUnits)} ${terms.at(-1)?.unit ?? 'unit'}s`}
        </Fact>
      </Facts>

      <section aria-labelledby="price">
        <h2 id="price">Price</h2>
        <p>{baseWords(terms, extractor.costing.minimum)}</p>
        {addOns.length > 0 && (
          <ul>
            {groupAddOns(addOns).flatMap(({ name, addOns: group }) =>
              [...Map.groupBy(group, (addOn) => rateWords(addOn))].map(([rate, own]) => (
                <li key={`${name} ${rate}`}>
                  {rate} more with {own.map((addOn) => addOnWords(addOn, options)).join(' or ')}
                  {group[0]?.once && own.length > 1 ? ', once for a job whatever it selects.' : '.'}
                </li>
              )),
            )}
          </ul>
        )}
        <p>
          <Link href={`/docs/prices?format=${encodeURIComponent(extension)}`}>Calculate a price</Link>
        </p>
      </section>

      <section aria-labelledby="send">
        <h2 id="send">Send it</h2>
        <Example blocks={examplesOf(extension, options)} />
        <details>
          <summary>The options as they are when you send none</summary>
          <Code code={JSON.stringify({ extraction: options.defaults }, null, 2)} />
        </details>
      </section>

      <section aria-labelledby="capabilities" className="stack">
        <h2 id="capabilities">Capabilities</h2>
        {options.capabilities.map((capability) => (
          <CapabilityCard key={capability.id} capability={capability} />
        ))}
      </section>

      {options.constraints.length > 0 && (
        <section aria-labelledby="constraints">
          <h2 id="constraints">What goes together</h2>
          <ul>
            {options.constraints.map(({ detail }) => (
              <li key={detail}>
                <Words text={detail} />
              </li>
            ))}
          </ul>
        </section>
      )}

      {options.transcription && <Transcription transcription={options.transcription} />}

      <section aria-labelledby="family">
        <h2 id="family">The same family</h2>
        <ul className={styles.chips}>
          {extractor.sourceFormats
            .filter((other) => other !== extension)
            .map((other) => (
              <li key={other}>
                <Link href={formatPath(other)}>{other}</Link>
              </li>
            ))}
        </ul>
      </section>
    </>
  )
}

const CapabilityCard = ({
  capability: { id, output, detail, defaultSelected, available, options },
}: {
  capability: Capability
}) => (
  <section className={`card ${styles.capability}`} aria-labelledby={id}>
    <div className="row between">
      <h3 id={id} className="mono">
        {id}
      </h3>
      <span className="row">
        {defaultSelected && <Badge tone="accent">by default</Badge>}
        {!available && <Badge tone="warning">not installed here</Badge>}
      </span>
    </div>
    {detail && (
      <p>
        <Words text={detail} />
      </p>
    )}
    <p className="small muted">Output: {output}</p>
    {options.length > 0 && <OptionList label={`Options of ${id}`} options={options} />}
  </section>
)

/** Not a table: on a narrow screen five columns would leave no room for words. */
const OptionList = ({ label, options }: { label: string; options: readonly Option[] }) => (
  <dl className={styles.options} aria-label={label}>
    {options.map((option) => (
      <div key={option.id}>
        <dt>
          <code>{option.id}</code>{' '}
          <span className="small muted">
            {option.type}
            {option.required ? ', required' : ''}, default <Value value={option.defaultValue} />
          </span>
        </dt>
        <dd>
          {option.detail && <Words text={option.detail} />}{' '}
          {allowedWords(option) !== '' && <span className="muted">Allowed: {allowedWords(option)}.</span>}
          {option.shared && <span className="muted"> Given for one capability, it holds for the others too.</span>}
        </dd>
      </div>
    ))}
  </dl>
)

const Transcription = ({ transcription }: { transcription: NonNullable<Options['transcription']> }) => (
  <section aria-labelledby="transcription" className="stack">
    <h2 id="transcription">Transcript alone</h2>
    <p>
      <code>POST /extract/transcribe</code> takes these options under <code>transcription</code>. Languages:{' '}
      {transcription.languages.join(', ')}. See <Link href="/docs/transcripts">Transcripts</Link>.
    </p>
    <Table
      label="Modes"
      rows={transcription.modes}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Mode', cell: ({ id }) => <code>{id}</code> },
        { name: 'Credits a started minute', cell: ({ creditsPerMinute }) => creditsPerMinute, isNumber: true },
        { name: 'Here', cell: ({ available }) => (available ? 'available' : 'not available') },
      ]}
    />
    <OptionList label="Options of a transcript" options={transcription.options} />
  </section>
)

/** How to send a file of this kind with two of its capabilities. */
const examplesOf = (extension: string, { capabilities }: Options) => {
  const selectedCapabilities = capabilities
    .filter(({ available }) => available)
    .slice(0, 2)
    .map(({ id }) => id)
  const options = { extraction: { selectedCapabilities } }
  return [
    {
      kind: 'sh',
      code: `curl -F file=@example.${extension} \\\n  -F 'options=${JSON.stringify(options)}' \\\n  -H "X-Fast-Api-Key: $QUARRY_KEY" ${location.origin}/extract`,
    },
    {
      kind: 'ts sdk',
      code: `import { createClient } from '@quarry/client'\n\nconst quarry = createClient({ baseUrl: '${location.origin}/extract', apiKey: process.env.QUARRY_KEY ?? '' })\nconst { id } = await quarry.extract('example.${extension}', {\n  selectedCapabilities: ${JSON.stringify(selectedCapabilities)},\n})\nawait quarry.jobs.wait(id)\nawait quarry.jobs.download(id, 'example.zip')`,
    },
  ]
}
