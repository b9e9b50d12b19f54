import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { createLog, openFoundation } from '../wiring.ts'
import { accountCommands } from './account-commands.ts'
import type { Command } from './command.ts'
import { UsageError } from './command.ts'
import { configCommand, doctorCommand } from './doctor.ts'
import { jobCommands } from './job-commands.ts'
import { print } from './print.ts'
import { userCommands } from './user-commands.ts'

const COMMANDS: Readonly<Record<string, Command>> = {
  ...accountCommands,
  ...userCommands,
  ...jobCommands,
  doctor: doctorCommand,
  config: configCommand,
}

const FLAGS = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  ledger: { type: 'boolean' },
  account: { type: 'string' },
  name: { type: 'string' },
  plan: { type: 'string' },
  credits: { type: 'string' },
  bucket: { type: 'string' },
  note: { type: 'string' },
  ip: { type: 'string' },
  expires: { type: 'string' },
  status: { type: 'string' },
  limit: { type: 'string' },
  email: { type: 'string' },
  'password-stdin': { type: 'boolean' },
  on: { type: 'boolean' },
  off: { type: 'boolean' },
} as const

/** Runs one command of the operator's command line; returns the exit code. */
export const runCommand = async (argv: readonly string[]): Promise<number> => {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: FLAGS, allowPositionals: true })
    const { name, rest } = findCommand(positionals)
    const command = name === undefined ? undefined : COMMANDS[name]
    if (values.help || !name || !command) {
      process.stderr.write(usage())
      return values.help ? 0 : 2
    }
    const config = readConfig()
    if (!command.needsFoundation) {
      const result = await command.run({ flags: values, args: rest, config })
      print(result.value, result.text, values.json ?? false)
      return result.ok === false ? 1 : 0
    }
    const foundation = await openFoundation(config, createLog({ ...config, logLevel: 'error' }))
    try {
      const result = await command.run({ flags: values, args: rest, config, foundation })
      print(result.value, result.text, values.json ?? false)
      return result.ok === false ? 1 : 0
    } finally {
      await foundation.close()
    }
  } catch (error) {
    if (!(error instanceof UsageError) && !(error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')) throw error
    process.stderr.write(`${(error as Error).message}\n`)
    return 2
  }
}

const findCommand = (positionals: readonly string[]): { name: string | undefined; rest: string[] } => {
  const two = positionals.slice(0, 2).join(' ')
  if (two in COMMANDS) return { name: two, rest: positionals.slice(2) }
  const one = positionals[0]
  return one !== undefined && one in COMMANDS
    ? { name: one, rest: positionals.slice(1) }
    : { name: undefined, rest: [] }
}

const usage = (): string => {
  const lines = Object.entries(COMMANDS).map(
    ([name, { args, detail }]) => `  quarry ${`${name} ${args}`.padEnd(74)} ${detail}`,
  )
  return `Usage: quarry COMMAND [--json]\n\n  quarry serve | api | worker\n${lines.join('\n')}\n`
}
