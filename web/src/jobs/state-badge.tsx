import { JOB_STATES, type JobState } from '../../../src/core/job-states.ts'
import { Badge, type Tone } from '../design/feedback.tsx'

const LOOKS: Readonly<Record<JobState, { label: string; tone?: Tone }>> = {
  queued: { label: 'Waiting' },
  running: { label: 'Running', tone: 'accent' },
  succeeded: { label: 'Done', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
  canceled: { label: 'Canceled', tone: 'warning' },
}

/** The states of jobs to choose from, or any. */
export const STATE_CHOICES: readonly { value: JobState | ''; label: string }[] = [
  { value: '', label: 'Any' },
  ...JOB_STATES.map((value) => ({ value, label: LOOKS[value].label })),
]

/** The state of a job in a word. */
export const StateBadge = ({ status }: { status: JobState }) => {
  const { label, tone } = LOOKS[status]
  return <Badge tone={tone}>{label}</Badge>
}
