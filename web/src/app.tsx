import { lazy, Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { Loading } from './design/feedback.tsx'
import { Guard } from './design/guard.tsx'
import { NotFound } from './not-found.tsx'
import { SessionProvider } from './session/session.tsx'
import { Site } from './site.tsx'
import { TryPage } from './try/try-page.tsx'

// What a first visitor does not see comes when it is asked for.
const JobPage = lazy(() => import('./jobs/job-page.tsx').then(({ JobPage }) => ({ default: JobPage })))
const SignInPage = lazy(() => import('./session/sign-in-page.tsx').then(({ SignInPage }) => ({ default: SignInPage })))
const SignUpPage = lazy(() => import('./session/sign-up-page.tsx').then(({ SignUpPage }) => ({ default: SignUpPage })))
const AccountPages = lazy(() =>
  import('./account/account-pages.tsx').then(({ AccountPages }) => ({ default: AccountPages })),
)
const AdminPages = lazy(() => import('./admin/admin-pages.tsx').then(({ AdminPages }) => ({ default: AdminPages })))
const DocsPages = lazy(() => import('./docs/docs-pages.tsx').then(({ DocsPages }) => ({ default: DocsPages })))

/** Every page of the site. The server knows the same paths, in src/http/website.ts. */
export const App = () => (
  <SessionProvider>
    <Site>
      <Guard words="This page could not be loaded.">
        <Suspense fallback={<Loading />}>
          <Switch>
            <Route path="/" component={TryPage} />
            <Route path="/jobs/:id">{({ id }) => <JobPage id={id} />}</Route>
            <Route path="/sign-in" component={SignInPage} />
            <Route path="/sign-up" component={SignUpPage} />
            <Route path="/account/*?" component={AccountPages} />
            <Route path="/admin/*?" component={AdminPages} />
            <Route path="/docs/*?" component={DocsPages} />
            <Route component={NotFound} />
          </Switch>
        </Suspense>
      </Guard>
    </Site>
  </SessionProvider>
)
