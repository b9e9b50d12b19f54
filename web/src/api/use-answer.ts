import { useCallback, useEffect, useState } from 'react'
import { get } from './client.ts'

export type AnswerState<T> = {
  data: T | undefined
  error: unknown
  /** Asks again; what was there stays until the new answer comes. */
  reload(): void
}

/** The JSON of a path, asked for when the component appears and whenever the path changes. Null asks nothing. */
export const useAnswer = <T>(path: string | null): AnswerState<T> => {
  const [state, setState] = useState<{ path: string | null; data?: T; error?: unknown }>({ path: null })
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    if (path === null) return
    const abort = new AbortController()
    get<T>(path, abort.signal).then(
      (data) => setState({ path, data }),
      (error: unknown) => {
        if (!abort.signal.aborted) setState((before) => ({ ...(before.path === path ? before : {}), path, error }))
      },
    )
    return () => abort.abort()
  }, [path, round])
  const reload = useCallback(() => setRound((before) => before + 1), [])
  return state.path === path
    ? { data: state.data, error: state.error, reload }
    : { data: undefined, error: undefined, reload }
}

type Page = { nextCursor: string | null }

/** A list that comes in pages: all pages so far, and a way to ask for the next. */
export const usePages = <P extends Page>(pathOf: (cursor: string | null) => string) => {
  const first = pathOf(null)
  const [state, setState] = useState<{ first: string; pages: P[]; error?: unknown; busy: boolean }>({
    first,
    pages: [],
    busy: true,
  })
  const load = useCallback(async (path: string, before: P[], of: string, signal?: AbortSignal) => {
    setState({ first: of, pages: before, busy: true })
    try {
      const page = await get<P>(path, signal)
      setState({ first: of, pages: [...before, page], busy: false })
    } catch (error) {
      if (!signal?.aborted) setState({ first: of, pages: before, error, busy: false })
    }
  }, [])
  useEffect(() => {
    const abort = new AbortController()
    void load(first, [], first, abort.signal)
    return () => abort.abort()
  }, [first, load])
  const pages = state.first === first ? state.pages : []
  const nextCursor = pages.at(-1)?.nextCursor ?? null
  return {
    pages,
    error: state.first === first ? state.error : undefined,
    busy: state.first !== first || state.busy,
    loadMore: nextCursor === null ? undefined : () => load(pathOf(nextCursor), pages, first),
    reload: () => load(first, [], first),
  }
}
