import type { Context, OptionSpecs, Source } from '../../core/catalog.ts'
import { decodeText } from '../shared/decode.ts'
import { type EncodingReport, findEncoding } from '../shared/encoding.ts'
import { perSource } from '../shared/per-source.ts'
import type { Span } from '../shared/read-chunks.ts'
import { type ColumnSurvey, ColumnTracker } from './column-types.ts'
import { DelimitedReader, type Dialect } from './delimited-reader.ts'
import { readSample, sniffDialect } from './dialect.ts'
import { nameColumns, splitHead } from './header.ts'

/** Extensions that are rows of cells. */
export const DELIMITED_EXTENSIONS = ['csv', 'tsv', 'tab', 'psv']
export const isDelimited = (source: Source): boolean => DELIMITED_EXTENSIONS.includes(source.extension)

const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', pipe: '|', colon: ':', space: ' ' } as const

/** Options by which a client overrides what is found out about a delimited file. */
export const delimitedOptions = {
  delimiter: {
    type: 'enum',
    allowedValues: ['auto', 'comma', 'semicolon', 'tab', 'pipe', 'colon', 'space'],
    defaultValue: 'auto',
    detail: 'Delimited files: what stands between the cells.',
  },
  header: {
    type: 'enum',
    allowedValues: ['auto', 'yes', 'no'],
    defaultValue: 'auto',
    detail: 'Delimited files: whether the first row names the columns.',
  },
} as const satisfies OptionSpecs
export type DelimitedOptions = {
  encoding: string
  delimiter: 'auto' | keyof typeof DELIMITERS
  header: 'auto' | 'yes' | 'no'
}

/** What is known about a delimited file from its first lines. */
export type DelimitedFile = {
  encoding: EncodingReport
  dialect: Dialect
  /** Lines before the table: titles, comments. */
  preamble: string[]
  /** Names of the columns as they stand in the file; undefined where no row names them. */
  header?: string[]
  /** A first line `sep=;`, which spreadsheets write for themselves. */
  hasSeparatorLine: boolean
}

const SAMPLE_CHARACTERS = 131_072
const SEPARATOR_LINE = /^"?sep=([^\w"'\r\n])"?\r?(?:\n|$)/i

/** Opens a delimited file: encoding, dialect, header. */
export const openDelimited = (source: Source, context: Context, options: DelimitedOptions): Promise<DelimitedFile> =>
  loadDelimited(source, context, keyOf(options))

const keyOf = ({ encoding, delimiter, header }: DelimitedOptions) => JSON.stringify([encoding, delimiter, header])

const loadDelimited = perSource(async (source, context, key): Promise<DelimitedFile> => {
  const [encodingName, delimiter, header] = JSON.parse(key) as [
    string,
    DelimitedOptions['delimiter'],
    'auto' | 'yes' | 'no',
  ]
  const encoding = await findEncoding(source, context, encodingName)
  let sample = ''
  for await (const piece of decodeText(source, context, encoding, [0.2, 0.2])) {
    sample += piece
    if (sample.length >= SAMPLE_CHARACTERS) break
  }
  const separator = SEPARATOR_LINE.exec(sample)
  const forced = delimiter === 'auto' ? separator?.[1] : DELIMITERS[delimiter]
  const body = wholeLines(separator ? sample.slice(separator[0].length) : sample)
  const dialect = sniffDialect(body, source.extension, forced)
  const head = splitHead(readSample(body, dialect), header)
  return { encoding, dialect, hasSeparatorLine: separator !== null, ...head }
})

const wholeLines = (sample: string): string => {
  if (sample.length < SAMPLE_CHARACTERS) return sample
  const cut = sample.slice(0, SAMPLE_CHARACTERS)
  return cut.slice(0, Math.max(cut.lastIndexOf('\n'), cut.lastIndexOf('\r')) + 1) || cut
}

/** Rows of data, many at a time, without preamble and header. */
export async function* readRows(
  source: Source,
  context: Context,
  file: DelimitedFile,
  span: Span,
): AsyncGenerator<string[][]> {
  const reader = new DelimitedReader(file.dialect)
  let leftOut = file.preamble.length + (file.header ? 1 : 0)
  let isFirst = true
  const withoutHead = (rows: string[][]): string[][] => {
    if (leftOut === 0) return rows
    const skipped = Math.min(leftOut, rows.length)
    leftOut -= skipped
    return rows.slice(skipped)
  }
  for await (const piece of decodeText(source, context, file.encoding, span)) {
    const text = isFirst && file.hasSeparatorLine ? piece.replace(SEPARATOR_LINE, '') : piece
    isFirst = false
    const rows = withoutHead(reader.write(text))
    if (rows.length > 0) yield rows
  }
  const rows = withoutHead(reader.end())
  if (rows.length > 0) yield rows
}

/** What a whole delimited file holds. */
export type DelimitedSurvey = {
  file: DelimitedFile
  rows: number
  /** Rows with more or fewer cells than the widest or the header. */
  raggedRows: number
  /** Unique, never empty: what the columns are called in JSON. */
  names: string[]
  columns: ColumnSurvey[]
}

/** Reads a delimited file once to the end; every output that needs the width or the types shares it. */
export const surveyDelimited = (
  source: Source,
  context: Context,
  options: DelimitedOptions,
): Promise<DelimitedSurvey> => loadSurvey(source, context, keyOf(options))

const loadSurvey = perSource(async (source, context, key): Promise<DelimitedSurvey> => {
  const file = await loadDelimited(source, context, key)
  const trackers: ColumnTracker[] = file.header?.map(() => new ColumnTracker()) ?? []
  const widths = new Map<number, number>()
  let rows = 0
  for await (const batch of readRows(source, context, file, [0.2, 0.5])) {
    for (const row of batch) {
      widths.set(row.length, (widths.get(row.length) ?? 0) + 1)
      while (trackers.length < row.length) trackers.push(new ColumnTracker())
      for (let i = 0; i < row.length; i++) trackers[i]?.add(row[i] as string)
    }
    rows += batch.length
  }
  const columns = trackers.map((tracker) => tracker.finish(rows))
  const raggedRows = rows - (widths.get(columns.length) ?? 0)
  return { file, rows, raggedRows, names: nameColumns(file.header ?? [], columns.length), columns }
})
