import { type Context, defineCapability, type Source } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { decodeText, readLines } from '../shared/decode.ts'
import { encodingOption, findEncoding } from '../shared/encoding.ts'
import { makePause } from '../shared/read-chunks.ts'
import { toJsonValue } from './column-types.ts'
import { type DelimitedOptions, delimitedOptions, isDelimited, readRows, surveyDelimited } from './delimited.ts'
import { JsonPrinter } from './json-printer.ts'
import { JsonScanner } from './json-scanner.ts'
import { isLineDelimited, MAX_LINE_CHARACTERS, readJsonText, scanLine, surveyJson } from './json-text.ts'
import { Malformed, warnMalformed, warnTruncated } from './malformed.ts'
import { findRecords, warnBadLines } from './records.ts'
import { replayTree, type Tree } from './tree.ts'
import type { XmlReading } from './xml-survey.ts'

type JsonOptions = DelimitedOptions & { rows: 'objects' | 'arrays'; typed: boolean; style: 'pretty' | 'compact' }

/** The content as JSON: rows as records, YAML, TOML and XML converted, JSON itself checked and laid out. */
export const json = defineCapability({
  id: 'data.json',
  output: 'json',
  defaultSelected: true,
  detail:
    'JSON: rows as objects or arrays, YAML, TOML and XML converted, NDJSON as one array; numbers keep every digit.',
  options: {
    encoding: encodingOption,
    ...delimitedOptions,
    rows: {
      type: 'enum',
      allowedValues: ['objects', 'arrays'],
      defaultValue: 'objects',
      detail: 'Delimited files: each row as an object by column name, or as an array of cells.',
    },
    typed: {
      type: 'boolean',
      defaultValue: false,
      detail: 'Delimited files: numbers and booleans as such where a whole column holds them; empty cells as null.',
    },
    style: {
      type: 'enum',
      allowedValues: ['pretty', 'compact'],
      defaultValue: 'pretty',
      detail: 'Layout of JSON that does not come from rows.',
    },
  },
  async *extract(source, options, context) {
    const data = await writeJson(source, options, context)
    if (data) yield { path: artifactPath(source, 'json', 'json'), mediaType: 'application/json', data }
  },
})

const writeJson = async (
  source: Source,
  options: JsonOptions,
  context: Context,
): Promise<AsyncIterable<string> | undefined> => {
  if (isDelimited(source)) return await writeRows(source, options, context)
  if (isLineDelimited(source)) return await writeLines(source, options, context)
  if (source.extension === 'xml') return await writeXml(source, options, context)
  const survey = await surveyJson(source, context, options.encoding)
  if (survey instanceof Malformed) {
    warnMalformed(context, survey)
    return undefined
  }
  if (survey.relaxed) {
    context.warn(
      'data.relaxed_json',
      'The source has comments, trailing commas or NaN, which JSON does not allow; the output has none.',
    )
  }
  if (survey.truncated) warnTruncated(context)
  return printDocument(source, options, context, survey.root === 'sequence')
}

async function* printDocument(
  source: Source,
  options: JsonOptions,
  context: Context,
  isSequence: boolean,
): AsyncGenerator<string> {
  const printer = new JsonPrinter(options.style)
  const scanner = new JsonScanner(printer, true)
  // Values after one another become one array.
  if (isSequence) printer.open('[')
  for await (const piece of readJsonText(source, context, options.encoding, [0.6, 1])) {
    scanner.write(piece)
    const out = printer.take()
    if (out !== '') yield out
  }
  scanner.end()
  if (isSequence) printer.close(']')
  yield `${printer.take()}\n`
}

/** One record to a line, so that the array can be read by lines as well. */
async function* joinRecords(batches: AsyncIterable<string[]>): AsyncGenerator<string> {
  let isFirst = true
  for await (const batch of batches) {
    if (batch.length === 0) continue
    yield `${isFirst ? '[\n' : ',\n'}${batch.join(',\n')}`
    isFirst = false
  }
  yield isFirst ? '[]\n' : '\n]\n'
}

