import { renameSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outside, OutsideAnswer, OutsideOffer } from '../core/outside.ts'
import type { Outbox } from './outbox.ts'
import type { ParentMessage } from './protocol.ts'

/** A child's questions to its parent. */
export type Asker = {
  outside(offer: OutsideOffer): Outside
  /** Takes an answer to one of them. */
  take(message: ParentMessage & { type: 'answer' }): Promise<void>
}

/** Sends questions, each with a file that the parent takes away, and waits for answers, which come as files too. */
export const createAsker = (outbox: Outbox, folders: { inFolder: string; outFolder: string }): Asker => {
  const waiting = new Map<number, (answer: OutsideAnswer) => void>()
  let asked = 0
  return {
    outside(offer) {
      // Each job counts its questions anew.
      asked = 0
      waiting.clear()
      return {
        offer,
        ask(question, file) {
          asked += 1
          const id = asked
          renameSync(file, join(folders.outFolder, askedFile(id)))
          outbox.send({ type: 'ask', id, question })
          outbox.flush()
          return new Promise((resolve) => waiting.set(id, resolve))
        },
        report: (facts) => outbox.send({ type: 'transcribed', facts }),
      }
    },
    async take({ id, failure }) {
      const resolve = waiting.get(id)
      waiting.delete(id)
      if (failure !== null) return resolve?.({ failure })
      resolve?.({ value: JSON.parse(await readFile(join(folders.inFolder, answerFile(id)), 'utf8')) })
    },
  }
}

/** Name in the out folder of the file that goes with a question. */
export const askedFile = (id: number): string => `ask-${id}`
/** Name in the in folder of the file that holds an answer. */
export const answerFile = (id: number): string => `answer-${id}.json`
