import { useState } from 'react'
import { Link } from 'wouter'
import { useAnswer } from '../api/use-answer.ts'
import { Button } from '../design/button.tsx'
import { Badge, Empty, ErrorNotice, Loading } from '../design/feedback.tsx'
import { TextField } from '../design/field.tsx'
import { useTitle } from '../site.tsx'
import { baseWords, type Extractor, type Extractors, formatPath, type Schema } from './catalog.ts'
import styles from './docs.module.css'

const MAX_CHIPS = 36

/** Every format the service takes, by family, with a search. */
export const FormatsPage = () => {
  useTitle('Formats')
  const extractors = useAnswer<Extractors>('/web/extractors')
  const schema = useAnswer<Schema>('/web/schema')
  const [search, setSearch] = useState('')
  const error = extractors.error ?? schema.error
  return (
    <div className={`${styles.text} stack`}>
      <div>
        <h1>Formats</h1>
        <p>
          What the service takes, and what it gives for it. The page of an extension has every capability, option and
          price.
        </p>
      </div>
      <TextField
        label="Find a format"
        type="search"
        placeholder="pptx, video, subtitles, image/png…"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      {error !== undefined && <ErrorNotice error={error} />}
      {extractors.data && schema.data ? (
        <Families extractors={extractors.data.extractors} schema={schema.data} search={search} />
      ) : (
        error === undefined && <Loading />
      )}
    </div>
  )
}

const Families = ({
  extractors,
  schema,
  search,
}: {
  extractors: readonly Extractor[]
  schema: Schema
  search: string
}) => {
  const facts = new Map(schema.formats.map((format) => [format.extension, format]))
  const words = search.toLowerCase().replace(/^\./, '').split(/\s+/).filter(Boolean)
  const found = extractors.flatMap((extractor) => {
    const own = facts.get(extractor.sourceFormats[0] ?? '')
    const about = [extractor.extractor, extractor.category, ...(own?.outputs ?? []), ...extractor.capabilities]
    const isFamily = words.every((word) => about.some((text) => text.includes(word)))
    const extensions = isFamily
      ? extractor.sourceFormats
      : extractor.sourceFormats.filter((extension) => {
          const texts = [extension, ...(facts.get(extension)?.mimeTypes ?? []), ...about]
          return words.every((word) => texts.some((text) => text.includes(word)))
        })
    return extensions.length > 0 ? [{ extractor, extensions, outputs: own?.outputs ?? [] }] : []
  })
  const count = found.reduce((sum, { extensions }) => sum + extensions.length, 0)
  return (
    <>
      <p className="muted small" role="status">
        {count} extension{count === 1 ? '' : 's'}
      </p>
      {found.length === 0 && <Empty>No format is like this. The search looks at extensions, types and outputs.</Empty>}
      {found.map((family) => (
        <Family key={family.extractor.extractor} {...family} />
      ))}
    </>
  )
}

const Family = ({
  extractor,
  extensions,
  outputs,
}: {
  extractor: Extractor
  extensions: readonly string[]
  outputs: readonly string[]
}) => {
  const [all, setAll] = useState(false)
  const shown = all ? extensions : extensions.slice(0, MAX_CHIPS)
  const { terms, minimum } = extractor.costing
  const common = terms.filter((term) => term.extensions === undefined)
  return (
    <section className={`card ${styles.family}`} aria-label={extractor.extractor}>
      <div className="row">
        <h2>{extractor.extractor}</h2>
        {!extractor.available && <Badge tone="warning">not installed here</Badge>}
      </div>
      <p>Gives {outputs.join(', ')}.</p>
      <p className="small muted">
        {baseWords(common, minimum)}
        {common.length < terms.length && ' Some extensions also count frames, pages or slides.'}
      </p>
      <ul className={styles.chips}>
        {shown.map((extension) => (
          <li key={extension}>
            <Link href={formatPath(extension)}>{extension}</Link>
          </li>
        ))}
      </ul>
      {shown.length < extensions.length && (
        <div>
          <Button small onClick={() => setAll(true)}>
            Show all {extensions.length}
          </Button>
        </div>
      )}
    </section>
  )
}