const writeRows = async (
  source: Source,
  options: JsonOptions,
  context: Context,
): Promise<AsyncIterable<string> | undefined> => {
  const { file, names, columns } = await surveyDelimited(source, context, options)
  if (columns.length === 0) {
    context.warn('data.no_rows', 'The file holds no rows.')
    return undefined
  }
  const keys = names.map((name) => `${JSON.stringify(name)}:`)
  const values = columns.map((column) =>
    options.typed ? (cell: string) => toJsonValue(cell, column) : (cell: string) => JSON.stringify(cell),
  )
  const asObject = (row: string[]): string => {
    let out = '{'
    for (let i = 0; i < keys.length; i++) {
      const cell = row[i]
      out += `${i === 0 ? '' : ','}${keys[i]}${cell === undefined ? 'null' : (values[i]?.(cell) ?? 'null')}`
    }
    return `${out}}`
  }
  const asArray = (row: string[]): string => `[${row.map((cell, i) => values[i]?.(cell) ?? 'null').join(',')}]`
  const write = options.rows === 'objects' ? asObject : asArray
  return joinRecords(
    (async function* () {
      if (options.rows === 'arrays' && file.header) yield [`[${names.map((name) => JSON.stringify(name)).join(',')}]`]
      for await (const batch of readRows(source, context, file, [0.5, 1])) yield batch.map(write)
    })(),
  )
}

const writeLines = async (
  source: Source,
  options: JsonOptions,
  context: Context,
): Promise<AsyncIterable<string> | undefined> => {
  const found = await findRecords(source, context, options.encoding)
  if (found instanceof Malformed) {
    warnMalformed(context, found)
    return undefined
  }
  warnBadLines(context, found)
  const encoding = await findEncoding(source, context, options.encoding)
  const pause = makePause(context)
  return joinRecords(
    (async function* () {
      let batch: string[] = []
      for await (const line of readLines(decodeText(source, context, encoding, [0.6, 1]), MAX_LINE_CHARACTERS)) {
        if (line.trim() === '') continue
        const printer = new JsonPrinter('compact')
        if (scanLine(line, printer)) continue
        batch.push(printer.take())
        if (batch.length < 500) continue
        await pause()
        yield batch
        batch = []
      }
      yield batch
    })(),
  )
}

const writeXml = async (
  source: Source,
  options: JsonOptions,
  context: Context,
): Promise<AsyncIterable<string> | undefined> => {
  const { surveyXml, warnEntities } = await import('./xml-survey.ts')
  const survey = await surveyXml(source, context, options.encoding)
  if (survey instanceof Malformed) {
    warnMalformed(context, survey)
    return undefined
  }
  warnEntities(context, survey)
  const { readXmlRecords, readXmlTree } = await import('./xml-tree.ts')
  const printer = new JsonPrinter(options.style)
  if (survey.kind === 'records') {
    const records = readXmlRecords(source, context, options.encoding, [0.6, 1])
    return printXmlRecords(records, survey, printer, context)
  }
  const tree = await readXmlTree(source, context, options.encoding)
  return (async function* () {
    yield* printTree(new Map([[survey.root, tree]]), printer, context)
    yield `${printer.take()}\n`
  })()
}

/** The same JSON as that of the whole tree, without ever holding it. */
async function* printXmlRecords(
  batches: AsyncIterable<Tree[]>,
  { root, rootAttributes, recordName }: XmlReading,
  printer: JsonPrinter,
  context: Context,
): AsyncGenerator<string> {
  printer.open('{')
  printer.key(JSON.stringify(root))
  printer.open('{')
  for (const [name, value] of rootAttributes) {
    printer.key(JSON.stringify(`@${name}`))
    printer.scalar(JSON.stringify(value))
  }
  printer.key(JSON.stringify(recordName))
  printer.open('[')
  for await (const batch of batches) {
    for (const record of batch) yield* printTree(record, printer, context)
    yield printer.take()
  }
  printer.close(']')
  printer.close('}')
  printer.close('}')
  yield `${printer.take()}\n`
}

async function* printTree(tree: Tree, printer: JsonPrinter, context: Context): AsyncGenerator<string> {
  const pause = makePause(context)
  let scalars = 0
  for (const _ of replayTree(tree, printer)) {
    if (++scalars % 1_000 !== 0) continue
    yield printer.take()
    await pause()
  }
}
