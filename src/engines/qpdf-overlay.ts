import { JobFailure } from '../core/errors.ts'
import type { PdfFile } from './liteparse.ts'
import type { QpdfJob } from './qpdf.ts'
import { ProgramFailure, runProgram } from './run-program.ts'

const TIMEOUT_MS = 600_000
const MESSAGE_BYTES = 65_536
const EXIT_WARNINGS = 3

/** Writes a file anew with the pages of `layer` laid over the given pages, in order, all else as it was, unencrypted. */
export const overlayPages = async (
  file: PdfFile,
  layer: string,
  pageNumbers: readonly number[],
  target: string,
  { signal, scratch }: QpdfJob,
): Promise<void> => {
  const keep = ['--decrypt', '--deterministic-id', '--stream-data=preserve', '--object-streams=preserve']
  const overlay =
    pageNumbers.length > 0
      ? ['--overlay', layer, `--to=${toRanges(pageNumbers)}`, `--from=1-${pageNumbers.length}`, '--']
      : []
  try {
    const { code, stderr } = await runProgram(
      'qpdf',
      [...(file.password ? ['--password-file=-'] : []), ...keep, file.path, ...overlay, target],
      {
        signal,
        timeoutMs: TIMEOUT_MS,
        cwd: scratch,
        maxOutputBytes: MESSAGE_BYTES,
        ...(file.password ? { input: `${file.password}\n` } : {}),
      },
    )
    if (code !== 0 && code !== EXIT_WARNINGS) throw new Error(`qpdf ended with ${code}: ${stderr}`)
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof ProgramFailure || cause instanceof Error)
      throw new JobFailure('extract.engine_failed', {}, { cause })
    throw cause
  }
}

/** `1-3,7`: arguments of a program may not be long. */
const toRanges = (numbers: readonly number[]): string => {
  const ranges: [first: number, last: number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',')
}
