import { Link } from 'wouter'

/** The end of the id tells jobs apart; its beginning is the time, the same for many. */
const SHOWN = 8

/** A link to a job where only its id is known. */
export const JobLink = ({ id }: { id: string }) => (
  <Link href={`/jobs/${id}`} className={`mono one-line`} title={`Job ${id}`}>
    <span className="visually-hidden">Job </span>
    {id.slice(-SHOWN)}
  </Link>
)
