import { type ChildMessage, encodeMessage } from './protocol.ts'

/** The child's side of the protocol, in batches: the parent is woken ten times a second at most while a job runs. */
export type Outbox = {
  send(message: ChildMessage): void
  /** Replaces a progress that has not been sent yet: only the newest one matters. */
  sendProgress(percent: number, phase: string): void
  flush(onSent?: () => void): void
}

const BATCH_MS = 100
const BATCH_CHARACTERS = 16_384

/** Makes an outbox that hands its batches to `write`. */
export const createOutbox = (write: (text: string, onSent?: () => void) => void): Outbox => {
  let text = ''
  let progress: ChildMessage | undefined
  let timer: NodeJS.Timeout | undefined
  let lastFlushMs = 0

  const flush = (onSent?: () => void): void => {
    clearTimeout(timer)
    timer = undefined
    lastFlushMs = performance.now()
    const batch = progress ? text + encodeMessage(progress) : text
    text = ''
    progress = undefined
    if (batch !== '' || onSent) write(batch, onSent)
  }
  const flushWhenDue = (): void => {
    // A job that works without giving way has no timers, so what is due is sent on the spot.
    const waitMs = lastFlushMs + BATCH_MS - performance.now()
    if (waitMs <= 0 || text.length > BATCH_CHARACTERS) flush()
    else timer ??= setTimeout(flush, waitMs)
  }
  return {
    send(message) {
      text += encodeMessage(message)
      flushWhenDue()
    },
    sendProgress(percent, phase) {
      progress = { type: 'progress', percent, phase }
      flushWhenDue()
    },
    flush,
  }
}
