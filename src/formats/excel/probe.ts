import type { Context, Source } from '../../core/catalog.ts'
import { detectKind } from './load-workbook.ts'
import { asXlsx } from './numbers/as-xlsx.ts'
import { unlockWorkbook } from './unlock.ts'

/**
 * Counts the sheets that are billed: worksheets, hidden ones too, for they are read like the others. Tabs that are a
 * chart, a dialog or macros are not counted.
 */
export const countSheets = async (given: Source, context: Context, password: string): Promise<number> => {
  const source = await unlockWorkbook(given, context, password)
  switch (await detectKind(source)) {
    case 'xlsx': {
      const { listXlsxSheets } = await import('./xlsx/open-xlsx.ts')
      return (await listXlsxSheets(source)).filter(({ kind }) => kind === 'worksheet').length
    }
    case 'numbers': {
      const { listXlsxSheets } = await import('./xlsx/open-xlsx.ts')
      return (await listXlsxSheets(await asXlsx(source, context))).length
    }
    case 'ods':
      return await (await import('./ods/open-ods.ts')).countOdsSheets(source, context)
    default: {
      const { listLegacySheets } = await import('./legacy/open-legacy.ts')
      return (await listLegacySheets(source)).filter((kind) => kind === 'worksheet').length
    }
  }
}
