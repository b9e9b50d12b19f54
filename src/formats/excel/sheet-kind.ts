import type { SheetEntry } from './workbook.ts'

/** What kind of tab a relationship of the workbook leads to. */
export const sheetKindOf = (type: string | undefined): SheetEntry['kind'] => {
  switch (type) {
    case 'chartsheet':
    case 'dialogsheet':
      return type
    case 'xlMacrosheet':
    case 'xlIntlMacrosheet':
      return 'macrosheet'
    default:
      return 'worksheet'
  }
}
