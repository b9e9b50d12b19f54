import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { createLog, openFoundation } from '../foundation.ts'
import { accountCommands } from './account-commands.ts'
import { type Command, type CommandResult, type Flags, UsageError } from './command.ts'
import { jobCommands } from './job-commands.ts'
import { print } from './print.ts'
import { serviceCommands } from './service-commands.ts'
import { userCommands } from './user-commands.ts'

const COMMANDS: Readonly<Record<string, Command>> = {
  ...accountCommands,
  ...userCommands,
  ...jobCommands,
  ...serviceCommands,
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
    const { value, text, ok = true } = await carryOut(command, values, rest)
    print(value, text, values.json ?? false)
    return ok ? 0 : 1
  } catch (error) {
    if (!(error instanceof UsageError) && !(error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')) throw error
    process.stderr.write(`${(error as Error).message}\n`)
    return 2
  }
}

const carryOut = async (command: Command, flags: Flags, args: string[]): Promise<CommandResult> => {
  const config = readConfig()
  if (!command.needsFoundation) return command.run({ flags, args, config })
  const foundation = await openFoundation(config, createLog({ ...config, logLevel: 'error' }))
  try {
    return await command.run({ flags, args, config, foundation })
  } finally {
    await foundation.close()
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
