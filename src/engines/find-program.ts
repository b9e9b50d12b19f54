import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Whether a program can be run by its name. */
export const isOnPath = (command: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
