import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { listTree } from '../../src/sandbox/process-tree.ts'

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // It ended meanwhile, or is dead and not yet collected.
  }
}

const readLink = (path: string): string => {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** Extraction processes that work under a process of the service. */
export const listSandboxed = (servicePid: number): number[] =>
  listTree(servicePid).filter((pid) => {
    const line = read(`/proc/${pid}/cmdline`)
    return line.includes('src/sandbox/child.ts') && !line.startsWith('bwrap')
  })

/** Live processes that name the folder in their command line, work in it, or have a part of it mounted. */
export const listProcessesIn = (folder: string): { pid: number; command: string }[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const command = read(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim()
      if (command === '') return []
      const isOurs =
        command.includes(folder) ||
        readLink(`/proc/${name}/cwd`).startsWith(folder) ||
        read(`/proc/${name}/mountinfo`).includes(folder) ||
        read(`/proc/${name}/environ`).includes(`QUARRY_DATA=${folder}\0`)
      return isOurs ? [{ pid: Number(name), command }] : []
    })
