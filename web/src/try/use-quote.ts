import { useEffect, useState } from 'react'
import type { z } from 'zod'
import type { quoteSchema } from '../../../src/http/schemas.ts'
import { ApiError, request } from '../api/client.ts'

export type Quote = z.infer<typeof quoteSchema>

/** The answer for one body of an estimate: a price, the fields that are missing for it, or an error. */
export type QuoteState = { quote?: Quote; missing?: readonly string[]; error?: unknown; isPending: boolean }

type Asked = { question: string | null; round: number }

const PAUSE_MS = 200

/**
 * The price of what is chosen, asked again with each change, after a moment of rest, and with each new round. A null
 * body asks nothing.
 */
export const useQuote = (extension: string, body: object | null, round: number): QuoteState => {
  const question = body === null ? null : JSON.stringify(body)
  const [state, setState] = useState<Omit<QuoteState, 'isPending'> & Asked>({ question: null, round })
  useEffect(() => {
    if (question === null) return
    const abort = new AbortController()
    const timer = setTimeout(() => {
      const path = `/web/estimate/${encodeURIComponent(extension)}`
      request<Quote>('POST', path, { json: JSON.parse(question) as object, signal: abort.signal }).then(
        (quote) => setState({ question, round, quote }),
        (error: unknown) => {
          if (abort.signal.aborted) return
          const isMissing = error instanceof ApiError && error.code === 'estimate.exact_metrics_required'
          setState({ question, round, ...(isMissing ? { missing: error.params.fields as string[] } : { error }) })
        },
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [extension, question, round])
  if (question === null) return { isPending: false }
  const { question: answered, round: answeredRound, ...answer } = state
  // Until the new price is known, the old one stands, marked as old.
  return { ...answer, isPending: answered !== question || answeredRound !== round }
}
