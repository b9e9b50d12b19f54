import type { ParsingOptions, WorkBook } from '@e965/xlsx'

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
    return read(bytes, { type: 'buffer', ...options })
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
