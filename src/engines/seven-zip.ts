import type { Readable } from 'node:stream'
import type { Tool } from '../core/catalog.ts'
import { isInstalled } from './find-program.ts'
import { ProgramFailure } from './run-program.ts'
import { streamProgram } from './stream-program.ts'

/** The program, as families declare it. */
export const SEVEN_ZIP: Tool = {
  name: '7z',
  command: '7z',
  versionArgs: ['i'],
  debianPackage: 'p7zip-full',
  purpose: 'reads 7z, ISO and CAB archives, bzip2 and xz, and encrypted or damaged ZIP archives',
}

/** Kinds of archive as the program calls them: told, it tries no other. */
export type SevenZipKind = '7z' | 'zip' | 'iso' | 'udf' | 'cab'
export type StreamKind = 'bzip2' | 'xz' | 'lzma' | 'z'

export type SevenZipFile = { path: string; kind: SevenZipKind; password: string }
export type SevenZipJob = { signal: AbortSignal; scratch: string }

/** What the program says about the archive or one of its members, by its own names: `Path`, `Size`, `CRC`. */
export type SevenZipRecord = ReadonlyMap<string, string>

/** How a run ended. `damaged` may have given something before. */
export type SevenZipOutcome = 'done' | 'damaged' | 'encrypted' | 'memory'

/** Memory of the program: enough for every dictionary that it makes unasked. */
export const SEVEN_ZIP_MEMORY_BYTES = 400 * 1_048_576
const EXIT_MEMORY = 8
const EXIT_BREAK = 255

/** Lists an archive: the archive's own record first, then one for each member, each as it comes. */
export const listArchive = async (
  file: SevenZipFile,
  job: SevenZipJob,
  onRecord: (record: SevenZipRecord, isMember: boolean) => void,
): Promise<SevenZipOutcome> => {
  const reader = createRecordReader(onRecord)
  const { output, outcome } = run(['l', '-slt', '-sccUTF-8', ...named(file)], `${file.password}\n`, job)
  for await (const chunk of output) reader.write(chunk)
  reader.end()
  return outcome()
}

/** The content of every member that is a file or a link, one after the other without a gap, in the order of the listing. */
export const streamContents = (file: SevenZipFile, job: SevenZipJob): SevenZipStream =>
  run([...EXTRACT, ...named(file)], `${file.password}\n`, job)

/** What a stream that is only compressed holds. */
export const unpackStream = (kind: StreamKind, packed: Readable, job: SevenZipJob): SevenZipStream =>
  run([...EXTRACT, '-si', `-t${kind}`], packed, job)

const EXTRACT = ['x', '-so', '-bd', '-mmt=1']
const named = ({ kind, path }: SevenZipFile): string[] => [`-t${kind}`, '--', path]

/** Content as it comes, and how the run ended once all of it has come. */
export type SevenZipStream = { output: AsyncGenerator<Buffer>; outcome: () => SevenZipOutcome }

/** A password is read from the input where one is asked for: arguments can be read by other processes. */
const run = (args: readonly string[], input: string | Readable, { signal, scratch }: SevenZipJob): SevenZipStream => {
  if (!isInstalled(SEVEN_ZIP)) throw new ProgramFailure(SEVEN_ZIP.name, 'missing', '')
  let outcome: SevenZipOutcome = 'damaged'
  const output = streamProgram(SEVEN_ZIP.command, args, {
    signal,
    cwd: scratch,
    maxMemoryBytes: SEVEN_ZIP_MEMORY_BYTES,
    // Times are printed in the local zone.
    env: { TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    input,
    onEnd: (end) => {
      outcome = judge(end)
    },
  })
  return { output, outcome: () => outcome }
}

const judge = ({ code, stderr }: { code: number; stderr: string }): SevenZipOutcome => {
  // Something was appended; other readers pass over it too.
  if (code === 0 || /^ERROR: There are some data after the end of the payload data[^\n]*$/.test(stderr)) return 'done'
  if (code === EXIT_MEMORY || /can't allocate/i.test(stderr)) return 'memory'
  if (code === EXIT_BREAK || /wrong password|encrypted archive/i.test(stderr)) return 'encrypted'
  return 'damaged'
}

/** Longest line that is kept; of a longer one the beginning. */
const MAX_LINE_BYTES = 65_536

/** Cuts the listing into records: lines of `Name = value`, a blank line after each record. */
export const createRecordReader = (onRecord: (record: SevenZipRecord, isMember: boolean) => void) => {
  let rest: Buffer = Buffer.alloc(0)
  let record = new Map<string, string>()
  let section: 'preface' | 'archive' | 'members' = 'preface'
  /** The name whose value goes on over lines, between braces. */
  let block: { name: string; lines: string[] } | undefined

  const finish = (): void => {
    if (section !== 'preface' && record.has('Path')) onRecord(record, section === 'members')
    record = new Map()
  }
  const takeLine = (line: string): void => {
    if (block) {
      if (line !== '}') {
        block.lines.push(line)
        return
      }
      record.set(block.name, block.lines.join('\n'))
      block = undefined
    } else if (section !== 'members' && line === '--') {
      section = 'archive'
    } else if (section === 'archive' && line === '----------') {
      finish()
      section = 'members'
    } else if (line === '') {
      if (section === 'members') finish()
    } else if (line === '{' && record.size > 0) {
      block = { name: [...record.keys()].at(-1) ?? '', lines: [] }
    } else {
      const cut = line.indexOf(' =')
      if (cut > 0) record.set(line.slice(0, cut), line.slice(cut + 3))
    }
  }
  return {
    write(chunk: Buffer): void {
      const text = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      let from = 0
      for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, from)) {
        takeLine(text.toString('utf8', from, Math.min(at, from + MAX_LINE_BYTES)))
        from = at + 1
      }
      rest = Buffer.from(text.subarray(from).subarray(0, MAX_LINE_BYTES))
    },
    end: finish,
  }
}
