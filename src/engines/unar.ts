import type { Tool } from '../core/catalog.ts'
import { isInstalled } from './find-program.ts'
import { ProgramFailure } from './run-program.ts'
import { streamProgram } from './stream-program.ts'

/** The program, as families declare it; its package brings `lsar` too. */
export const UNAR: Tool = {
  name: 'unar',
  command: 'unar',
  versionArgs: ['-v'],
  debianPackage: 'unar',
  purpose: 'reads RAR archives of all versions',
}
const LIST_COMMAND = 'lsar'

export type UnarFile = { path: string; password: string }
export type UnarJob = { signal: AbortSignal; scratch: string }

/** What the program says about the archive or one of its members, by its own names: `XADFileName`, `XADFileSize`. */
export type UnarRecord = Readonly<Record<string, unknown>>

export type UnarListing = {
  outcome: 'done' | 'damaged' | 'encrypted' | 'too-long'
  properties: UnarRecord
  members: UnarRecord[]
}

const MAX_LISTING_BYTES = 64 * 1_048_576
/** Enough for the largest dictionary that WinRAR makes unasked. */
const MAX_MEMORY_BYTES = 400 * 1_048_576
/** Archives inside the archive stay closed. */
const PLAIN = ['-no-recursion']

/** Lists an archive. */
export const listRar = async (file: UnarFile, job: UnarJob): Promise<UnarListing> => {
  const pieces: Buffer[] = []
  let bytes = 0
  let stderr = ''
  for await (const piece of run(LIST_COMMAND, ['-json-ascii', ...PLAIN], file, job, (end) => {
    stderr = end.stderr
  })) {
    bytes += piece.length
    if (bytes > MAX_LISTING_BYTES) return { outcome: 'too-long', properties: {}, members: [] }
    pieces.push(piece)
  }
  return readListing(Buffer.concat(pieces).toString('latin1'), /password/i.test(stderr))
}

const ERROR_PASSWORD = 6

const readListing = (text: string, asksForPassword: boolean): UnarListing => {
  const listing = parse(text)
  const members = (listing?.lsarContents ?? []) as UnarRecord[]
  const properties = (listing?.lsarProperties ?? {}) as UnarRecord
  const isEncrypted = listing ? listing.lsarError === ERROR_PASSWORD : asksForPassword
  if (isEncrypted && members.length === 0) return { outcome: 'encrypted', properties, members }
  const isDone = listing !== undefined && listing.lsarError === undefined
  return { outcome: isDone ? 'done' : 'damaged', properties, members }
}

const parse = (text: string): UnarRecord | undefined => {
  try {
    return JSON.parse(text) as UnarRecord
  } catch {
    // It ends in the middle where a password is asked for.
    return undefined
  }
}

/**
 * The content of every member that is a file, one after the other without a gap, in the order of the listing; only of
 * the members with these places where they are given.
 */
export const streamRar = (file: UnarFile, job: UnarJob, places?: readonly number[]): AsyncGenerator<Buffer> =>
  run(UNAR.command, ['-quiet', '-forks', 'skip', '-output-directory', '-', ...PLAIN], file, job, undefined, places)

/** The program takes a password from its arguments only; without one it would ask for it before it lists anything. */
const run = (
  command: string,
  args: readonly string[],
  { path, password }: UnarFile,
  { signal, scratch }: UnarJob,
  onEnd?: (end: { code: number; stderr: string }) => void,
  places?: readonly number[],
): AsyncGenerator<Buffer> => {
  if (!isInstalled(UNAR)) throw new ProgramFailure(UNAR.name, 'missing', '')
  const chosen = places ? ['-indexes', path, ...places.map(String)] : [path]
  return streamProgram(command, [...args, '-password', password || '-', ...chosen], {
    signal,
    cwd: scratch,
    maxMemoryBytes: MAX_MEMORY_BYTES,
    env: { TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    ...(onEnd ? { onEnd } : {}),
  })
}
