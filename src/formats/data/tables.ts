import { type Context, defineCapability, type Source } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { encodingOption } from '../shared/encoding.ts'
import { type DelimitedOptions, delimitedOptions, isDelimited, readRows, surveyDelimited } from './delimited.ts'
import { headOf, rowOf, type TableShape } from './flat-records.ts'
import { readRecords } from './json-text.ts'
import { Malformed, warnMalformed } from './malformed.ts'
import { findRecords, warnBadLines } from './records.ts'
import type { Tree } from './tree.ts'

/** The rows or alike records as one plain dialect of CSV, whatever the source is. */
export const tables = defineCapability({
  id: 'data.tables',
  output: 'tables',
  defaultSelected: false,
  detail: 'CSV by RFC 4180 in UTF-8: delimited files in one dialect, lists of alike records as rows.',
  options: { encoding: encodingOption, ...delimitedOptions },
  async *extract(source, options, context) {
    const data = await writeCsv(source, options, context)
    if (data) yield { path: artifactPath(source, 'tables', 'csv'), mediaType: 'text/csv; charset=utf-8', data }
  },
})

const writeLine = (cells: readonly string[], columns = cells.length): string => {
  let line = ''
  for (let i = 0; i < columns; i++) line += i === 0 ? quoteCell(cells[i] ?? '') : `,${quoteCell(cells[i] ?? '')}`
  return `${line}\r\n`
}

const quoteCell = (cell: string): string =>
  /[",\r\n]/.test(cell) || cell.charCodeAt(0) <= 32 || cell.charCodeAt(cell.length - 1) <= 32
    ? `"${cell.replaceAll('"', '""')}"`
    : cell

const writeCsv = async (
  source: Source,
  options: DelimitedOptions,
  context: Context,
): Promise<AsyncIterable<string> | undefined> => {
  if (isDelimited(source)) return await rewriteRows(source, options, context)
  if (source.extension === 'xml') return await writeElements(source, options, context)
  const found = await findRecords(source, context, options.encoding)
  if (found instanceof Malformed) {
    warnMalformed(context, found)
    return undefined
  }
  if (!found.shape) return warnNoTable(context)
  warnBadLines(context, found)
  const records = readRecords(source, context, options.encoding, [0.6, 1])
  return writeRecords(records, found.shape)
}

const warnNoTable = (context: Context): undefined => {
  context.warn('data.no_table', 'The data are no list of alike records, so they make no table.')
  return undefined
}

const rewriteRows = async (
  source: Source,
  options: DelimitedOptions,
  context: Context,
): Promise<AsyncIterable<string> | undefined> => {
  const { file, columns } = await surveyDelimited(source, context, options)
  if (columns.length === 0) {
    context.warn('data.no_rows', 'The file holds no rows.')
    return undefined
  }
  return (async function* () {
    if (file.header) yield writeLine(file.header, columns.length)
    for await (const batch of readRows(source, context, file, [0.5, 1])) {
      let out = ''
      for (const row of batch) out += writeLine(row, columns.length)
      yield out
    }
  })()
}

async function* writeRecords(batches: AsyncIterable<Tree[]>, shape: TableShape): AsyncGenerator<string> {
  if (shape.kind === 'records') yield writeLine(headOf(shape))
  for await (const batch of batches) yield batch.map((record) => writeLine(rowOf(record, shape))).join('')
}

const writeElements = async (
  source: Source,
  options: DelimitedOptions,
  context: Context,
): Promise<AsyncIterable<string> | undefined> => {
  const { surveyXml } = await import('./xml-survey.ts')
  const survey = await surveyXml(source, context, options.encoding)
  if (survey instanceof Malformed) {
    warnMalformed(context, survey)
    return undefined
  }
  if (survey.kind !== 'records') return warnNoTable(context)
  const { findXmlRecords, readOutlineRecords } = await import('./xml-outline.ts')
  const { shape } = await findXmlRecords(source, context, options.encoding)
  return shape
    ? writeRecords(readOutlineRecords(source, context, options.encoding, [0.8, 1]), shape)
    : warnNoTable(context)
}
