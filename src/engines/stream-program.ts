import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { ProgramFailure } from './run-program.ts'

export type StreamOptions = {
  signal: AbortSignal
  /** Absolute; what the program leaves behind by mistake lands here. */
  cwd: string
  /** Memory that the program may ask for; what a file claims to need is no reason to give it. */
  maxMemoryBytes: number
  /** Added to the environment of this process. */
  env?: Readonly<Record<string, string>>
  /** What it reads on its standard input; nothing unless told. */
  input?: string | Readable
  /** Hears how the program ended by itself: its exit code, and the last it said. */
  onEnd?: (end: { code: number; stderr: string }) => void
}

const STDERR_CHARACTERS = 65_536

/**
 * The standard output of a program, held back while nobody takes it. The program has its own process group and is
 * killed with all it started when the reader leaves, the job is canceled or a limit is passed.
 */
export async function* streamProgram(
  command: string,
  args: readonly string[],
  { signal, cwd, maxMemoryBytes, env = {}, input, onEnd }: StreamOptions,
): AsyncGenerator<Buffer> {
  signal.throwIfAborted()
  const bounds = [`--data=${maxMemoryBytes}`, '--core=0', '--']
  const child = spawn('prlimit', [...bounds, command, ...args], {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr = (stderr + chunk).slice(-STDERR_CHARACTERS)
  })
  // A program may end without reading all it was given.
  child.stdin?.on('error', () => {})
  if (typeof input === 'object') input.pipe(child.stdin as Writable)
  else child.stdin?.end(input)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  // Where the reader leaves early, nobody waits for it.
  ended.catch(() => {})
  const onAbort = () => killGroup(child)
  signal.addEventListener('abort', onAbort)
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      signal.throwIfAborted()
      yield chunk
    }
    const code = await ended
    signal.throwIfAborted()
    if (code === null) throw new ProgramFailure(command, 'killed', stderr.trim())
    onEnd?.({ code, stderr: stderr.trim() })
  } finally {
    signal.removeEventListener('abort', onAbort)
    killGroup(child)
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
