import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import type { Guide } from '../../build/guides.ts'
import { Button } from '../design/button.tsx'
import { Loading } from '../design/feedback.tsx'
import { NotFound } from '../not-found.tsx'
import { NavLinks } from '../site.tsx'
import { Calculator } from './calculator.tsx'
import styles from './docs.module.css'
import { FormatPage } from './format-page.tsx'
import { FormatsPage } from './formats-page.tsx'
import { GuideView, type Slots } from './guide.tsx'
import { PriceList } from './price-list.tsx'
import { ErrorTable, FailureTable, PlansPage, SettingsPage, TranscriptionModes } from './tables.tsx'

const guidePage = (load: () => Promise<{ default: Guide }>, slots?: Slots) =>
  lazy(async () => {
    const { default: guide } = await load()
    return { default: () => <GuideView guide={guide} {...(slots ? { slots } : {})} /> }
  })

const QuickStart = guidePage(() => import('../../../docs/guides/quick-start.md'))
const SendingFiles = guidePage(() => import('../../../docs/guides/sending-files.md'))
const Results = guidePage(() => import('../../../docs/guides/results.md'))
const Prices = guidePage(() => import('../../../docs/guides/prices.md'), {
  calculator: Calculator,
  'price-list': PriceList,
})
const Errors = guidePage(() => import('../../../docs/guides/errors.md'), { errors: ErrorTable, failures: FailureTable })
const Webhooks = guidePage(() => import('../../../docs/guides/webhooks.md'))
const Transcripts = guidePage(() => import('../../../docs/transcripts.md'), {
  'transcription-modes': TranscriptionModes,
})
const Documents = guidePage(() => import('../../../docs/documents.md'))
const Sdk = guidePage(() => import('../../../docs/guides/sdk.md'))
const SelfHosting = guidePage(() => import('../../../docs/operations.md'))

const GROUPS = [
  {
    name: 'Guides',
    links: [
      { href: '/docs', label: 'Quick start', exact: true },
      { href: '/docs/sending-files', label: 'Sending files' },
      { href: '/docs/results', label: 'Results and the ZIP' },
      { href: '/docs/webhooks', label: 'Webhooks' },
      { href: '/docs/documents', label: 'Documents' },
      { href: '/docs/transcripts', label: 'Transcripts' },
      { href: '/docs/sdk', label: 'TypeScript client' },
    ],
  },
  {
    name: 'Reference',
    links: [
      { href: '/docs/formats', label: 'Formats' },
      { href: '/docs/prices', label: 'Prices' },
      { href: '/docs/plans', label: 'Plans' },
      { href: '/docs/errors', label: 'Errors' },
    ],
  },
  {
    name: 'Operators',
    links: [
      { href: '/docs/self-hosting', label: 'Self-hosting' },
      { href: '/docs/settings', label: 'Settings' },
    ],
  },
] as const

/** The documentation: guides from the repository's own files, and what the service says about itself. */
export const DocsPages = () => (
  <div className={styles.docs}>
    <DocsNav />
    <Suspense fallback={<Loading />}>
      <Switch>
        <Route path="/docs" component={QuickStart} />
        <Route path="/docs/sending-files" component={SendingFiles} />
        <Route path="/docs/results" component={Results} />
        <Route path="/docs/prices" component={Prices} />
        <Route path="/docs/formats" component={FormatsPage} />
        <Route path="/docs/formats/:extension">
          {({ extension }) => <FormatPage key={extension} extension={extension} />}
        </Route>
        <Route path="/docs/errors" component={Errors} />
        <Route path="/docs/webhooks" component={Webhooks} />
        <Route path="/docs/transcripts" component={Transcripts} />
        <Route path="/docs/documents" component={Documents} />
        <Route path="/docs/sdk" component={Sdk} />
        <Route path="/docs/self-hosting" component={SelfHosting} />
        <Route path="/docs/settings" component={SettingsPage} />
        <Route path="/docs/plans" component={PlansPage} />
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
      <div className={styles.opener}>
        <Button aria-expanded={isOpen} aria-controls="docs-nav" onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close the contents' : 'Contents'}
        </Button>
      </div>
      <nav id="docs-nav" className={`side-nav ${styles.nav}`} aria-label="Documentation" data-open={isOpen}>
        {GROUPS.map(({ name, links }) => (
          <div key={name} className={styles.group}>
            <p className="small muted">{name}</p>
            <NavLinks links={links} />
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
