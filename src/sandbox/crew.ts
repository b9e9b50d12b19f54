import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type ChildHandle, startChild } from './child-process.ts'
import { findIsolation, isRoot, makeBerth } from './isolation.ts'
import { type Berth, buildLaunch } from './launch.ts'
import { fillModuleCache } from './module-cache.ts'
import { makeProcessFolder, wipeFolder } from './process-folder.ts'
import { listProcessesOf } from './process-tree.ts'
import type { Isolation, SandboxSettings } from './settings.ts'

/** One child with its place and its history. */
export type CrewMember = {
  readonly handle: ChildHandle
  readonly berth: Berth
  /** Finished artifacts lie here, where the child cannot reach. */
  readonly resultFolder: string
  /** The only one whose files it has seen; undefined while it has seen none. */
  owner: string | undefined
  jobs: number
  /** CPU time that it and all it started had spent when its last job ended. */
  cpuSeconds: number
}

/** Numbers for the metrics. */
export type CrewStats = {
  running: number
  waiting: number
  spares: number
  idle: number
  starting: number
  /** Children started since the service started. */
  started: number
  /** Children that ended before their time: crashed, killed over a limit, or with a job that failed or was canceled. */
  restarts: number
}

/** All children of this process: who works, who waits warm, who comes next. */
export type Crew = {
  readonly isolation: Isolation
  readonly problem: string | undefined
  /** Lends a child that has seen nobody else's files; requests are served in the order they came. */
  borrow(owner: string, signal: AbortSignal): Promise<CrewMember>
  /** Takes a clean child back for the next job of its owner. */
  giveBack(member: CrewMember): Promise<void>
  /** Ends a child and wipes its folders. */
  retire(member: CrewMember, isLoss?: boolean): Promise<void>
  stats(): CrewStats
  close(): Promise<void>
}

type State = 'starting' | 'spare' | 'busy' | 'idle' | 'leaving'
type Member = CrewMember & { state: State; slot: number; folder: string; idleSince: number; idleTimer?: NodeJS.Timeout }
type Waiter = { owner: string; resolve(member: Member): void; reject(error: unknown): void }

const MAX_START_FAILURES = 3
const TOP_UP_DELAY_MS = 100

