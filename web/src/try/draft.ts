import type { FormState } from './form-state.ts'

/** A file and what was chosen for it. */
export type Draft = { file: File; form: FormState }

/** The last one that was sent; it lives as long as the page is not loaded anew. */
let sent: (Draft & { jobId: string }) | undefined

/** Marks this place in the history as the one where the draft was made: going back to it finds the draft again. */
export const keepDraft = (jobId: string, draft: Draft): void => {
  sent = { jobId, ...draft }
  history.replaceState({ sentJob: jobId }, '')
}

/** The draft of this place in the history, if there was one. */
export const findDraft = (): Draft | undefined => {
  const { sentJob } = (history.state ?? {}) as { sentJob?: string }
  return sent !== undefined && sent.jobId === sentJob ? sent : undefined
}

/** The file of a job that was sent from this page. */
export const sentFileOf = (jobId: string): File | undefined => (sent?.jobId === jobId ? sent.file : undefined)
