import { useEffect, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import type { Reference } from '../../../src/http/web/contract.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Empty, ErrorNotice, Loading } from '../design/feedback.tsx'
import { TextField } from '../design/field.tsx'
import { useTitle } from '../site.tsx'
import { type Extractors, formatPath } from './catalog.ts'
import { type Found, findPlaces, listPlaces, markWords, type Place } from './find-in-docs.ts'
import { loadGuides } from './guides.ts'
import styles from './search.module.css'

export const SEARCH_PATH = '/docs/search'

/** Asks for a word in the documentation; on the page of the answers, with each letter. */
export const SearchField = () => {
  const [location, navigate] = useLocation()
  const [params] = useSearchParams()
  const isSearching = location === SEARCH_PATH
  const asked = isSearching ? (params.get('q') ?? '') : ''
  const [typed, setTyped] = useState(asked)
  useEffect(() => setTyped(asked), [asked])
  const ask = (q: string) => navigate(`${SEARCH_PATH}?${new URLSearchParams({ q })}`, { replace: isSearching })
  return (
    <search className={styles.field}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          ask(typed)
        }}
      >
        <TextField
          label="Search the docs"
          type="search"
          enterKeyHint="search"
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target: { value } }) => {
            setTyped(value)
            if (isSearching) ask(value)
          }}
        />
      </form>
    </search>
  )
}

/** What the documentation has to say about some words: guides, formats, codes and settings. */
export const SearchPage = () => {
  useTitle('Search')
  const [params] = useSearchParams()
  const question = (params.get('q') ?? '').trim()
  const { places, error } = usePlaces()
  const found = places ? findPlaces(places, question) : []
  return (
    <div className={`${styles.answers} stack`}>
      <h1>Search</h1>
      {error !== undefined && <ErrorNotice error={error} />}
      {!places && error === undefined && <Loading />}
      {places && (
        <p className="muted small" role="status">
          {question === '' ? 'Guides, formats, error codes and settings.' : countPlaces(found.length)}
        </p>
      )}
      {places && question !== '' && found.length === 0 && (
        <Empty>Nothing has all of these words. Fewer of them, or the beginning of one, may find more.</Empty>
      )}
      <ol className={styles.found}>
        {found.map((place) => (
          <li key={place.href}>
            <FoundPlace place={place} question={question} />
          </li>
        ))}
      </ol>
    </div>
  )
}

const countPlaces = (count: number): string => `${count} place${count === 1 ? '' : 's'}`

const FoundPlace = ({ place: { href, page, heading, excerpt }, question }: { place: Found; question: string }) => (
  <>
    <Link href={href}>{heading === '' ? page : `${page}: ${heading}`}</Link>
    <p className="small muted">
      {markWords(excerpt, question).map(({ text, isMarked }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text
        isMarked ? <mark key={index}>{text}</mark> : text,
      )}
    </p>
  </>
)

/** All that can be found; what the service has to add may be missing, the guides are always there. */
const usePlaces = (): { places: readonly Place[] | undefined; error: unknown } => {
  const reference = useAnswer<Reference>('/web/reference')
  const extractors = useAnswer<Extractors>('/web/extractors')
  const [guides, setGuides] = useState<readonly Place[]>()
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    loadGuides().then(
      (loaded) => setGuides(loaded.flatMap(({ path, guide }) => listPlaces(path, guide))),
      (cause: unknown) => setFailure(() => cause),
    )
  }, [])
  const isWhole = guides && (reference.data || reference.error) && (extractors.data || extractors.error)
  return {
    places: isWhole
      ? [...guides, ...(extractors.data ? listFormats(extractors.data) : []), ...listCodes(reference.data)]
      : undefined,
    error: failure ?? reference.error ?? extractors.error,
  }
}

const listFormats = ({ extractors }: Extractors): Place[] =>
  extractors.flatMap(({ extractor, sourceFormats, capabilities }) =>
    sourceFormats.map((extension) => ({
      href: formatPath(extension),
      page: 'Formats',
      heading: extension,
      text: `${extractor}: ${capabilities.join(', ')}`,
    })),
  )

const listCodes = (reference: Reference | undefined): Place[] => [
  ...[...(reference?.errors ?? []), ...(reference?.failures ?? [])].map(({ code, detail }) =>
    placeOf('Errors', '/docs/errors', code, detail),
  ),
  ...(reference?.settings ?? []).map(({ setting, detail }) => placeOf('Settings', '/docs/settings', setting, detail)),
]

const placeOf = (page: string, path: string, name: string, text: string): Place => ({
  href: `${path}#${name}`,
  page,
  heading: name,
  text,
})
