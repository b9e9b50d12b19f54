import type { Context, Source } from '../../core/catalog.ts'
import { decodeText, overLimit, readLines, readWholeText } from '../shared/decode.ts'
import { findEncoding } from '../shared/encoding.ts'
import { perSource } from '../shared/per-source.ts'
import { makePause, type Span } from '../shared/read-chunks.ts'
import { JsonScanner } from './json-scanner.ts'
import { Malformed } from './malformed.ts'
import { type Tree, TreeBuilder } from './tree.ts'

/** YAML and TOML are read whole by their parsers; that of YAML needs some hundred times the memory of the text. */
export const MAX_PARSED_BYTES = 8 * 1_048_576
export const MAX_LINE_CHARACTERS = 32 * 1_048_576

export const isLineDelimited = (source: Source): boolean =>
  source.extension === 'ndjson' || source.extension === 'jsonl'
const isParsed = (source: Source): boolean => ['yaml', 'yml', 'toml'].includes(source.extension)

/** JSON text with the same content as the source: JSON as it is, YAML and TOML converted. */
export async function* readJsonText(
  source: Source,
  context: Context,
  encodingName: string,
  span: Span,
): AsyncGenerator<string> {
  if (!isParsed(source)) {
    yield* decodeText(source, context, await findEncoding(source, context, encodingName), span)
    return
  }
  const text = await convertSource(source, context, encodingName)
  const pause = makePause(context)
  for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
    await pause()
    yield text.slice(at, at + PIECE_CHARACTERS)
    context.progress(span[0] + ((span[1] - span[0]) * at) / text.length)
  }
}
const PIECE_CHARACTERS = 131_072

const convertSource = perSource(async (source, context, encodingName): Promise<string> => {
  if (source.bytes > MAX_PARSED_BYTES) throw overLimit('documentBytes', MAX_PARSED_BYTES)
  const encoding = await findEncoding(source, context, encodingName)
  const text = await readWholeText(source, context, encoding, MAX_PARSED_BYTES, [0.2, 0.3])
  const { parseToJson } = await import('./parse-apart.ts')
  return await parseToJson(text, source.extension === 'toml' ? 'toml' : 'yaml', context)
})

/** What a document of JSON, YAML or TOML holds, counted without keeping it. */
export type JsonSurvey = {
  root: 'object' | 'array' | 'sequence' | 'scalar'
  roots: number
  depth: number
  objects: number
  arrays: number
  keys: number
  distinctKeys: number
  scalars: { string: number; number: number; boolean: number; null: number }
  relaxed: boolean
  /** The text breaks off; what is open is closed at its end. */
  truncated: boolean
}

const MAX_DISTINCT_KEYS = 100_000

/** Reads a document to its end; a broken one gives what is wrong with it. */
export const surveyJson = perSource(async (source, context, encodingName): Promise<JsonSurvey | Malformed> => {
  const scalars = { string: 0, number: 0, boolean: 0, null: 0 }
  const counts = { objects: 0, arrays: 0, keys: 0, depth: 0 }
  const names = new Set<string>()
  let level = 0
  let rootKind: JsonSurvey['root'] = 'scalar'
  const scanner = new JsonScanner(
    {
      open(kind) {
        if (level++ === 0) rootKind = kind === '{' ? 'object' : 'array'
        if (level > counts.depth) counts.depth = level
        if (kind === '{') counts.objects++
        else counts.arrays++
      },
      close() {
        level--
      },
      key(raw) {
        counts.keys++
        if (names.size < MAX_DISTINCT_KEYS) names.add(raw.length > 200 ? raw.slice(0, 200) : raw)
      },
      scalar(raw) {
        const first = raw.charCodeAt(0)
        if (first === 34) scalars.string++
        else if (first === 110) scalars.null++
        else if (first === 116 || first === 102) scalars.boolean++
        else scalars.number++
      },
    },
    true,
  )
  try {
    for await (const piece of readJsonText(source, context, encodingName, [0.2, 0.6])) scanner.write(piece)
    scanner.end()
  } catch (error) {
    if (error instanceof Malformed) return error
    throw error
  }
  if (scanner.roots === 0) return new Malformed('there is no value', 1, 1)
  const root = scanner.roots > 1 ? 'sequence' : rootKind
  return {
    root,
    roots: scanner.roots,
    ...counts,
    distinctKeys: names.size,
    scalars,
    relaxed: scanner.relaxed,
    truncated: scanner.truncated,
  }
})

/** The one value of a document whose root is no list of records. */
export const readTree = async (source: Source, context: Context, encodingName: string, span: Span): Promise<Tree> => {
  let root: Tree = null
  const scanner = new JsonScanner(
    new TreeBuilder((tree) => {
      root = tree
    }),
    true,
  )
  for await (const piece of readJsonText(source, context, encodingName, span)) scanner.write(piece)
  scanner.end()
  return root
}

/** Records of a source, many at a time: lines of NDJSON, elements of a root array, values after one another. */
export async function* readRecords(
  source: Source,
  context: Context,
  encodingName: string,
  span: Span,
  onBadLine: (line: number, problem: Malformed) => void = () => undefined,
): AsyncGenerator<Tree[]> {
  let batch: Tree[] = []
  const take = (tree: Tree) => batch.push(tree)
  if (isLineDelimited(source)) {
    const encoding = await findEncoding(source, context, encodingName)
    let number = 0
    for await (const line of readLines(decodeText(source, context, encoding, span), MAX_LINE_CHARACTERS)) {
      number++
      if (line.trim() === '') continue
      const problem = scanLine(line, new TreeBuilder(take))
      if (problem) onBadLine(number, problem)
      if (batch.length < RECORDS_AT_ONCE) continue
      yield batch
      batch = []
    }
  } else {
    const scanner = new JsonScanner(new TreeBuilder(take, true), true)
    for await (const piece of readJsonText(source, context, encodingName, span)) {
      scanner.write(piece)
      if (batch.length === 0) continue
      yield batch
      batch = []
    }
    scanner.end()
  }
  if (batch.length > 0) yield batch
}
const RECORDS_AT_ONCE = 500

/** Scans a line that must be one value; gives what is wrong with it, if anything is. */
export const scanLine = (line: string, events: ConstructorParameters<typeof JsonScanner>[0]): Malformed | undefined => {
  const scanner = new JsonScanner(events)
  try {
    scanner.write(line)
    scanner.end()
    return scanner.roots === 1 ? undefined : new Malformed('the line holds more than one value', 1, 1)
  } catch (error) {
    if (error instanceof Malformed) return error
    throw error
  }
}
