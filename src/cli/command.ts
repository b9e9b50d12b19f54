import type { Config } from '../config.ts'
import type { Foundation } from '../foundation.ts'

export type Flags = Readonly<Record<string, string | boolean | undefined>>
/** What a command found or did: the value for `--json`, a text for a person, and whether all is well. */
export type CommandResult = { value: unknown; text: string; ok?: boolean }
export type Command = { args: string; detail: string } & (
  | {
      needsFoundation: true
      run(input: { flags: Flags; args: string[]; config: Config; foundation: Foundation }): Promise<CommandResult>
    }
  | { needsFoundation: false; run(input: { flags: Flags; args: string[]; config: Config }): Promise<CommandResult> }
)

/** The command line was wrong; the message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const textFlag = (flags: Flags, name: string): string | undefined => flags[name] as string | undefined

/** A whole number of at least `min` from a flag. */
export const numberFlag = (
  flags: Flags,
  name: string,
  { min, fallback }: { min: number; fallback?: number },
): number => {
  const text = textFlag(flags, name)
  if (text === undefined && fallback !== undefined) return fallback
  const value = Number(text)
  if (text === undefined || !Number.isSafeInteger(value) || value < min)
    throw new UsageError(`--${name} must be a whole number of at least ${min}`)
  return value
}
