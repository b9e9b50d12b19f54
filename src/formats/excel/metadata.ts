import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { passwordOption } from '../shared/password-option.ts'
import { rangeName } from './cell-reference.ts'
import { type LoadedSheet, loadWorkbook, warnDamage } from './load-workbook.ts'

/** What the workbook says of itself, and what is in each of its sheets. */
export const metadata = defineCapability({
  id: 'excel.metadata',
  output: 'metadata',
  defaultSelected: true,
  detail:
    'JSON: document properties; sheets with size, visibility and contents; defined names, tables, links to other files, macros, protection.',
  options: { password: passwordOption },
  async *extract(source, { password }, context) {
    const workbook = await loadWorkbook(source, context, password)
    warnDamage(context, workbook)
    const { facts, sheets, is1904, media } = workbook
    yield {
      path: artifactPath(source, 'metadata', 'json'),
      mediaType: 'application/json',
      data: writeJsonFile({
        format: source.extension,
        bytes: source.bytes,
        properties: facts.properties,
        dateSystem: is1904 ? 1904 : 1900,
        hasMacros: facts.hasMacros,
        isProtected: facts.isProtected,
        externalLinks: facts.externalLinks,
        connections: facts.connections,
        definedNames: facts.definedNames,
        pictures: media.length,
        sheetCount: sheets.length,
        sheets: sheets.map(describeSheet),
      }),
    }
  },
})

const describeSheet = ({ name, kind, visibility, spool, extras, isDamaged }: LoadedSheet) => ({
  name,
  kind,
  visibility,
  usedRange: spool.used ? rangeName(spool.used) : null,
  rows: spool.used ? spool.used.bottom - spool.used.top + 1 : 0,
  columns: spool.used ? spool.used.right - spool.used.left + 1 : 0,
  cells: spool.shownCells,
  formulas: spool.formulas,
  hiddenRows: spool.hiddenRows,
  hiddenColumns: extras.hiddenColumns.reduce((sum, { first, last }) => sum + last - first + 1, 0),
  mergedRanges: extras.merges.length,
  comments: extras.comments.length,
  hyperlinks: extras.hyperlinks.length,
  pictures: extras.pictures.length,
  charts: extras.charts.length,
  ...(extras.tables.length > 0
    ? { tables: extras.tables.map(({ range, ...table }) => ({ range: rangeName(range), ...table })) }
    : {}),
  ...(extras.pivotTables.length > 0
    ? {
        pivotTables: extras.pivotTables.map(({ name: pivot, range }) => ({
          name: pivot,
          range: range && rangeName(range),
        })),
      }
    : {}),
  ...(extras.autoFilter ? { autoFilter: rangeName(extras.autoFilter) } : {}),
  ...(extras.frozen ? { frozen: extras.frozen } : {}),
  ...(extras.isRightToLeft ? { rightToLeft: true } : {}),
  ...(extras.isProtected ? { protected: true } : {}),
  ...(extras.dataValidations > 0 ? { dataValidations: extras.dataValidations } : {}),
  ...(extras.conditionalFormats > 0 ? { conditionalFormats: extras.conditionalFormats } : {}),
  ...(extras.header ? { header: extras.header } : {}),
  ...(extras.footer ? { footer: extras.footer } : {}),
  ...(isDamaged ? { damaged: true } : {}),
})