/** Gathers the crew: finds the isolation that works and starts the first spare. */
export const createCrew = async (settings: SandboxSettings): Promise<Crew> => {
  // Children pass through it to their own folder and can list neither.
  const poolFolder = await makeProcessFolder(settings.folder, 0o711)
  const { isolation, launcher, problem } = await findIsolation(settings).catch(async (error: unknown) => {
    await wipeFolder(poolFolder)
    throw error
  })
  const members = new Set<Member>()
  const leaving = new Set<Promise<void>>()
  const usedSlots = new Set<number>()
  let waiters: Waiter[] = []
  let closed = false
  const closing = new AbortController()
  let started = 0
  let restarts = 0
  let startFailures = 0
  let idleClock = 0
  let pendingStarts = 0
  let topUpTimer: NodeJS.Timeout | undefined

  const count = (state: State) => [...members].reduce((sum, member) => sum + Number(member.state === state), 0)
  const warn = settings.warn ?? (() => {})

  const takeSlot = (): number => {
    // Where all processes of a child's user are killed with it, none may be there that is somebody else's.
    const isTaken = (uid: number) => launcher === 'user' && listProcessesOf(uid).length > 0
    let slot = 0
    while (usedSlots.has(slot) || isTaken(settings.unprivilegedUid + slot)) slot += 1
    usedSlots.add(slot)
    return slot
  }

  const start = async (): Promise<void> => {
    pendingStarts += 1
    const slot = takeSlot()
    const folder = join(poolFolder, String(started))
    started += 1
    let member: Member | undefined
    try {
      const uid = isRoot() ? settings.unprivilegedUid + slot : (process.getuid?.() ?? 0)
      const gid = isRoot() ? settings.unprivilegedGid + slot : (process.getgid?.() ?? 0)
      const berth = await makeBerth(folder, { uid, gid })
      const launch = buildLaunch(launcher, berth, settings.limits, settings.formatFolders, settings.readable)
      const handle = startChild(launcher, launch, launcher === 'user' ? uid : undefined)
      const resultFolder = join(folder, 'result')
      const history = { owner: undefined, jobs: 0, cpuSeconds: 0, idleSince: 0 }
      member = { handle, berth, resultFolder, ...history, state: 'starting', slot, folder }
      members.add(member)
      if (closed) return void retire(member)
      await handle.ready
      startFailures = 0
      if (member.state !== 'starting') return
      member.state = 'spare'
      watchOver(member)
    } catch (error) {
      startFailures += 1
      if (member) void retire(member, true)
      else usedSlots.delete(slot)
      if (closed) return
      warn('a sandbox child did not start', error)
      if (startFailures >= MAX_START_FAILURES) for (const waiter of waiters.splice(0)) waiter.reject(error)
    } finally {
      pendingStarts -= 1
      dispatch()
    }
  }

  /** A child may end while nobody uses it; then it must not be lent out. */
  const watchOver = (member: Member) => {
    void member.handle.death.then(() => {
      if (member.state === 'spare' || member.state === 'idle') void retire(member, true)
    })
  }

  const assign = (member: Member, waiter: Waiter) => {
    clearTimeout(member.idleTimer)
    member.state = 'busy'
    member.owner = waiter.owner
    member.jobs += 1
    waiters = waiters.filter((other) => other !== waiter)
    waiter.resolve(member)
  }

  const oldestIdle = (): Member | undefined =>
    [...members].filter(({ state }) => state === 'idle').toSorted((a, b) => a.idleSince - b.idleSince)[0]

  /** Serves who waits, first come first served, as far as children are there. */
  const dispatch = (): void => {
    for (let head = waiters[0]; head && !closed; head = waiters[0]) {
      const { owner } = head
      const own = [...members].find((member) => member.state === 'idle' && member.owner === owner)
      if (own) {
        assign(own, head)
        continue
      }
      const spare = [...members].find(({ state }) => state === 'spare')
      const isFull = count('busy') + count('idle') >= settings.maxChildren
      const oldest = isFull ? oldestIdle() : undefined
      if (!spare || (isFull && !oldest)) break
      // A slot held for another owner's next file is worth less than work that waits.
      if (oldest) void retire(oldest)
      assign(spare, head)
    }
    if (!closed) keepStocked()
  }

  /** Starts what the waiting need at once, and refills the spares one by one when the rush is over. */
  const keepStocked = (): void => {
    const needed = Math.min(waiters.length, settings.maxChildren - count('busy'), availableParallelism())
    const countComing = () => pendingStarts + count('spare')
    while (startFailures === 0 && countComing() < needed) void start()
    if (topUpTimer || pendingStarts > 0 || countComing() >= Math.max(settings.spares, needed)) return
    const backOffMs = startFailures === 0 ? 0 : Math.min(10_000, 200 * 2 ** startFailures)
    const delayMs = started === 0 ? 0 : Math.max(TOP_UP_DELAY_MS, backOffMs)
    topUpTimer = setTimeout(() => {
      topUpTimer = undefined
      if (!closed) void start()
    }, delayMs).unref()
  }

  const retire = (member: Member, isLoss = false): Promise<void> => {
    if (member.state === 'leaving') return Promise.resolve()
    member.state = 'leaving'
    clearTimeout(member.idleTimer)
    members.delete(member)
    if (isLoss) restarts += 1
    const wipe = async () => {
      await wipeFolder(member.folder)
      usedSlots.delete(member.slot)
    }
    const leave = async () => {
      await member.handle.kill()
      if (member.handle.isDead()) return wipe()
      // Stuck in the kernel: its folder is wiped when it lets go, and its user id is not given out before.
      warn('a sandbox child does not die', new Error(member.handle.log()))
      void member.handle.death.then(wipe)
    }
    const done = leave()
      .catch((error: unknown) => warn('a sandbox folder could not be wiped', error))
      .finally(() => leaving.delete(done))
    leaving.add(done)
    dispatch()
    return done
  }

  const crew: Crew = {
    isolation,
    problem,
    borrow(owner, signal) {
      if (closed) return Promise.reject(new Error('the sandbox is closed'))
      if (signal.aborted) return Promise.reject(signal.reason)
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          waiters = waiters.filter((other) => other !== waiter)
          reject(signal.reason)
        }
        const waiter: Waiter = {
          owner,
          resolve: (member) => {
            signal.removeEventListener('abort', onAbort)
            resolve(member)
          },
          reject: (error) => {
            signal.removeEventListener('abort', onAbort)
            reject(error)
          },
        }
        signal.addEventListener('abort', onAbort)
        waiters.push(waiter)
        dispatch()
      })
    },
    async giveBack(lent) {
      const member = lent as Member
      // A job must find its whole share of CPU time left under the child's lifelong limit.
      const isSpent = member.jobs >= settings.jobsPerChild || member.cpuSeconds > settings.limits.cpuSeconds
      if (closed || isSpent || member.handle.isDead()) return retire(member, member.handle.isDead())
      member.state = 'idle'
      idleClock += 1
      member.idleSince = idleClock
      member.idleTimer = setTimeout(() => void retire(member), settings.idleSeconds * 1000).unref()
      dispatch()
    },
    retire: (member, isLoss) => retire(member as Member, isLoss),
    stats: () => ({
      running: count('busy'),
      waiting: waiters.length,
      spares: count('spare'),
      idle: count('idle'),
      starting: pendingStarts,
      started,
      restarts,
    }),
    async close() {
      closed = true
      closing.abort()
      clearTimeout(topUpTimer)
      for (const waiter of waiters.splice(0)) waiter.reject(new Error('the sandbox is closed'))
      for (const member of members) void retire(member)
      while (leaving.size > 0 || pendingStarts > 0) {
        await Promise.all([...leaving])
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      await wipeFolder(poolFolder)
    },
  }
  // Without it children start too, only slower.
  void fillModuleCache(settings, closing.signal).catch((error: unknown) => {
    if (!closed) warn('the module cache could not be filled', error)
  })
  keepStocked()
  return crew
}
