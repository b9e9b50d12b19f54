import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Launch, Launcher } from './launch.ts'
import {
  listChildren,
  listProcessesOf,
  listTree,
  measureTree,
  readInnerPid,
  surveyTree,
  type TreeUsage,
} from './process-tree.ts'
import {
  CHILD_LINE_BYTES,
  type ChildMessage,
  createLineReader,
  encodeMessage,
  type ParentMessage,
  PROTOCOL_FD,
  parseChildMessage,
} from './protocol.ts'

/** How a child ended, with the last it printed. */
export type Death = { exitCode: number | undefined; signal: string | undefined; log: string }

/** Who hears a child while it has work; at any other time a child has nothing to say. */
export type Listener = {
  /** Messages it may send at once, before time earns it more. */
  maxMessages: number
  onMessage(message: ChildMessage): void
  /** It said something that is not the protocol. */
  onBroken(error: Error): void
}

/** A running child as the parent sees it. */
export type ChildHandle = {
  readonly ready: Promise<void>
  readonly death: Promise<Death>
  isDead(): boolean
  send(message: ParentMessage): void
  listen(listener: Listener | undefined): void
  /** Ends the child and all it started; resolves when they are gone, after one second at the latest. */
  kill(): Promise<void>
  measure(): TreeUsage
  /** CPU time spent so far, and whether something that a job started is still there that is not kept on purpose. */
  survey(): { cpuSeconds: number; hasStrays: boolean }
  /** Whether it said that it keeps something running. */
  hasResidents(): boolean
  log(): string
}

const KILL_ROUNDS = 60
const LOG_CHARACTERS = 16_384
const MESSAGES_PER_SECOND = 50
const BYTES_PER_MESSAGE = 4_096
// Backwards, so that of two names for one signal the first and usual one stays.
const SIGNAL_NAMES = new Map<number, string>(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
)

/** Starts a child. Without a namespace around it, `ownUid` is a user that it has to itself. */
export const startChild = (
  launcher: Launcher,
  { command, args, env }: Launch,
  ownUid: number | undefined,
): ChildHandle => {
  const child = spawn(command, args, { env, cwd: '/', detached: true, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  const channel = child.stdio[PROTOCOL_FD] as Socket
  let log = ''
  let dead = false
  let listener: Listener | undefined
  let listenedSince = 0
  let messages = 0
  let bytes = 0
  let residents: ReadonlySet<number> = new Set()

  const keepLog = (chunk: string) => {
    log = (log + chunk).slice(-LOG_CHARACTERS)
  }
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', keepLog)

  const death = waitForDeath(child).then((end) => {
    dead = true
    return { ...end, log }
  })
  const becomeReady = Promise.withResolvers<void>()
  becomeReady.promise.catch(() => {})
  death.then(() => becomeReady.reject(new Error(`a sandbox child did not start: ${log.trim() || 'no output'}`)))

  const listen = (next: Listener | undefined) => {
    listener = next
    listenedSince = performance.now()
    messages = 0
    bytes = 0
    if (next) log = ''
  }
  listen({
    maxMessages: 1,
    onMessage: (message) => {
      listen(undefined)
      if (message.type === 'ready') becomeReady.resolve()
    },
    onBroken: () => void kill(),
  })
  const readChunk = createLineReader(CHILD_LINE_BYTES, (line) => {
    // Nobody listens to a child that is being killed, and one without work must be silent.
    if (!listener) return void kill()
    messages += 1
    bytes += line.length
    const allowed = listener.maxMessages + ((performance.now() - listenedSince) / 1000) * MESSAGES_PER_SECOND
    if (messages > allowed || bytes > allowed * BYTES_PER_MESSAGE) throw new Error('more messages than a job can need')
    const message = parseChildMessage(line)
    if ('residents' in message) residents = new Set(message.residents)
    listener.onMessage(message)
  })
  channel.on('data', (chunk: Buffer) => {
    try {
      readChunk(chunk)
    } catch (error) {
      const broken = listener
      channel.pause()
      listen(undefined)
      broken?.onBroken(error as Error)
    }
  })
  channel.on('error', () => {}) // The child's end; its death says so too.

  const signal = (pid: number) => {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Already gone.
    }
  }
  const isBubblewrap = launcher.startsWith('bubblewrap')
  const kill = async (): Promise<void> => {
    const pid = child.pid
    if (pid === undefined) return
    if (!dead) {
      // The first process of the namespace takes all others with it before it is gone, and its wrapper only ends then.
      const first = isBubblewrap ? listChildren(pid) : []
      const members = isBubblewrap ? [] : listTree(pid)
      if (first.length > 0) for (const member of first) signal(member)
      else for (const member of [-pid, ...members]) signal(member)
      if (first.length > 0) await Promise.race([death, delay(500, undefined, { ref: false })])
      if (!dead) signal(-pid)
      await Promise.race([death, delay(400, undefined, { ref: false })])
    }
    // Outside a namespace a process can leave its group and its parent, but not its user.
    for (let round = 0; ownUid !== undefined && round < KILL_ROUNDS; round++) {
      const left = listProcessesOf(ownUid)
      if (left.length === 0) break
      for (const member of left) signal(member)
      await delay(5)
    }
  }

  // Wrappers that stay: bubblewrap itself, and the first process of its namespace.
  const ownProcesses = isBubblewrap ? 3 : 1
  return {
    ready: becomeReady.promise,
    death,
    isDead: () => dead,
    send: (message) => void channel.write(encodeMessage(message)),
    listen,
    kill,
    measure: () => measureTree(child.pid ?? 0),
    survey: () => {
      const { pids, cpuSeconds } = surveyTree(child.pid ?? 0)
      const countOthers = (members: readonly number[]) =>
        residents.size > 0 ? members.filter((pid) => !residents.has(readInnerPid(pid))).length : members.length
      const hasLeavers = ownUid !== undefined && countOthers(listProcessesOf(ownUid)) > 1
      return { cpuSeconds, hasStrays: countOthers(pids) !== ownProcesses || hasLeavers }
    },
    hasResidents: () => residents.size > 0,
    log: () => log,
  }
}

/** Waits for the last words too: the end of a process is often heard before what it wrote. */
const waitForDeath = (child: ChildProcess): Promise<Omit<Death, 'log'>> =>
  new Promise((resolve) => {
    child.on('error', (error: Error) => {
      child.stderr?.emit('data', error.message)
      resolve({ exitCode: undefined, signal: undefined })
    })
    child.on('exit', (code, signal) => {
      // bubblewrap answers for its child as shells do: 128 and the number of the signal.
      const wrapped = code !== null && code > 128 ? SIGNAL_NAMES.get(code - 128) : undefined
      const end = { exitCode: wrapped ? undefined : (code ?? undefined), signal: signal ?? wrapped }
      child.on('close', () => resolve(end))
      // Something that lives on may hold the pipes open.
      setTimeout(() => resolve(end), 100).unref()
    })
  })
