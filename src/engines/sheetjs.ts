import { Script } from 'node:vm'
import type { ParsingOptions, WorkBook } from '@e965/xlsx'
import { JobFailure } from '../core/errors.ts'

export type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx'

/** Reads a workbook of a binary format whole; formats cells only as far as their format codes. */
export const readWorkbookWithSheetJs = async (bytes: Buffer): Promise<WorkBook> =>
  await readQuietly(bytes, {
    dense: true,
    cellFormula: true,
    cellHTML: false,
    cellText: false,
    cellNF: true,
    cellStyles: true,
    bookVBA: true,
  })

/** The tabs of a workbook, without their cells. */
export const listSheetsWithSheetJs = async (bytes: Buffer): Promise<WorkBook> =>
  await readQuietly(bytes, { bookSheets: true })

/** The engine prints a line for each record that it does not know: a file could fill the log with them. */
const readQuietly = async (bytes: Buffer, options: ParsingOptions): Promise<WorkBook> => {
  const { read, set_cptable } = await import('@e965/xlsx')
  // Texts of Excel 95 and before are in code pages. Without the tables such a text is read byte by byte, and one that is
  // cut off by the end of the file without an end.
  set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'))
  const { error, log, warn } = console
  const silence = () => undefined
  Object.assign(console, { error: silence, log: silence, warn: silence })
  try {
    return runWithin(allowanceMs(bytes.length), () => read(bytes, { type: 'buffer', ...options }))
  } finally {
    Object.assign(console, { error, log, warn })
  }
}

/** The stream of a compound file that holds the workbook; undefined where there is none. */
export const findWorkbookStream = async (bytes: Buffer): Promise<Uint8Array | undefined> => {
  const { CFB } = await import('@e965/xlsx')
  const file = CFB.read(bytes, { type: 'buffer' })
  const found = ['/Workbook', '/Book', '/WORKBOOK', '/BOOK'].map((name) => CFB.find(file, name)).find(Boolean)
  return found ? Uint8Array.from(found.content) : undefined
}

const BASE_ALLOWANCE_MS = 4_000
const ALLOWANCE_MS_PER_MEGABYTE = 2_000

/** The engine reads several megabytes a second; a record that is broken on purpose can keep it busy without an end. */
const allowanceMs = (bytes: number): number =>
  BASE_ALLOWANCE_MS + Math.ceil((bytes / 1_048_576) * ALLOWANCE_MS_PER_MEGABYTE)

const WORK = Symbol.for('quarry.sheetjs.work')
const script = new Script(`globalThis[Symbol.for(${JSON.stringify(WORK.description)})]()`)

/** Runs a computation that never gives way, and ends it when its time is over. */
const runWithin = <T>(timeoutMs: number, work: () => T): T => {
  const shared = globalThis as unknown as Record<symbol, unknown>
  shared[WORK] = work
  try {
    return script.runInThisContext({ timeout: timeoutMs }) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new JobFailure('extract.limit_exceeded', { limit: 'readingMs', maximum: timeoutMs }, { cause: error })
  } finally {
    delete shared[WORK]
  }
}
