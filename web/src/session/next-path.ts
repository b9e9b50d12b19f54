/** Where a visitor goes when nothing says where they came from. */
const HOME = '/account'

/** The page to go to after signing in, from `?next=`: one of this site, or the account. */
export const takeNextPath = (search: string): string => {
  const next = new URLSearchParams(search).get('next') ?? ''
  // Browsers read a backslash as a slash and drop control characters, so that `/\example.org` would leave the site.
  const isOwn = /^\/(?![/\\])/.test(next) && !/[\\\p{Cc}]/u.test(next)
  return isOwn && !/^\/sign-(in|up)\b/.test(next) ? next : HOME
}

/** The address of a page of the session that leads back to `path`. */
export const withNext = (page: '/sign-in' | '/sign-up', path: string): string =>
  path === HOME ? page : `${page}?next=${encodeURIComponent(path)}`
