import { useCallback, useEffect, useRef, useState } from 'react'
import type { Jobs } from '../../../src/http/web/contract.ts'
import { get, query } from '../api/client.ts'
import { useSession } from '../session/session.tsx'
import { joinJobs } from './join-jobs.ts'

export type Job = Jobs['jobs'][number]
export type JobFilter = { status?: string; format?: string; name?: string }

const POLL_MS = 2000
const PAGE = 25
const MAX_PAGE = 100

export const isOpen = ({ status }: Job): boolean => status === 'queued' || status === 'running'

type State = { key: string; list?: Jobs; error?: unknown; busy: boolean }

/** The jobs of the account, kept fresh while one of them is open and somebody looks. */
export const useJobList = (filter: JobFilter, pageSize = PAGE) => {
  const { refresh } = useSession()
  const key = query(filter)
  const [state, setState] = useState<State>({ key, busy: true })
  const current: State = state.key === key ? state : { key, busy: true }
  const shown = useRef(current)
  shown.current = current

  const pathOf = useCallback(
    (page: { limit: number; cursor?: string | null }): string =>
      `/web/jobs${key ? `${key}&` : '?'}${query(page).slice(1)}`,
    [key],
  )

  const load = useCallback(
    async (signal?: AbortSignal) => {
      const limit = Math.min(MAX_PAGE, Math.max(pageSize, shown.current.list?.jobs.length ?? 0))
      try {
        const newest = await get<Jobs>(pathOf({ limit }), signal)
        if (signal?.aborted || shown.current.key !== key) return
        const before = shown.current.list
        // Credits move when a job begins or ends.
        if (before && before.jobs.filter(isOpen).length !== newest.jobs.filter(isOpen).length) refresh()
        setState({ key, list: before ? joinJobs(newest, before) : newest, busy: false })
      } catch (error) {
        if (!signal?.aborted && shown.current.key === key) setState({ ...shown.current, error, busy: false })
      }
    },
    [key, pathOf, pageSize, refresh],
  )

  useEffect(() => {
    const abort = new AbortController()
    void load(abort.signal)
    return () => abort.abort()
  }, [load])

  const isAnyOpen = current.list?.jobs.some(isOpen) ?? false
  useEffect(() => {
    if (!isAnyOpen) return
    const abort = new AbortController()
    let isAsking = false
    const look = async () => {
      if (isAsking || document.visibilityState !== 'visible') return
      isAsking = true
      await load(abort.signal)
      isAsking = false
    }
    const timer = setInterval(look, POLL_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      abort.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [isAnyOpen, load])

  const cursor = current.list?.nextCursor ?? null
  const loadMore = async () => {
    setState({ ...shown.current, busy: true })
    try {
      const page = await get<Jobs>(pathOf({ limit: pageSize, cursor }))
      if (shown.current.key !== key) return
      setState({ key, list: { ...page, jobs: [...(shown.current.list?.jobs ?? []), ...page.jobs] }, busy: false })
    } catch (error) {
      if (shown.current.key === key) setState({ ...shown.current, error, busy: false })
    }
  }
  return {
    jobs: current.list?.jobs,
    error: current.error,
    busy: current.busy,
    loadMore: cursor === null ? undefined : loadMore,
    reload: () => load(),
  }
}
