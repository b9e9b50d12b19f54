import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tool } from '../core/catalog.ts'
import type { PdfFile } from './liteparse.ts'
import { ProgramFailure, type ProgramOptions, type ProgramResult, runProgram } from './run-program.ts'

/** The program, as families declare it. */
export const QPDF: Tool = {
  name: 'qpdf',
  command: 'qpdf',
  versionArgs: ['--version'],
  debianPackage: 'qpdf',
  purpose: 'repairs damaged PDF files; reads their structure and attachments',
}

/** What a run of the program needs of the job it works for. */
export type QpdfJob = { signal: AbortSignal; scratch: string }

const TIMEOUT_MS = 50_000
const MESSAGE_BYTES = 65_536
const EXIT_WARNINGS = 3

/** How a run ended: `partial` where damage or a limit kept something back. */
export type QpdfOutcome = 'done' | 'partial' | 'encrypted' | 'failed'

/** Writes a file anew, without encryption, its streams untouched. */
export const rewritePdf = (file: PdfFile, target: string, job: QpdfJob): Promise<QpdfOutcome> =>
  runQpdf(file, ['--decrypt', '--stream-data=preserve', '--object-streams=preserve', file.path, target], job)

const MAX_DUMP_BYTES = 512 * 1_048_576
const MAX_OBJECT_BYTES = 8 * 1_048_576

/**
 * Reads all objects of a file as qpdf's JSON, a piece of text at a time: `"obj:4 0 R": { … }`. The streams' data are
 * left out. What lies beyond the limits is left out too.
 */
export const dumpObjects = (
  file: PdfFile,
  job: QpdfJob,
  onMember: (name: string, body: string) => void,
): Promise<QpdfOutcome> => {
  const splitter = createMemberSplitter(onMember)
  const run = runQpdf(file, ['--json=2', '--json-key=encrypt', '--json-key=qpdf', file.path], job, {
    maxOutputBytes: MAX_DUMP_BYTES,
    onOutput: splitter.write,
  })
  return run.then((outcome) => {
    splitter.end()
    return outcome === 'done' && splitter.hasSkipped() ? 'partial' : outcome
  })
}

/** Writes the data of streams as they are in the file, only decrypted, to `<folder>/data-<object number>`. */
export const dumpStreams = async (
  file: PdfFile,
  objectNumbers: Iterable<number>,
  folder: string,
  job: QpdfJob,
): Promise<QpdfOutcome> => {
  const list = join(folder, 'wanted')
  await writeFile(list, [...objectNumbers].map((number) => `--json-object=${number}\n`).join(''))
  const output = ['--json-stream-data=file', `--json-stream-prefix=${join(folder, 'data')}`, '--decode-level=none']
  return await runQpdf(file, ['--json=2', '--json-key=qpdf', ...output, `@${list}`, file.path], job, {
    maxOutputBytes: MAX_DUMP_BYTES,
    onOutput: () => {},
  })
}

/** The password goes in through standard input: arguments can be read by other processes. */
const runQpdf = async (
  { password }: PdfFile,
  args: readonly string[],
  { signal, scratch }: QpdfJob,
  more: Partial<ProgramOptions> = {},
): Promise<QpdfOutcome> => {
  try {
    return judge(
      await runProgram(QPDF.command, password ? ['--password-file=-', ...args] : args, {
        signal,
        timeoutMs: TIMEOUT_MS,
        cwd: scratch,
        maxOutputBytes: MESSAGE_BYTES,
        ...(password ? { input: `${password}\n` } : {}),
        ...more,
      }),
    )
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error
    return error.reason === 'missing' ? 'failed' : 'partial'
  }
}

const judge = ({ code, stderr }: ProgramResult): QpdfOutcome => {
  if (code === 0 || code === EXIT_WARNINGS) return 'done'
  return /invalid password/i.test(stderr) ? 'encrypted' : 'failed'
}

/** qpdf indents by two: only members at this depth begin a line so, as no string holds a line break. */
const MEMBER_START = Buffer.from('\n      "')

/** Cuts the indented JSON into the members of its third level, without parsing it. */
const createMemberSplitter = (onMember: (name: string, body: string) => void) => {
  /** What came so far of the member that is being read. */
  let held: Buffer[] = []
  let heldBytes = 0
  let skipped = false
  let rest: Buffer = Buffer.alloc(0)
  const hold = (piece: Buffer): void => {
    heldBytes += piece.length
    if (heldBytes <= MAX_OBJECT_BYTES) held.push(piece)
  }
  const finish = (last: Buffer): void => {
    hold(last)
    const isWhole = heldBytes <= MAX_OBJECT_BYTES
    const member = held.length === 1 ? last : Buffer.concat(held)
    held = []
    heldBytes = 0
    if (!isWhole) skipped = true
    else if (member.indexOf(MEMBER_START) === 0) {
      const nameEnd = member.indexOf('": ', MEMBER_START.length)
      if (nameEnd > 0)
        onMember(member.toString('utf8', MEMBER_START.length, nameEnd), member.toString('utf8', nameEnd + 3))
    }
  }
  return {
    write(chunk: Buffer): void {
      const text = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      let from = 0
      for (let at = text.indexOf(MEMBER_START); at >= 0; at = text.indexOf(MEMBER_START, at + 1)) {
        if (at > from || held.length > 0) finish(text.subarray(from, at))
        from = at
      }
      // A start may be cut in two by the chunks.
      const safe = Math.max(from, text.length - MEMBER_START.length)
      hold(text.subarray(from, safe))
      rest = Buffer.from(text.subarray(safe))
    },
    end: (): void => finish(rest),
    hasSkipped: () => skipped,
  }
}
