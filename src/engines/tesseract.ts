import { JobFailure } from '../core/errors.ts'
import type { OcrPage } from './ocr-page.ts'
import { ProgramFailure, type ProgramResult, runProgram } from './run-program.ts'
import { parseHocr } from './tesseract-hocr.ts'

/** What a run needs of the job it works for. */
export type TesseractJob = { signal: AbortSignal; scratch: string }

export type TesseractRequest = {
  /** An image that leptonica reads: png, pnm, tiff. */
  path: string
  languages: readonly string[]
  /** Guessed from the type where it is not known. */
  dpi?: number
}

/** Segmentation mode: finds columns, and text that is turned by quarters. */
const COLUMNS_AND_ORIENTATION = '1'
/** Segmentation mode: looks at the letters only. */
const SCRIPT_ONLY = '0'
const PAGE_TIMEOUT_MS = 120_000
const SCRIPT_TIMEOUT_MS = 30_000
/** A page packed with words writes some 2 MB. */
const MAX_OUTPUT_BYTES = 64 * 1_048_576

/** Reads an image, in a process of its own. */
export const readWithTesseract = async (
  { path, languages, dpi }: TesseractRequest,
  job: TesseractJob,
): Promise<OcrPage> => {
  const args = ['--psm', COLUMNS_AND_ORIENTATION, '-l', languages.join('+')]
  const resolution = dpi ? ['--dpi', String(Math.round(dpi))] : []
  const { code, stdout, stderr } = await run([path, 'stdout', ...args, ...resolution, 'hocr'], PAGE_TIMEOUT_MS, job)
  if (code !== 0) throw new JobFailure('extract.engine_failed', {}, { cause: new Error(`tesseract: ${stderr}`) })
  return parseHocr(stdout.toString('utf8'))
}

/** What the letters of an image look like, by Tesseract's names. The confidence has no end; below 1 it says little. */
export type FoundScript = { script: string; confidence: number }

/** Finds the script of an image; undefined where it shows too few letters. */
export const detectScript = async (path: string, job: TesseractJob): Promise<FoundScript | undefined> => {
  const { code, stdout } = await run([path, 'stdout', '--psm', SCRIPT_ONLY, '-l', 'osd'], SCRIPT_TIMEOUT_MS, job)
  const report = stdout.toString('utf8')
  const script = /^Script: (\S+)/m.exec(report)?.[1]
  if (code !== 0 || !script) return undefined
  return { script, confidence: Number(/^Script confidence: ([\d.]+)/m.exec(report)?.[1] ?? 0) }
}

const run = async (
  args: readonly string[],
  timeoutMs: number,
  { signal, scratch }: TesseractJob,
): Promise<ProgramResult> => {
  try {
    return await runProgram('tesseract', args, {
      signal,
      timeoutMs,
      cwd: scratch,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      // With more threads than one a page takes hundreds of times as long where cores are busy.
      env: { OMP_THREAD_LIMIT: '1' },
    })
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error
    throw new JobFailure('extract.engine_failed', {}, { cause: error })
  }
}
