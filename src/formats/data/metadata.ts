import { type Context, defineCapability, type Source } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { decodeText, readLines } from '../shared/decode.ts'
import { type EncodingReport, encodingOption, findEncoding } from '../shared/encoding.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { type DelimitedOptions, delimitedOptions, isDelimited, surveyDelimited } from './delimited.ts'
import { isLineDelimited, MAX_LINE_CHARACTERS, scanLine, surveyJson } from './json-text.ts'
import { Malformed, warnMalformed } from './malformed.ts'

/** Encoding, dialect and columns of rows; shape and size of trees. */
export const metadata = defineCapability({
  id: 'data.metadata',
  output: 'metadata',
  defaultSelected: true,
  detail:
    'JSON: encoding; dialect, rows and typed columns of delimited files; root, depth and counts of structured ones.',
  options: { encoding: encodingOption, ...delimitedOptions },
  async *extract(source, options, context) {
    const { name, foundBy, confidence, byteOrderMark, damaged } = await findEncoding(source, context, options.encoding)
    const encoding = { name, foundBy, confidence, byteOrderMark, ...(damaged ? { damaged } : {}) }
    yield {
      path: artifactPath(source, 'metadata', 'json'),
      mediaType: 'application/json',
      data: writeJsonFile({
        format: source.extension,
        bytes: source.bytes,
        encoding,
        ...(await describe(source, options, context)),
      }),
    }
  },
})

const describe = async (source: Source, options: DelimitedOptions, context: Context): Promise<object> => {
  if (isDelimited(source)) return await describeRows(source, options, context)
  if (isLineDelimited(source))
    return await describeLines(source, await findEncoding(source, context, options.encoding), context)
  const survey =
    source.extension === 'xml'
      ? await surveyMarkup(source, options, context)
      : await surveyJson(source, context, options.encoding)
  if (!(survey instanceof Malformed)) return { wellFormed: !('truncated' in survey && survey.truncated), ...survey }
  warnMalformed(context, survey)
  return { wellFormed: false, problem: { detail: survey.message, line: survey.line, column: survey.column } }
}

const surveyMarkup = async (source: Source, options: DelimitedOptions, context: Context) => {
  const { surveyXml } = await import('./xml-survey.ts')
  const survey = await surveyXml(source, context, options.encoding)
  if (survey instanceof Malformed) return survey
  const { rootAttributes: _rootAttributes, recordName: _recordName, ...shown } = survey
  return shown
}

const describeRows = async (source: Source, options: DelimitedOptions, context: Context): Promise<object> => {
  const { file, rows, raggedRows, names, columns } = await surveyDelimited(source, context, options)
  const { delimiter, quote, escape: escaping } = file.dialect
  return {
    dialect: { delimiter, quote, escape: escaping, header: file.header !== undefined },
    ...(file.preamble.length > 0 ? { preamble: file.preamble } : {}),
    rows,
    raggedRows,
    columnCount: columns.length,
    columns: columns.map((column, i) => ({ name: names[i], ...column })),
  }
}

const describeLines = async (source: Source, encoding: EncodingReport, context: Context): Promise<object> => {
  const kinds = { object: 0, array: 0, scalar: 0 }
  const keys = new Map<string, number>()
  let depth = 0
  let deepest = 0
  let badLines = 0
  const events = {
    open() {
      if (++depth > deepest) deepest = depth
    },
    close() {
      depth--
    },
    key(raw: string) {
      if (depth === 1 && (keys.has(raw) || keys.size < MAX_KEYS)) keys.set(raw, (keys.get(raw) ?? 0) + 1)
    },
    scalar() {},
  }
  for await (const line of readLines(decodeText(source, context, encoding, [0.2, 1]), MAX_LINE_CHARACTERS)) {
    const first = line.trimStart()[0]
    if (first === undefined) continue
    depth = 0
    if (scanLine(line, events)) badLines++
    else kinds[first === '{' ? 'object' : first === '[' ? 'array' : 'scalar']++
  }
  const records = kinds.object + kinds.array + kinds.scalar
  return {
    wellFormed: badLines === 0,
    records,
    badLines,
    kinds,
    depth: deepest,
    keys: [...keys].map(([raw, count]) => ({ name: JSON.parse(raw) as string, records: count })),
  }
}
const MAX_KEYS = 500
