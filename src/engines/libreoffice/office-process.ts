import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { writeProfile } from './profile.ts'

/** The interpreter that Debian's `python3-uno` belongs to. */
const PYTHON = '/usr/bin/python3'
const SCRIPT = join(import.meta.dirname, 'office.py')
const LOG_CHARACTERS = 4_096

/** One file to convert, as the script reads it. */
export type OfficeRequest = {
  input: string
  importFilter: string
  kind: 'text' | 'slides' | 'sheets'
  password: string
  /** Opened in a hidden window, all that is in a document comes out; without one, less can go wrong. */
  window: boolean
  outputs: readonly { path: string; filter: string; filterData?: Readonly<Record<string, boolean | number>> }[]
}

/** What the office made of a request. */
export type OfficeAnswer = { outcome: 'done' | 'encrypted' | 'unreadable' | 'failed'; detail: string }

/** A running office, with the script that speaks to it. */
export type Office = {
  readonly child: ChildProcess
  readonly officePid: number
  /** How many files it was given. */
  conversions(): number
  isAlive(): boolean
  /** Rejects where the office ends, or is ended, before it answers. */
  convert(request: OfficeRequest): Promise<OfficeAnswer>
  /** Ends it at once, and removes what it kept. */
  end(): Promise<void>
}

/** Starts an office with a profile of its own in `folder`; `programs` is where it is installed. */
export const startOffice = async (folder: string, programs: string): Promise<Office> => {
  const profile = await mkdtemp(join(folder, 'office-'))
  await writeProfile(profile, programs)
  const child = spawn(PYTHON, ['-I', '-B', SCRIPT, programs, profile], {
    cwd: profile,
    // Its own folder for passing files too: one that is wiped after a job would be missed in the next.
    env: { ...process.env, HOME: profile, TMPDIR: join(profile, 'tmp'), LANG: 'C.UTF-8', TZ: 'UTC' },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const log = keepLog(child)
  const answers = readAnswers(child, log)
  const end = async () => {
    killGroup(child)
    await answers.closed
    await rm(profile, { recursive: true, force: true, maxRetries: 3 })
  }
  let conversions = 0
  try {
    const { officePid } = (await answers.next()) as { officePid: number }
    return {
      child,
      officePid,
      conversions: () => conversions,
      isAlive: () => !answers.isClosed(),
      convert(request) {
        conversions += 1
        child.stdin.write(`${JSON.stringify(request)}\n`)
        return answers.next() as Promise<OfficeAnswer>
      },
      end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

const keepLog = (child: ChildProcess): (() => string) => {
  let log = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    log = (log + chunk).slice(-LOG_CHARACTERS)
  })
  return () => log.trim()
}

/** Lines of the script in the order they were waited for; all that wait are rejected when it ends. */
const readAnswers = (child: ChildProcess, log: () => string) => {
  const waiting: { resolve(value: unknown): void; reject(error: Error): void }[] = []
  let ended: Error | undefined
  const closed = new Promise<void>((resolve) => {
    const close = (why: string) => {
      ended ??= new Error(`LibreOffice ended (${why}): ${log() || 'no output'}`)
      for (const { reject } of waiting.splice(0)) reject(ended)
      resolve()
    }
    child.on('error', (error) => close(error.message))
    child.on('exit', (code, signal) => close(String(signal ?? code)))
  })
  // A script that has ended does not read what it is given.
  child.stdin?.on('error', () => {})
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.resolve(JSON.parse(line)))
  }
  return {
    closed,
    isClosed: () => ended !== undefined,
    next: () =>
      new Promise<unknown>((resolve, reject) => {
        if (ended) reject(ended)
        else waiting.push({ resolve, reject })
      }),
  }
}

const killGroup = (child: ChildProcess): void => {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
