import { open } from 'node:fs/promises'
import type { Context, Source } from '../../core/catalog.ts'
import { perSource } from '../shared/per-source.ts'
import { asXlsx, isNumbers, withoutConverter } from './numbers/as-xlsx.ts'
import { type LoadedWorkbook, spoolWorkbook } from './spool-workbook.ts'
import { unlockWorkbook } from './unlock.ts'

export type { LoadedSheet, LoadedWorkbook } from './spool-workbook.ts'

/** The share of a capability's progress that the reading of the file takes. */
export const LOADED_SHARE = 0.5

/** Reads the file once for all capabilities of a job. The key is the password. */
export const loadWorkbook = perSource(async (given: Source, context: Context, password): Promise<LoadedWorkbook> => {
  const source = await unlockWorkbook(given, context, password)
  const inner = { ...context, progress: (share: number) => context.progress(LOADED_SHARE * Math.min(1, share)) }
  switch (await detectKind(source)) {
    case 'xlsx': {
      const { openXlsx } = await import('./xlsx/open-xlsx.ts')
      return await spoolWorkbook(await openXlsx(source, inner), inner)
    }
    case 'numbers': {
      const { openXlsx } = await import('./xlsx/open-xlsx.ts')
      const workbook = await openXlsx(await asXlsx(source, context), inner)
      return await spoolWorkbook(withoutConverter(workbook), inner)
    }
    case 'ods': {
      const { openOds } = await import('./ods/open-ods.ts')
      return await spoolWorkbook(await openOds(source), inner)
    }
    default: {
      const { openLegacy } = await import('./legacy/open-legacy.ts')
      return await spoolWorkbook(await openLegacy(source, inner), inner)
    }
  }
})

/** What kind of workbook the bytes are; the extension is only a hint, and often a wrong one. */
export type WorkbookKind = 'xlsx' | 'xlsb' | 'ods' | 'numbers' | 'legacy'

const ZIP = Buffer.from('504b', 'hex')

/** Looks at the file itself. */
export const detectKind = async (source: Source): Promise<WorkbookKind> => {
  const handle = await open(source.path, 'r')
  const head = Buffer.alloc(2)
  try {
    await handle.read(head, 0, 2, 0)
  } finally {
    await handle.close()
  }
  if (!head.equals(ZIP)) return source.extension === 'xls' || isCompound(head) ? 'legacy' : kindByExtension(source)
  const { openArchive } = await import('../shared/zip/open-archive.ts')
  const archive = await openArchive(source.path)
  try {
    if (archive.find('content.xml')) return 'ods'
    if (isNumbers(archive)) return 'numbers'
    return archive.find('xl/workbook.bin') ? 'xlsb' : 'xlsx'
  } finally {
    archive.close()
  }
}

const isCompound = (head: Buffer): boolean => head[0] === 0xd0 && head[1] === 0xcf

const kindByExtension = ({ extension }: Source): WorkbookKind =>
  extension === 'ods' || extension === 'ots' ? 'ods' : extension === 'xlsb' ? 'xlsb' : 'xlsx'

/** Says what is missing from the result because the file is damaged or goes beyond what a sheet may be. */
export const warnDamage = (context: Context, { sheets }: LoadedWorkbook): void => {
  for (const { name, isDamaged, spool } of sheets) {
    if (isDamaged) context.warn('excel.sheet_damaged', `Sheet "${name}" is damaged; what comes before is there.`)
    if (spool.isTruncated) {
      context.warn(
        'excel.cells_cut',
        `Sheet "${name}" has cells where no sheet has any, too many repeated ones, or too long ones; they are cut off.`,
      )
    }
  }
}
