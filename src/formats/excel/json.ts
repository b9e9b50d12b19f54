import { type Context, defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { passwordOption } from '../shared/password-option.ts'
import { cellName, columnName, rangeName } from './cell-reference.ts'
import { nameImages } from './image-names.ts'
import { LOADED_SHARE, type LoadedSheet, type LoadedWorkbook, loadWorkbook, warnDamage } from './load-workbook.ts'
import { readMoment, writeIsoMoment } from './number-format/format-date.ts'
import { readDetails, readSpool, type SpooledCell, type SpooledRow } from './spool.ts'
import { spreadProgress } from './spread-progress.ts'

/** Every cell with its type, value, shown text, formula and format, and all that a sheet holds besides. */
export const json = defineCapability({
  id: 'excel.json',
  output: 'json',
  defaultSelected: false,
  detail:
    'JSON of all sheets, hidden ones too: typed cells with text, formula and number format; merged ranges, comments, links, tables, charts.',
  options: {
    password: passwordOption,
    formulas: { type: 'boolean', defaultValue: true, detail: 'Write the formula of each cell that has one.' },
    formats: { type: 'boolean', defaultValue: true, detail: 'Write the number format of each cell that has one.' },
  },
  async *extract(source, options, context) {
    const workbook = await loadWorkbook(source, context, options.password)
    warnDamage(context, workbook)
    yield {
      path: artifactPath(source, 'json', 'json'),
      mediaType: 'application/json',
      data: writeWorkbook(workbook, source.extension, options, context),
    }
  },
})

type JsonOptions = { formulas: boolean; formats: boolean }

async function* writeWorkbook(
  workbook: LoadedWorkbook,
  format: string,
  options: JsonOptions,
  context: Context,
): AsyncGenerator<string> {
  const share = spreadProgress(context, LOADED_SHARE, workbook.sheets.length)
  const images = nameImages(workbook)
  const dateSystem = workbook.is1904 ? 1904 : 1900
  yield `{"format":${JSON.stringify(format)},"dateSystem":${dateSystem},"sheets":[`
  for (const [index, sheet] of workbook.sheets.entries()) {
    const facts = { ...describeSheet(sheet), images: (images.get(sheet.name) ?? []).map(describeImage) }
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(facts).slice(0, -1)},"rows":[`
    let isFirst = true
    for await (const batch of readSpool(sheet.spool, context, share(index))) {
      let out = ''
      for (const row of batch) {
        out += `${isFirst ? '\n' : ',\n'}${writeRow(row, options, workbook.is1904)}`
        isFirst = false
      }
      yield out
    }
    yield isFirst ? ']}' : '\n]}'
  }
  yield '\n]}\n'
}

const describeImage = ({
  path,
  picture,
  alt,
}: ReturnType<typeof nameImages> extends Map<string, (infer P)[]> ? P : never) => ({
  path,
  ...(picture.range ? { range: rangeName(picture.range) } : {}),
  ...(alt ? { alt } : {}),
})

const describeSheet = ({ name, kind, visibility, spool, extras }: LoadedSheet) => ({
  name,
  kind,
  visibility,
  usedRange: spool.used ? rangeName(spool.used) : null,
  merged: extras.merges.map(rangeName),
  hiddenColumns: extras.hiddenColumns.map(({ first, last }) => `${columnName(first)}:${columnName(last)}`),
  comments: extras.comments.map(({ row, column, author, text }) => ({ ref: cellName(row, column), author, text })),
  hyperlinks: extras.hyperlinks.map(({ range, ...link }) => ({ range: rangeName(range), ...link })),
  tables: extras.tables.map(({ range, ...table }) => ({ range: rangeName(range), ...table })),
  charts: extras.charts.map(({ range, ...chart }) => ({ ...(range ? { range: rangeName(range) } : {}), ...chart })),
  shapes: extras.shapes.map(({ range, text }) => ({ ...(range ? { range: rangeName(range) } : {}), text })),
})

const writeRow = ({ index, isHidden, cells }: SpooledRow, options: JsonOptions, is1904: boolean): string => {
  let out = `{"row":${index + 1},${isHidden ? '"hidden":true,' : ''}"cells":[`
  for (const [i, cell] of cells.entries()) out += `${i === 0 ? '' : ','}${writeCell(index, cell, options, is1904)}`
  return `${out}]}`
}

const writeCell = (row: number, cell: SpooledCell, { formulas, formats }: JsonOptions, is1904: boolean): string => {
  const { shown } = cell
  const { kind, value, formula, format } = readDetails(cell.details)
  let out = `{"ref":"${cellName(row, cell.column)}","type":"${kind}","value":`
  switch (kind) {
    case 'text':
    case 'error':
      out += JSON.stringify(value || shown)
      break
    case 'boolean':
      out += value === 'true' ? 'true' : 'false'
      break
    case 'number':
      out += writeNumber(value || shown)
      break
    case 'date':
      out += writeNumber(value)
      if (!isElapsed(format)) out += writeDate(Number(value), is1904)
  }
  if (value !== '') out += `,"text":${JSON.stringify(shown)}`
  if (formulas && formula !== '') out += `,"formula":${JSON.stringify(formula)}`
  if (formats && format !== '') out += `,"format":${JSON.stringify(format)}`
  return `${out}}`
}

const writeNumber = (text: string): string => {
  const value = Number(text)
  return Number.isFinite(value) ? String(value) : JSON.stringify(text)
}

/** A number of hours is no point in time. */
const isElapsed = (format: string): boolean => /\[(?:h+|m+|s+)\]/i.test(format)

const writeDate = (serial: number, is1904: boolean): string => {
  const moment = readMoment(serial, is1904)
  return moment ? `,"date":"${writeIsoMoment(moment)}"` : ''
}
