import { join } from 'node:path'
import type { Context } from '../../core/catalog.ts'
import { createSpool, createSpoolMemory, type Spool } from './spool.ts'
import type { CellSink, Picture, ReadSheet, SheetEntry, SheetExtras, Workbook, WorkbookFacts } from './workbook.ts'

export type LoadedSheet = SheetEntry & {
  spool: Spool
  extras: SheetExtras
  /** The sheet could be read only up to some place. */
  isDamaged: boolean
}

/** A workbook that was read once. */
export type LoadedWorkbook = {
  sheets: readonly LoadedSheet[]
  is1904: boolean
  facts: WorkbookFacts
  media: readonly Picture[]
}

/** Reads all sheets of a workbook, large ones into files of the job, and closes it. */
export const spoolWorkbook = async (workbook: Workbook, context: Context): Promise<LoadedWorkbook> => {
  const spools: Spool[] = []
  const memory = createSpoolMemory()
  const isDetailed = context.selected.has('excel.json')
  let current: ReturnType<typeof createSpool> | undefined
  const finishCurrent = (): void => {
    if (current) spools.push(current.finish())
    current = undefined
  }
  const begin = (): CellSink => {
    finishCurrent()
    current = createSpool(join(context.scratch, `sheet-${spools.length + 1}.rows`), isDetailed, memory)
    return current.sink
  }
  try {
    const read: ReadSheet[] = []
    for await (const sheet of workbook.readSheets(begin, context)) read.push(sheet)
    finishCurrent()
    const sheets = spools.flatMap((spool, index): LoadedSheet[] => {
      const sheet = read[index]
      return sheet ? [{ ...sheet.entry, extras: sheet.extras, spool, isDamaged: sheet.problem !== undefined }] : []
    })
    const problem = read.find((sheet) => sheet.problem)?.problem
    if (problem && sheets.every(({ spool }) => spool.cells === 0)) throw problem
    const { is1904, facts, media } = workbook
    return { sheets, is1904, facts, media }
  } finally {
    current?.abandon()
    workbook.close()
  }
}
