import { type ChildProcess, spawn } from 'node:child_process'

export type ProgramOptions = {
  signal: AbortSignal
  timeoutMs: number
  /** More on its standard output than this ends the program. */
  maxOutputBytes: number
  /** Absolute; what the program leaves behind by mistake lands here. */
  cwd: string
  /** Added to the environment of this process. */
  env?: Readonly<Record<string, string>>
  /** What it reads on its standard input; nothing unless told. */
  input?: string | Uint8Array
  /** Takes the standard output as it comes, instead of having it collected. */
  onOutput?: (chunk: Buffer) => void
  /** Takes what the program writes to file descriptor 3, which is open only where this is given. */
  onReport?: (chunk: Buffer) => void
}

/** How a program ended by itself. `stderr` is only the last it said. */
export type ProgramResult = { code: number; stdout: Buffer; stderr: string }

export type ProgramEnd = 'missing' | 'timed_out' | 'too_much_output' | 'killed'

/** A program that did not start, or did not end by itself. */
export class ProgramFailure extends Error {
  override readonly name = 'ProgramFailure'
  readonly reason: ProgramEnd
  readonly stderr: string
  constructor(command: string, reason: ProgramEnd, stderr: string, more: { cause?: unknown } = {}) {
    super(`${command}: ${reason}${stderr ? `: ${stderr}` : ''}`, more)
    this.reason = reason
    this.stderr = stderr
  }
}

const STDERR_CHARACTERS = 8_192
/** Something that the program started may hold its pipes open after its end. */
const CLOSE_GRACE_MS = 200

/**
 * Runs an outside program to its end: no shell, its own process group, killed with all it started when the job is
 * canceled or a limit is passed. Any exit code is an answer; rejects with the signal's reason or a `ProgramFailure`.
 */
export const runProgram = async (
  command: string,
  args: readonly string[],
  { signal, timeoutMs, maxOutputBytes, cwd, env = {}, input, onOutput, onReport }: ProgramOptions,
): Promise<ProgramResult> => {
  signal.throwIfAborted()
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...(onReport ? (['pipe'] as const) : [])],
  })
  const output: Buffer[] = []
  let outputBytes = 0
  let stderr = ''
  let stopped: Error | undefined
  const stop = (why: Error) => {
    stopped ??= why
    killGroup(child)
  }
  const fail = (reason: ProgramEnd, cause?: unknown) => new ProgramFailure(command, reason, stderr.trim(), { cause })

  const attempt = (take: () => void) => {
    if (stopped) return
    try {
      take()
    } catch (error) {
      stop(error as Error)
    }
  }

  child.stdout?.on('data', (chunk: Buffer) => {
    outputBytes += chunk.length
    if (outputBytes > maxOutputBytes) return stop(fail('too_much_output'))
    attempt(() => (onOutput ? onOutput(chunk) : output.push(chunk)))
  })
  if (onReport) child.stdio[3]?.on('data', (chunk: Buffer) => attempt(() => onReport(chunk)))
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr = (stderr + chunk).slice(-STDERR_CHARACTERS)
  })
  // A program may end without reading all it was given.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const onAbort = () => stop(signal.reason)
  signal.addEventListener('abort', onAbort)
  const timer = setTimeout(() => stop(fail('timed_out')), timeoutMs)
  try {
    const code = await waitForEnd(child)
    if (stopped) throw stopped
    if (code === null) throw fail('killed')
    return { code, stdout: Buffer.concat(output), stderr: stderr.trim() }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw fail('missing', error)
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    killGroup(child)
  }
}

const waitForEnd = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
    child.on('exit', (code) => {
      setTimeout(() => resolve(code), CLOSE_GRACE_MS).unref()
    })
  })

const killGroup = (child: ChildProcess): void => {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
