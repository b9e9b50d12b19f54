import type { ChildProcess } from 'node:child_process'

/** The variable that names the folder where programs may live that stay from one job to the next; unset, none may. */
export const RESIDENTS_VARIABLE = 'QUARRY_RESIDENTS_FOLDER'

/** Where a program that stays may keep its files; undefined where every job must leave nothing behind. */
export const residentsFolder = (): string | undefined => process.env[RESIDENTS_VARIABLE] || undefined

// A process serves one account after the other's job never: what it keeps is known to the whole of it.
const residents = new Map<ChildProcess, readonly number[]>()

/** Declares a program, with others that it started, as kept on purpose for as long as it runs. */
export const keepResident = (child: ChildProcess, startedByIt: readonly number[]): void => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  residents.set(child, [child.pid, ...startedByIt])
  child.once('exit', () => residents.delete(child))
}

/** The ids of all processes that are kept on purpose. */
export const listResidents = (): number[] => [...residents.values()].flat()
