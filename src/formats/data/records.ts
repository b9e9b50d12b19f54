import type { Context, Source } from '../../core/catalog.ts'
import { perSource } from '../shared/per-source.ts'
import { type TableShape, TableShaper } from './flat-records.ts'
import { isLineDelimited, readRecords, surveyJson } from './json-text.ts'
import { Malformed } from './malformed.ts'
import { isScalar } from './tree.ts'

/** How a JSON, NDJSON, YAML or TOML source is read: record by record, or as one tree. */
export type FoundRecords = {
  kind: 'records' | 'tree'
  /** Set when the records make a table. */
  shape?: TableShape
  /** The records are plain values. */
  isPlain: boolean
  badLines: number
  /** The numbers of the first few of them. */
  firstBadLines: number[]
  truncated: boolean
}

const MAX_LINES_NAMED = 5

/** Finds out whether a source is a list of records, and whether they make a table. */
export const findRecords = (
  source: Source,
  context: Context,
  encodingName: string,
): Promise<FoundRecords | Malformed> => loadRecords(source, context, encodingName)

const loadRecords = perSource(async (source, context, encodingName): Promise<FoundRecords | Malformed> => {
  let truncated = false
  if (!isLineDelimited(source)) {
    const survey = await surveyJson(source, context, encodingName)
    if (survey instanceof Malformed) return survey
    truncated = survey.truncated
    if (survey.root !== 'array' && survey.root !== 'sequence')
      return { kind: 'tree', isPlain: false, badLines: 0, firstBadLines: [], truncated }
  }
  const firstBadLines: number[] = []
  let badLines = 0
  let isTable = true
  let isPlain = true
  const shaper = new TableShaper()
  const onBadLine = (line: number) => {
    badLines++
    if (firstBadLines.length < MAX_LINES_NAMED) firstBadLines.push(line)
  }
  for await (const batch of readRecords(source, context, encodingName, [0.4, 0.6], onBadLine)) {
    for (const record of batch) {
      isTable = shaper.add(record) && isTable
      isPlain &&= isScalar(record)
    }
    // Only bad lines are still worth looking for.
    if (!isTable && !isPlain && !isLineDelimited(source)) break
  }
  if (badLines > 0 && shaper.records === 0) return new Malformed('no line is a JSON value', 1, 1)
  const shape = isTable ? shaper.finish() : undefined
  return { kind: 'records', isPlain, badLines, firstBadLines, truncated, ...(shape ? { shape } : {}) }
})

/** Tells the client which lines were left out. */
export const warnBadLines = (context: Context, { badLines, firstBadLines }: FoundRecords): void => {
  if (badLines === 0) return
  const more = badLines > firstBadLines.length ? ', …' : ''
  context.warn(
    'data.bad_lines',
    `${badLines} lines are not JSON and were left out: ${firstBadLines.join(', ')}${more}.`,
  )
}
