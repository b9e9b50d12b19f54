import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { ProgramFailure, runProgram } from './run-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'run-program-'))
afterAll(() => rmSync(folder, { recursive: true }))

const options = (more: object = {}) => ({
  signal: new AbortController().signal,
  timeoutMs: 20_000,
  maxOutputBytes: 1_000,
  cwd: folder,
  ...more,
})

describe('runProgram', () => {
  it('gives exit code, output and last words, and passes arguments as they are', async () => {
    const script = 'printf %s "$1"; echo trouble >&2; exit 3'
    const result = await runProgram('sh', ['-c', script, 'sh', '$(id) "x"'], options())
    expect(result).toEqual({ code: 3, stdout: Buffer.from('$(id) "x"'), stderr: 'trouble' })
  })

  it('feeds standard input and runs in the folder it is told', async () => {
    const result = await runProgram('sh', ['-c', 'cat; pwd'], options({ input: 'fed\n' }))
    expect(result.stdout.toString()).toBe(`fed\n${folder}\n`)
  })

  it('hands the output over as it comes, until the taker has enough', async () => {
    const pieces: string[] = []
    const onOutput = (chunk: Buffer) => void pieces.push(chunk.toString())
    const result = await runProgram('sh', ['-c', 'echo one; echo two'], options({ onOutput }))
    expect([pieces.join(''), result.stdout.length]).toEqual(['one\ntwo\n', 0])
    const enough = new Error('enough')
    const refuse = () => {
      throw enough
    }
    await expect(runProgram('yes', [], options({ onOutput: refuse, maxOutputBytes: 1e9 }))).rejects.toBe(enough)
  })

  it('does not mind a program that leaves its input unread', async () => {
    const result = await runProgram('true', [], options({ input: Buffer.alloc(1_000_000) }))
    expect(result.code).toBe(0)
  })

  it.each([
    ['a program that is not there', 'no-such-program', [], {}, 'missing'],
    ['too much output', 'yes', [], {}, 'too_much_output'],
    ['a program that takes too long', 'sleep', ['60'], { timeoutMs: 50 }, 'timed_out'],
    ['a program that crashes', 'sh', ['-c', 'kill -SEGV $$'], {}, 'killed'],
  ])('fails on %s', async (_title, command, args, more, reason) => {
    const error = await runProgram(command, args, options(more)).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ProgramFailure)
    expect(error).toMatchObject({ reason })
  })

  it('stops with the job, and takes what the program started with it', async () => {
    const controller = new AbortController()
    const reason = new Error('canceled')
    const script = '(sleep 0.3; touch late) & touch started; wait'
    const run = runProgram('sh', ['-c', script], options({ signal: controller.signal }))
    while (!existsSync(join(folder, 'started'))) await delay(5)
    controller.abort(reason)
    await expect(run).rejects.toBe(reason)
    await delay(500)
    expect(existsSync(join(folder, 'late'))).toBe(false)
  })
})
