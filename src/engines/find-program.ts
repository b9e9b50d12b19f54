import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Tool } from '../core/catalog.ts'

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

/** Whether what a tool stands for is on this machine. */
export const isInstalled = (tool: Tool): boolean => ('file' in tool ? existsSync(tool.file) : isOnPath(tool.command))
