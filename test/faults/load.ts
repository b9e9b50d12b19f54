import { randomUUID } from 'node:crypto'
import type { SubmissionRecord } from '../../src/jobs/submit.ts'
import { createClient } from '../support/client.ts'
import type { Random } from '../support/random.ts'
import { delay } from '../support/wait.ts'

export type Accepted = {
  id: string
  key: string
  idempotencyKey: string | null
  sent: string
  cancelAnswer: number | null
}

/** Clients that go on sending jobs whatever happens to the service, and write down what it promised them. */
export type Load = {
  /** Every job that was answered with 202, by its id. */
  accepted: Map<string, Accepted>
  /** Answers that no fault of the service explains. */
  surprises: string[]
  counts: { sent: number; unanswered: number; refused: number; replayed: number }
  /** No new jobs; resolves when every request that may be repeated has its answer. */
  stop(): Promise<void>
}

const REFUSED_FOR_NOW = [429, 503]

export const startLoad = (base: string, keys: readonly string[], random: Random, clients: number): Load => {
  const accepted: Load['accepted'] = new Map()
  const surprises: string[] = []
  const counts = { sent: 0, unanswered: 0, refused: 0, replayed: 0 }
  let stopping = false

  /** The answer, or undefined where the connection broke or the service was not there. */
  const tryTo = async <T>(ask: () => Promise<{ status: number; body: T }>) => {
    try {
      const answer = await ask()
      if (!REFUSED_FOR_NOW.includes(answer.status)) return answer
      counts.refused++
    } catch {
      counts.unanswered++
    }
    return undefined
  }
  const insist = async <T>(ask: () => Promise<{ status: number; body: T }>) => {
    for (;;) {
      const answer = await tryTo(ask)
      if (answer) return answer
      await delay(200)
    }
  }

  const sendOne = async (): Promise<void> => {
    const key = random.pick(keys)
    const client = createClient(base, key)
    const { name, content } = chooseFile(random)
    const idempotencyKey = random.chance(0.5) ? randomUUID() : null
    const headers: Record<string, string> = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}
    const submit = () => client.submit<SubmissionRecord>(name, content, undefined, { headers })
    counts.sent++
    const answer = await (idempotencyKey ? insist(submit) : tryTo(submit))
    if (!answer) return
    if (answer.status !== 202) return void surprises.push(`submit: ${answer.status} ${JSON.stringify(answer.body)}`)
    const { id } = answer.body
    if (accepted.has(id)) return void surprises.push(`the id ${id} was given out twice`)
    const job: Accepted = { id, key, idempotencyKey, sent: content, cancelAnswer: null }
    accepted.set(id, job)
    if (idempotencyKey && random.chance(0.2)) {
      const again = await insist(submit)
      counts.replayed++
      if (again.status !== 202 || again.body.id !== id) {
        surprises.push(`replay of ${id}: ${again.status} ${JSON.stringify(again.body)}`)
      }
    }
    if (random.chance(0.2)) {
      await delay(random.between(0, 1500))
      const canceled = await insist(() => client.call('POST', `/extract/job/${id}/cancel`))
      job.cancelAnswer = canceled.status
      if (![202, 409].includes(canceled.status)) surprises.push(`cancel: ${canceled.status}`)
    }
  }
  const running = Array.from({ length: clients }, async () => {
    while (!stopping) {
      await sendOne()
      await delay(random.between(50, 400))
    }
  })
  return {
    accepted,
    surprises,
    counts,
    stop: async () => {
      stopping = true
      await Promise.all(running)
    },
  }
}

const chooseFile = (random: Random): { name: string; content: string } => {
  const deed = (content: object) => ({ name: 'deed.mischief', content: JSON.stringify(content) })
  const dice = random.next()
  if (dice < 0.6) return { name: 'notes.txt', content: `note ${random.next()}\n` }
  if (dice < 0.9) return deed({ do: 'slow', seconds: random.between(0.3, 4), steps: 8 })
  return deed({ do: 'fail:extract.source_unreadable' })
}
