/** Where a job may go from each state. Back to queued: its worker was lost, or shut down before the end. */
export const TRANSITIONS = {
  queued: ['running', 'failed', 'canceled'],
  running: ['queued', 'succeeded', 'failed', 'canceled'],
  succeeded: [],
  failed: [],
  canceled: [],
} as const satisfies Record<string, readonly string[]>
export type JobState = keyof typeof TRANSITIONS
export const JOB_STATES = Object.keys(TRANSITIONS) as JobState[]

/** A state that ends a job, and what it does with the credits held at submission. */
export const SETTLEMENT = { succeeded: 'capture', failed: 'release', canceled: 'release' } as const
export type TerminalState = keyof typeof SETTLEMENT
export const isTerminal = (state: JobState): state is TerminalState => Object.hasOwn(SETTLEMENT, state)

export type Billing = 'held' | 'charged' | 'released' | 'refunded'
export type Workflow = 'extract' | 'transcribe'
