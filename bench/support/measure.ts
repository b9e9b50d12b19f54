import { readFileSync } from 'node:fs'

/** CPU seconds that a process has spent so far, its reaped children not counted. */
export const cpuSecondsOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** CPU seconds of a process, of all it has started, and of what those have left behind. */
export const treeCpuSeconds = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
  return childrenOf(pid).reduce((sum, child) => {
    try {
      return sum + treeCpuSeconds(child)
    } catch {
      return sum
    }
  }, own)
}

/** Resident memory of a process and of all it has started, as it is now; pages that they share count for each. */
export const treeMemoryMb = (pid: number): number => {
  try {
    return childrenOf(pid).reduce((sum, child) => sum + treeMemoryMb(child), memoryMbOf(pid).now)
  } catch {
    return 0
  }
}

const childrenOf = (pid: number): number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Resident memory now, and the most it has been. */
export const memoryMbOf = (pid: number): { now: number; peak: number } => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024
  return { now: read('VmRSS'), peak: read('VmHWM') }
}

export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Runs `count` tasks, `parallel` at a time; returns how long it took. */
export const runParallel = async (
  count: number,
  parallel: number,
  task: (index: number) => Promise<void>,
): Promise<number> => {
  const startedAt = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (next < count) await task(next++)
    }),
  )
  return (performance.now() - startedAt) / 1000
}
