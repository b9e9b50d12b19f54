import { useEffect } from 'react'
import { type AnswerState, useAnswer } from '../api/use-answer.ts'

/** The JSON of a path, asked for again some time after each answer while somebody looks at the page. */
export const useFreshAnswer = <T>(path: string, everyMs: number): AnswerState<T> => {
  const answer = useAnswer<T>(path)
  const { data, error, reload } = answer
  useEffect(() => {
    // Counted from the answer on: a slow service is not asked faster than it answers.
    if (data === undefined && error === undefined) return
    let isDue = false
    const look = () => {
      if (isDue && document.visibilityState === 'visible') reload()
    }
    const timer = setTimeout(() => {
      isDue = true
      look()
    }, everyMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [data, error, reload, everyMs])
  return answer
}
