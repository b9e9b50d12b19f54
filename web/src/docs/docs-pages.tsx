import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { Button } from '../design/button.tsx'
import { Loading } from '../design/feedback.tsx'
import { NotFound } from '../not-found.tsx'
import { NavLinks } from '../site.tsx'
import { Calculator } from './calculator.tsx'
import styles from './docs.module.css'
import { FormatPage } from './format-page.tsx'
import { FormatsPage } from './formats-page.tsx'
import { GuideView, type Slots } from './guide.tsx'
import { GUIDES, type GuidePath } from './guides.ts'
import { PriceList } from './price-list.tsx'
import { SEARCH_PATH, SearchField, SearchPage } from './search-page.tsx'
import { ErrorTable, FailureTable, PlansPage, SettingsPage, TranscriptionModes } from './tables.tsx'

const guidePage = (path: GuidePath, slots?: Slots) =>
  lazy(async () => {
    const { default: guide } = await GUIDES[path]()
    return { default: () => <GuideView guide={guide} {...(slots ? { slots } : {})} /> }
  })

const guide = (href: GuidePath, label: string, slots?: Slots) => ({ href, label, component: guidePage(href, slots) })

const GROUPS: readonly { name: string; pages: readonly Page[] }[] = [
  {
    name: 'Guides',
    pages: [
      { ...guide('/docs', 'Quick start'), exact: true },
      guide('/docs/sending-files', 'Sending files'),
      guide('/docs/results', 'Results and the ZIP'),
      guide('/docs/webhooks', 'Webhooks'),
      guide('/docs/documents', 'Documents'),
      guide('/docs/transcripts', 'Transcripts', { 'transcription-modes': TranscriptionModes }),
      guide('/docs/sdk', 'TypeScript client'),
    ],
  },
  {
    name: 'Reference',
    pages: [
      { href: '/docs/formats', label: 'Formats', component: FormatsPage },
      guide('/docs/prices', 'Prices', { calculator: Calculator, 'price-list': PriceList }),
      { href: '/docs/plans', label: 'Plans', component: PlansPage },
      guide('/docs/errors', 'Errors', { errors: ErrorTable, failures: FailureTable }),
    ],
  },
  {
    name: 'Operators',
    pages: [
      guide('/docs/self-hosting', 'Self-hosting'),
      { href: '/docs/settings', label: 'Settings', component: SettingsPage },
    ],
  },
]
type Page = { href: string; label: string; exact?: boolean; component: ComponentType }

/** The documentation: guides from the repository's own files, and what the service says about itself. */
export const DocsPages = () => (
  <div className={styles.docs}>
    <DocsNav />
    <Suspense fallback={<Loading />}>
      <Switch>
        {GROUPS.flatMap(({ pages }) => pages).map(({ href, component }) => (
          <Route key={href} path={href} component={component} />
        ))}
        <Route path="/docs/formats/:extension">
          {({ extension }) => <FormatPage key={extension} extension={extension} />}
        </Route>
        <Route path={SEARCH_PATH} component={SearchPage} />
        <Route component={NotFound} />
      </Switch>
    </Suspense>
  </div>
)

const DocsNav = () => {
  const [location] = useLocation()
  const [isOpen, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page begins at its top, with the list closed
  useEffect(() => {
    setOpen(false)
    if (window.location.hash === '') window.scrollTo(0, 0)
  }, [location])
  return (
    <div className={styles.side}>
      <SearchField />
      <div className={styles.opener}>
        <Button aria-expanded={isOpen} aria-controls="docs-nav" onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close the contents' : 'Contents'}
        </Button>
      </div>
      <nav id="docs-nav" className={`side-nav ${styles.nav}`} aria-label="Documentation" data-open={isOpen}>
        {GROUPS.map(({ name, pages }) => (
          <div key={name} className={styles.group}>
            <p className="small muted">{name}</p>
            <NavLinks links={pages} />
            {/* Loaded as a page of its own: the viewer is not part of this application. */}
            {name === 'Reference' && <a href="/docs/api">API reference</a>}
          </div>
        ))}
        <Link href="/" className={styles.try}>
          Try a file
        </Link>
      </nav>
    </div>
  )
}
