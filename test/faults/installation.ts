import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { listSandboxed } from '../support/processes.ts'
import { type RunningProcess, startProcess } from '../support/service.ts'
import { delay } from '../support/wait.ts'

/** What can be killed. */

export type Victim = 'worker' | 'child' | 'api' | 'postgres'

type Slot = { role: 'api' | 'worker'; running: RunningProcess | undefined; starting: Promise<void> }

/** An API and workers as processes of their own, each started again when it ends, as a service manager would. */
export type Installation = {
  base: string
  /** Kills one thing with SIGKILL; says whether there was one to kill. */
  kill(victim: Victim, pick: <T>(items: readonly T[]) => T): Promise<boolean>
  /** Resolves when every process is up. */
  settle(): Promise<void>
  /** Asks every process to end, and starts none again. */
  stop(): Promise<void>
  /** Starts that failed and were tried again: the database went away meanwhile. */
  failedStarts: string[]
  /** Processes that ended, after they were ready, by themselves. */
  crashes: string[]
}

export const startInstallation = async (
  env: Record<string, string>,
  { workers }: { workers: number },
): Promise<Installation> => {
  const port = await findFreePort()
  const settings = { ...env, PORT: String(port) }
  const failedStarts: string[] = []
  const crashes: string[] = []
  let stopping = false

  const start = async (slot: Slot): Promise<void> => {
    while (!stopping) {
      try {
        const running = await startProcess(slot.role, settings)
        slot.running = running
        running.process.once('exit', (code, signal) => {
          slot.running = undefined
          if (stopping) return
          // Only SIGKILL comes from the test: any other end is a crash.
          if (signal !== 'SIGKILL') crashes.push(`${slot.role} ended with ${code ?? signal}:\n${tail(running.log())}`)
          slot.starting = start(slot)
        })
        return
      } catch (error) {
        failedStarts.push(tail(error instanceof Error ? error.message : String(error)))
        await delay(200)
      }
    }
  }
  const slots: Slot[] = [
    { role: 'api', running: undefined, starting: Promise.resolve() },
    ...Array.from({ length: workers }, () => ({
      role: 'worker' as const,
      running: undefined,
      starting: Promise.resolve(),
    })),
  ]
  // All at once on an empty folder: one of them makes the cluster, the schema and the queues.
  for (const slot of slots) slot.starting = start(slot)
  await Promise.all(slots.map((slot) => slot.starting))
  const up = (role?: Slot['role']) =>
    slots.flatMap((slot) => (slot.running && (role === undefined || slot.role === role) ? [slot.running] : []))

  return {
    base: `http://127.0.0.1:${port}`,
    failedStarts,
    crashes,
    kill: async (victim, pick) => {
      const pids =
        victim === 'postgres'
          ? await findPostmaster(env.QUARRY_DATA ?? '')
          : victim === 'child'
            ? up().flatMap(({ process: { pid } }) => (pid === undefined ? [] : listSandboxed(pid)))
            : up(victim).flatMap(({ process: { pid } }) => (pid === undefined ? [] : [pid]))
      if (pids.length === 0) return false
      try {
        process.kill(pick(pids), 'SIGKILL')
        return true
      } catch {
        return false // It ended by itself between the two steps.
      }
    },
    settle: async () => {
      while (slots.some((slot) => !slot.running)) {
        await Promise.all(slots.map((slot) => slot.starting))
        await delay(50)
      }
    },
    stop: async () => {
      stopping = true
      await Promise.all(slots.map((slot) => slot.starting))
      await Promise.all(up().map((running) => running.kill('SIGTERM')))
    },
  }
}

const tail = (text: string): string => text.split('\n').slice(-15).join('\n')

const findPostmaster = async (dataFolder: string): Promise<number[]> => {
  const text = await readFile(join(dataFolder, 'postgres/postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return pid > 0 ? [pid] : []
}

const findFreePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
