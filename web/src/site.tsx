import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Button, ButtonLink } from './design/button.tsx'
import { formatNumber } from './design/format.ts'
import { useSession } from './session/session.tsx'

/** Names the page in the window's title. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = title === 'Quarry' ? title : `${title} · Quarry`
  }, [title])
}

const isHere = (location: string, href: string, exact: boolean): boolean =>
  location.replace(/(.)\/$/, '$1') === href || (!exact && href !== '/' && location.startsWith(`${href}/`))

/** Links to neighbouring pages, the one that is shown marked. */
export const NavLinks = ({ links }: { links: readonly { href: string; label: string; exact?: boolean }[] }) => {
  const [location] = useLocation()
  return links.map(({ href, label, exact }) => (
    <Link key={href} href={href} aria-current={isHere(location, href, exact ?? false) ? 'page' : undefined}>
      {label}
    </Link>
  ))
}

/** The frame around every page. */
export const Site = ({ children }: { children: ReactNode }) => {
  const { me } = useSession()
  const [location] = useLocation()
  const links = [
    { href: '/', label: 'Try it' },
    { href: '/docs', label: 'Docs' },
    ...(me?.user ? [{ href: '/account', label: 'Account' }] : []),
    ...(me?.user?.isAdmin ? [{ href: '/admin', label: 'Operate' }] : []),
  ]
  const isNarrow = location === '/sign-in' || location === '/sign-up'
  return (
    <div className="site">
      <a className="button skip" href="#content">
        Skip to the content
      </a>
      <header className="site-head">
        <div>
          <Link href="/" className="brand">
            <img src="/icon.svg" width="26" height="26" alt="" />
            Quarry
          </Link>
          <nav className="site-nav" aria-label="Site">
            <NavLinks links={links} />
          </nav>
          <ThemeButton />
          {me && (me.user ? <MemberCorner /> : <GuestCorner signUpOpen={me.signUpOpen} />)}
        </div>
      </header>
      <main id="content" className={isNarrow ? 'page narrow' : 'page'} tabIndex={-1}>
        {children}
      </main>
      <footer className="site-foot">
        <div>
          <span>Quarry {me?.version}</span>
          <Link href="/docs">Docs</Link>
          <a href="/docs/api">API reference</a>
        </div>
      </footer>
    </div>
  )
}

const MemberCorner = () => {
  const { me } = useSession()
  if (!me?.user) return null
  return (
    <Link href="/account" className="small" title={me.user.email}>
      <span className="number">{formatNumber(me.entitlements.totalCredits)}</span> credits
    </Link>
  )
}

const GuestCorner = ({ signUpOpen }: { signUpOpen: boolean }) => (
  <div className="row">
    <ButtonLink href="/sign-in" look="quiet" small>
      Sign in
    </ButtonLink>
    {signUpOpen && (
      <ButtonLink href="/sign-up" look="primary" small>
        Sign up
      </ButtonLink>
    )}
  </div>
)

/** Goes between the light and the dark theme; the choice is kept in this browser. */
const ThemeButton = () => {
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)').matches
  const [theme, setTheme] = useState(() => document.documentElement.dataset.theme ?? (systemIsDark ? 'dark' : 'light'))
  const other = theme === 'dark' ? 'light' : 'dark'
  const change = () => {
    document.documentElement.dataset.theme = other
    setTheme(other)
    try {
      localStorage.setItem('quarry.theme', other)
    } catch {
      // Without storage it lasts as long as the page.
    }
  }
  return (
    <Button look="quiet" small onClick={change} aria-label={`Use the ${other} theme`} title={`Use the ${other} theme`}>
      <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
        <circle cx="9" cy="9" r="6.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d="M9 2.5a6.5 6.5 0 0 1 0 13z" fill="currentColor" />
      </svg>
    </Button>
  )
}
