import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter'
import { ErrorNotice, Loading, Notice } from '../design/feedback.tsx'
import { NotFound } from '../not-found.tsx'
import { withNext } from '../session/next-path.ts'
import { useSession } from '../session/session.tsx'
import { NavLinks, useTitle } from '../site.tsx'
import { AccountPage } from './account-page.tsx'
import { AccountsPage } from './accounts-page.tsx'
import { JobsPage } from './jobs-page.tsx'
import { OverviewPage } from './overview-page.tsx'

const LINKS = [
  { href: '/admin', label: 'Overview', exact: true },
  { href: '/admin/accounts', label: 'Accounts' },
  { href: '/admin/jobs', label: 'Jobs' },
]

/** The whole service, for its operators; others are asked to sign in, or told that this is not for them. */
export const AdminPages = () => {
  const { me, error } = useSession()
  const [location] = useLocation()
  const search = useSearch()
  if (!me) return error === undefined ? <Loading /> : <ErrorNotice error={error} />
  if (!me.user) return <Redirect to={withNext('/sign-in', search ? `${location}?${search}` : location)} replace />
  if (!me.user.isAdmin) return <ForOperators />
  return (
    <div className="sided">
      <nav className="side-nav" aria-label="Operate">
        <NavLinks links={LINKS} />
      </nav>
      <div className="stack">
        <Switch>
          <Route path="/admin" component={OverviewPage} />
          <Route path="/admin/accounts" component={AccountsPage} />
          <Route path="/admin/accounts/:id">{({ id }) => <AccountPage key={id} id={id} />}</Route>
          <Route path="/admin/jobs" component={JobsPage} />
          <Route component={NotFound} />
        </Switch>
      </div>
    </div>
  )
}

const ForOperators = () => {
  useTitle('Operators only')
  return (
    <>
      <h1>Operators only</h1>
      <Notice tone="warning">
        These pages are for those who run this service, and this account is not one of theirs.
      </Notice>
    </>
  )
}
