import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'

/** What a process and all its descendants hold and have spent. */
export type TreeUsage = { pids: number[]; cpuSeconds: number; memoryBytes: number }

// USER_HZ: the kernel reports CPU time in hundredths on every architecture Node runs on.
const TICKS_PER_SECOND = 100

// Everything here is read from /proc, in memory: a synchronous read costs some 10 µs, a tenth of one through the pool.
const readProc = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // The process ended meanwhile.
  }
}

type Stat = { state: string; parentPid: number; cpuTicks: number; startTicks: number }

/** The fields of /proc/<pid>/stat after the command, which may itself hold spaces and brackets. */
const readStat = (pid: number): Stat | undefined => {
  const text = readProc(`/proc/${pid}/stat`)
  if (text === '') return undefined
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = (index: number) => Number(fields[index]) || 0
  return {
    state: fields[0] ?? '',
    parentPid: ticks(1),
    // Own time, and that of children already waited for.
    cpuTicks: ticks(11) + ticks(12) + ticks(13) + ticks(14),
    startTicks: ticks(19),
  }
}

/** When a process started, in clock ticks since boot: with its pid this names it for ever. Undefined once it is gone. */
export const readStartTicks = (pid: number): number | undefined => {
  const stat = readStat(pid)
  return stat && !isGone(stat) ? stat.startTicks : undefined
}

/** Whether a process still runs; one that is dead and only waits for its parent does not. */
export const isAlive = (pid: number): boolean => {
  const stat = readStat(pid)
  return stat !== undefined && !isGone(stat)
}

const isGone = ({ state }: Stat): boolean => state === 'Z' || state === 'X'

const listTasks = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** All processes that can be seen. */
export const listPids = (): number[] => readdirSync('/proc').map(Number).filter(Number.isInteger)

// Some small kernels are built without these lists.
const HAS_CHILDREN_LISTS = existsSync(`/proc/self/task/${process.pid}/children`)

/** Direct children, over all threads of a process. */
export const listChildren = (pid: number): number[] =>
  HAS_CHILDREN_LISTS
    ? listTasks(pid).flatMap((task) =>
        readProc(`/proc/${pid}/task/${task}/children`)
          .split(' ')
          .filter((text) => text !== '')
          .map(Number),
      )
    : listPids().filter((other) => readStat(other)?.parentPid === pid)

/** A process and all its descendants, dead ones that nobody has waited for left out. */
const readTree = (root: number): Map<number, Stat> => {
  const tree = new Map<number, Stat>()
  const open = [root]
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    const stat = readStat(pid)
    if (!stat || isGone(stat)) continue
    tree.set(pid, stat)
    open.push(...listChildren(pid))
  }
  return tree
}

/** The members of a process tree. */
export const listTree = (pid: number): number[] => [...readTree(pid).keys()]

/** Memory that only this process keeps from others: pages of the program file itself are the system's to drop. */
const readMemoryBytes = (pid: number): number => {
  const status = readProc(`/proc/${pid}/status`)
  let kilobytes = 0
  for (const match of status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+)/gm)) kilobytes += Number(match[1])
  return kilobytes * 1024
}

/** Counts a process tree and its CPU time. */
export const surveyTree = (pid: number): Omit<TreeUsage, 'memoryBytes'> => {
  const tree = readTree(pid)
  let cpuTicks = 0
  for (const stat of tree.values()) cpuTicks += stat.cpuTicks
  return { pids: [...tree.keys()], cpuSeconds: cpuTicks / TICKS_PER_SECOND }
}

/** Adds up all of a process tree. */
export const measureTree = (pid: number): TreeUsage => {
  const survey = surveyTree(pid)
  return { ...survey, memoryBytes: survey.pids.reduce((sum, member) => sum + readMemoryBytes(member), 0) }
}

/** The id of a process as those in its own namespace see it. */
export const readInnerPid = (pid: number): number => {
  const ids = /^NSpid:\s+(.*)$/m.exec(readProc(`/proc/${pid}/status`))?.[1]
  return Number(ids?.split(/\s+/).at(-1) ?? pid)
}

/** Live processes of a user. */
export const listProcessesOf = (uid: number): number[] =>
  // The owner of the folder is the user of the process, and a look at it is cheaper than a read.
  listPids().filter((pid) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === uid && isAlive(pid))
