import { useEffect, useRef } from 'react'
import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter'
import { ErrorNotice, Loading } from '../design/feedback.tsx'
import { NotFound } from '../not-found.tsx'
import { withNext } from '../session/next-path.ts'
import { useSession } from '../session/session.tsx'
import { NavLinks } from '../site.tsx'
import styles from './account.module.css'
import { CreditsPage } from './credits-page.tsx'
import { JobsPage } from './jobs-page.tsx'
import { KeysPage } from './keys-page.tsx'
import { OverviewPage } from './overview-page.tsx'
import { SettingsPage } from './settings-page.tsx'
import { SignOutButton } from './sign-out.tsx'
import { UsagePage } from './usage-page.tsx'
import { WebhooksPage } from './webhooks-page.tsx'

const LINKS = [
  { href: '/account', label: 'Overview', exact: true },
  { href: '/account/jobs', label: 'Jobs' },
  { href: '/account/keys', label: 'API keys' },
  { href: '/account/credits', label: 'Credits' },
  { href: '/account/usage', label: 'Usage' },
  { href: '/account/webhooks', label: 'Webhooks' },
  { href: '/account/settings', label: 'Settings' },
]

/** Everything of one account, for those who are signed in; others are asked to sign in first. */
export const AccountPages = () => {
  const { me, error } = useSession()
  const [location] = useLocation()
  const search = useSearch()
  const nav = useRef<HTMLElement>(null)
  // On a narrow screen the list scrolls sideways; the page that is shown must be in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another link
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [location, me?.user?.id])
  if (!me) return error === undefined ? <Loading /> : <ErrorNotice error={error} />
  if (!me.user) return <Redirect to={withNext('/sign-in', search ? `${location}?${search}` : location)} replace />
  return (
    <div className="sided">
      <nav ref={nav} className={`side-nav ${styles.nav}`} aria-label="Account">
        <NavLinks links={LINKS} />
        <SignOutButton look="quiet" />
      </nav>
      <div className={`stack ${styles.column}`}>
        <Switch>
          <Route path="/account" component={OverviewPage} />
          <Route path="/account/jobs" component={JobsPage} />
          <Route path="/account/keys" component={KeysPage} />
          <Route path="/account/credits" component={CreditsPage} />
          <Route path="/account/usage" component={UsagePage} />
          <Route path="/account/webhooks" component={WebhooksPage} />
          <Route path="/account/settings" component={SettingsPage} />
          <Route component={NotFound} />
        </Switch>
      </div>
    </div>
  )
}
