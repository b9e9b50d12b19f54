import { lstatSync, renameSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../core/errors.ts'
import type { OutsideAnswer, OutsideQuestion } from '../core/outside.ts'
import { answerFile, askedFile } from './ask-outside.ts'
import { overLimit } from './collect-artifacts.ts'
import type { CrewMember } from './crew.ts'
import type { ChildMessage } from './protocol.ts'

/** Does what a job asks for, outside of the sandbox. The file is the child's work: its bytes are passed on, not read. */
export type AnswerQuestion = (
  question: OutsideQuestion,
  file: { path: string; bytes: number },
  signal: AbortSignal,
) => Promise<OutsideAnswer>

const MAX_QUESTIONS = 500
const MAX_QUESTION_BYTES = 2 * 1024 * 1_048_576
export type Answerer = {
  take(message: ChildMessage & { type: 'ask' }): void
  /** Whether a child waits for an answer: its silence is then not a stall. */
  isBusy(): boolean
  /** Ends what is under way. */
  stop(): void
}

/** Answers the questions of one job, one at a time. */
export const createAnswerer = (
  { berth, resultFolder, handle }: CrewMember,
  { answer, onProblem }: { answer: AnswerQuestion; onProblem: (error: Error) => void },
): Answerer => {
  const stopping = new AbortController()
  let asked = 0
  let answered = 0
  let work: Promise<void> = Promise.resolve()

  const reply = async ({ id, question }: ChildMessage & { type: 'ask' }): Promise<void> => {
    stopping.signal.throwIfAborted()
    const path = join(resultFolder, askedFile(id))
    // Moved away first and looked at afterwards, as artifacts are.
    renameSync(join(berth.outFolder, askedFile(id)), path)
    const facts = lstatSync(path)
    if (!facts.isFile() || facts.nlink !== 1) throw new Error('a question is not a plain file of its own')
    if (facts.size > MAX_QUESTION_BYTES) throw overLimit('question_bytes', MAX_QUESTION_BYTES)
    try {
      const given = await answer(question, { path, bytes: facts.size }, stopping.signal)
      if ('failure' in given) return handle.send({ type: 'answer', id, failure: given.failure })
      await writeFile(join(berth.inFolder, answerFile(id)), JSON.stringify(given.value), { mode: 0o444 })
      handle.send({ type: 'answer', id, failure: null })
    } finally {
      await rm(path, { force: true })
    }
  }
  return {
    take(message) {
      asked += 1
      if (asked > MAX_QUESTIONS || message.id !== asked) throw overLimit('questions', MAX_QUESTIONS)
      work = work
        .then(() => reply(message))
        .then(() => {
          answered += 1
        })
        .catch((error: unknown) => {
          if (stopping.signal.aborted) return
          onProblem(error instanceof JobFailure ? error : new JobFailure('extract.engine_failed', {}, { cause: error }))
        })
    },
    isBusy: () => answered < asked,
    stop: () => stopping.abort(),
  }
}
