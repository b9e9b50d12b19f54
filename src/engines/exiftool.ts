import type { Tool } from '../core/catalog.ts'
import { ProgramFailure, runProgram } from './run-program.ts'

/** The program, as families declare it. */
export const EXIFTOOL = {
  name: 'exiftool',
  command: 'exiftool',
  versionArgs: ['-ver'],
  debianPackage: 'libimage-exiftool-perl',
  purpose: 'reads EXIF, IPTC, XMP and ICC tags of images',
} as const satisfies Tool

/** A tag for people, and its bare value where that is another. */
export type Tag = { value: unknown; raw: unknown }

/** Tags by group and name: `IFD0`, `ExifIFD`, `GPS`, `IPTC`, `XMP-dc`, `ICC_Profile`, … */
export type TagGroups = Readonly<Record<string, Readonly<Record<string, Tag>>>>

export type ExiftoolJob = { signal: AbortSignal; scratch: string }

const TIMEOUT_MS = 30_000
const MAX_OUTPUT_BYTES = 16 * 1_048_576
/** About the file on our disk, and about the program. */
const FOREIGN_GROUPS: ReadonlySet<string> = new Set(['System', 'ExifTool'])

/** Reads all tags of a file; undefined where the program gives up on it. */
export const readTags = async (path: string, { signal, scratch }: ExiftoolJob): Promise<TagGroups | undefined> => {
  // No configuration file: it would be Perl that runs.
  const args = ['-config', '', '-json', '-long', '-G1', '-struct', '--system:all', path]
  try {
    const { stdout } = await runProgram(EXIFTOOL.command, args, {
      signal,
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      cwd: scratch,
      env: { TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    })
    return groupTags(stdout.toString())
  } catch (error) {
    if (error instanceof ProgramFailure && error.reason !== 'missing') return undefined
    throw error
  }
}

type LongTag = { val?: unknown; num?: unknown }

/** The tags in what `exiftool -json -long -G1` writes. */
export const groupTags = (json: string): TagGroups | undefined => {
  const [record] = parseRecords(json)
  if (record === undefined) return undefined
  const groups = new Map<string, Record<string, Tag>>()
  for (const [key, found] of Object.entries(record)) {
    const [group = '', name = ''] = key.split(':')
    if (name === '' || FOREIGN_GROUPS.has(group) || !isLongTag(found)) continue
    const tags = groups.get(group) ?? {}
    groups.set(group, tags)
    Object.defineProperty(tags, name, {
      value: { value: found.val, raw: found.num ?? found.val },
      enumerable: true,
    })
  }
  return Object.fromEntries(groups)
}

const parseRecords = (json: string): readonly Record<string, unknown>[] => {
  try {
    return JSON.parse(json)
  } catch {
    // Nothing, or cut off: the program died on the file.
    return []
  }
}

const isLongTag = (found: unknown): found is LongTag => typeof found === 'object' && found !== null && 'val' in found
