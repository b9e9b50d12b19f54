import { useEffect } from 'react'
import { ApiError } from '../api/client.ts'
import { Button } from '../design/button.tsx'
import { ErrorNotice } from '../design/feedback.tsx'
import { useSession } from './session.tsx'

/** What stands where an answer did not come. A session that has ended elsewhere leads to the sign-in page. */
export const AnswerProblem = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => {
  const { refresh } = useSession()
  const hasEnded = error instanceof ApiError && error.code === 'session.required'
  useEffect(() => {
    if (hasEnded) refresh()
  }, [hasEnded, refresh])
  return (
    <div className="stack">
      <ErrorNotice error={error} />
      {onRetry && (
        <div>
          <Button onClick={onRetry}>Try again</Button>
        </div>
      )}
    </div>
  )
}
