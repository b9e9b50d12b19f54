import { createContext, type ReactNode, useContext } from 'react'
import type { Me } from '../../../src/http/web/contract.ts'
import { useAnswer } from '../api/use-answer.ts'

type SessionState = {
  /** Undefined while it is not yet known who is there. */
  me: Me | undefined
  error: unknown
  /** Asks anew who is there, and what they may still spend. */
  refresh(): void
}

const Session = createContext<SessionState>({ me: undefined, error: undefined, refresh: () => undefined })

/** Knows who visits, for all pages. */
export const SessionProvider = ({ children }: { children: ReactNode }) => {
  const { data, error, reload } = useAnswer<Me>('/web/me')
  return <Session value={{ me: data, error, refresh: reload }}>{children}</Session>
}

export const useSession = (): SessionState => useContext(Session)
