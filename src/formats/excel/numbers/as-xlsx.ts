import type { Context, Source } from '../../../core/catalog.ts'
import { convertSource } from '../../shared/legacy/convert-source.ts'
import { perSource } from '../../shared/per-source.ts'
import type { Archive } from '../../shared/zip/open-archive.ts'
import type { Workbook } from '../workbook.ts'

/** Whether an archive is a spreadsheet of Apple's Numbers, of any age. */
export const isNumbers = (archive: Archive): boolean =>
  !archive.find('[Content_Types].xml') &&
  archive.entries.some(({ name }) => /(?:^|\/)(?:index\.xml(?:\.gz)?|Index\.zip|Index\/Document\.iwa)$/.test(name))

/** What LibreOffice made of a Numbers file, once a job: each of its tables is a sheet. */
export const asXlsx = perSource(
  async (source: Source, context: Context): Promise<Source> =>
    await convertSource(source, { kind: 'sheets', importFilter: 'Apple Numbers' }, '', context),
)

const OF_CONVERTER = new Set(['application', 'applicationVersion', 'editingMinutes', 'revision', 'language'])

/** Leaves out what the converter says of itself. */
export const withoutConverter = (workbook: Workbook): Workbook => {
  const properties = Object.entries(workbook.facts.properties).filter(([name]) => !OF_CONVERTER.has(name))
  return { ...workbook, facts: { ...workbook.facts, properties: Object.fromEntries(properties), isProtected: false } }
}
