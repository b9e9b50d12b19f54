import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OutsideQuestion } from '../core/outside.ts'
import type { AnswerQuestion } from './answer-child.ts'
import { ISOLATIONS, openTestSandbox, type TestSandbox } from './pool-fixture.ts'

const offer = {
  transcribers: { fast: [{ name: 'somebody', maxBytes: 9, maxSeconds: 9, tellsSpeakers: false }] },
  completes: false,
}
const outside = (answer: AnswerQuestion) => ({ handlers: { outside: { offer, answer } } })

describe.each(ISOLATIONS)('questions out of a sandbox with isolation %s', (isolation) => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await openTestSandbox({ isolation })
  })
  afterAll(() => sandbox.close())

  test('each comes with its file, is answered, and the file is gone afterwards', async () => {
    const asked: { question: OutsideQuestion; text: string; path: string }[] = []
    const answer: AnswerQuestion = async (question, { path, bytes }) => {
      asked.push({ question, path, text: readFileSync(path, 'utf8') })
      return asked.length === 2 ? { failure: 'rate_limited' } : { value: { heard: 'x'.repeat(100_000), bytes } }
    }
    const extraction = await sandbox.act({ do: 'ask-outside', text: 'sound', seconds: 7, files: 3 }, outside(answer))
    const { answers, offer: offered } = JSON.parse(readFileSync(extraction.artifacts[0]?.file ?? '', 'utf8'))
    expect(extraction.transcription).toMatchObject({ provider: 'somebody', segmentCount: 3 })
    await extraction.release()
    expect(offered).toEqual(offer)
    expect(answers[0].value).toEqual({ heard: 'x'.repeat(100_000), bytes: 5 })
    expect(answers[1]).toEqual({ failure: 'rate_limited' })
    expect(answers[2].value.bytes).toBe(5)
    expect(asked[0]).toMatchObject({ text: 'sound', question: { kind: 'transcribe', durationSeconds: 7 } })
    for (const { path } of asked) expect(() => readFileSync(path)).toThrow('ENOENT')
  })

  test('where nothing is offered, nothing is given', async () => {
    expect((await sandbox.ask({ do: 'ask-outside' })).answers).toEqual([{ failure: 'not_offered' }])
  })

  test('a link instead of a file is refused, and nobody is asked', async () => {
    let asked = 0
    const answer: AnswerQuestion = async () => {
      asked += 1
      return { value: null }
    }
    const failure = await sandbox.fail({ do: 'ask-outside', path: '/etc/passwd' }, outside(answer))
    expect(failure.code).toBe('extract.engine_failed')
    expect(asked).toBe(0)
  })

  test('waiting for an answer is not a stall, and a canceled job takes its question back', async () => {
    const slow: AnswerQuestion = async () => {
      await delay(1_500)
      return { value: 'late' }
    }
    const limits = { stallSeconds: 1 }
    expect(await sandbox.ask({ do: 'ask-outside' }, { ...outside(slow), limits })).toMatchObject({
      answers: [{ value: 'late' }],
    })
    const controller = new AbortController()
    let given = false
    const endless: AnswerQuestion = (_question, _file, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          given = true
          reject(signal.reason)
        })
        controller.abort(new Error('canceled'))
      })
    await expect(
      sandbox.act({ do: 'ask-outside' }, { ...outside(endless), signal: controller.signal }),
    ).rejects.toThrow('canceled')
    expect(given).toBe(true)
  })
})
