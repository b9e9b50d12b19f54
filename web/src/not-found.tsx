import { Link } from 'wouter'
import { useTitle } from './site.tsx'

/** Stands where no page is. */
export const NotFound = () => {
  useTitle('No such page')
  return (
    <>
      <h1>No such page</h1>
      <p>
        There is nothing at this address. <Link href="/">Try a file</Link> or read the{' '}
        <Link href="/docs">documentation</Link>.
      </p>
    </>
  )
}
