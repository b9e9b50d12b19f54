import { type Context, defineCapability, type Source } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { encodingOption } from '../shared/encoding.ts'
import { escapeInline, escapeLineStart, fillTableRow, tableRule } from '../shared/markdown.ts'
import { makePause } from '../shared/read-chunks.ts'
import { type DelimitedOptions, delimitedOptions, isDelimited, readRows, surveyDelimited } from './delimited.ts'
import { headOf, rowOf } from './flat-records.ts'
import { readRecords, readTree } from './json-text.ts'
import { Malformed, warnMalformed, warnTruncated } from './malformed.ts'
import { type FoundRecords, findRecords, warnBadLines } from './records.ts'
import type { Tree } from './tree.ts'
import { writeItem, writeTree } from './tree-markdown.ts'

/** Tables where the data are rows or alike records, an outline of keys and values elsewhere. */
export const markdown = defineCapability({
  id: 'data.markdown',
  output: 'markdown',
  defaultSelected: true,
  detail: 'Markdown: a table of rows or alike records, else an outline of keys and values; XML articles as documents.',
  options: { encoding: encodingOption, ...delimitedOptions },
  async *extract(source, options, context) {
    const data = await writeMarkdown(source, options, context)
    if (data) yield { path: artifactPath(source, 'markdown', 'md'), mediaType: 'text/markdown; charset=utf-8', data }
  },
})

const writeMarkdown = async (
  source: Source,
  options: DelimitedOptions,
  context: Context,
): Promise<AsyncIterable<string> | undefined> => {
  if (isDelimited(source)) return await writeRows(source, options, context)
  if (source.extension === 'xml') return await writeXml(source, options, context)
  const found = await findRecords(source, context, options.encoding)
  if (found instanceof Malformed) {
    warnMalformed(context, found)
    return undefined
  }
  if (found.truncated) warnTruncated(context)
  if (found.kind === 'tree')
    return joinPaced(writeTree(await readTree(source, context, options.encoding, [0.6, 0.9])), context)
  warnBadLines(context, found)
  return writeRecords(readRecords(source, context, options.encoding, [0.6, 1]), context, found)
}

const writeRows = async (
  source: Source,
  options: DelimitedOptions,
  context: Context,
): Promise<AsyncIterable<string> | undefined> => {
  const { file, rows, columns } = await surveyDelimited(source, context, options)
  if (columns.length === 0 && file.preamble.length === 0) {
    context.warn('data.no_rows', 'The file holds no rows.')
    return undefined
  }
  return (async function* () {
    for (const line of file.preamble) yield `${escapeLineStart(escapeInline(line))}\n\n`
    if (columns.length === 0) return
    yield fillTableRow(file.header ?? [], columns.length) + tableRule(columns.length)
    if (rows === 0) return
    for await (const batch of readRows(source, context, file, [0.5, 1])) {
      let out = ''
      for (const row of batch) out += fillTableRow(row, columns.length)
      yield out
    }
  })()
}

const writeXml = async (
  source: Source,
  options: DelimitedOptions,
  context: Context,
): Promise<AsyncIterable<string> | undefined> => {
  const { surveyXml, warnEntities } = await import('./xml-survey.ts')
  const survey = await surveyXml(source, context, options.encoding)
  if (survey instanceof Malformed) {
    warnMalformed(context, survey)
    return undefined
  }
  warnEntities(context, survey)
  const { readElements, readXmlTree } = await import('./xml-tree.ts')
  if (survey.kind === 'document') {
    const { writeDocument } = await import('./xml-document.ts')
    return joinBlocks(writeDocument(await readElements(source, context, options.encoding, [0.6, 0.9])), context)
  }
  const { findXmlRecords, readOutlineRecords, showAsOutline } = await import('./xml-outline.ts')
  if (survey.kind === 'records') {
    const found = await findXmlRecords(source, context, options.encoding)
    const attributes = survey.rootAttributes.filter(([name]) => !/^xmlns(?::|$)/.test(name))
    return (async function* () {
      for (const [name, value] of attributes) yield `- **${escapeInline(name)}**: ${escapeInline(value)}\n`
      if (attributes.length > 0) yield '\n'
      yield* writeRecords(readOutlineRecords(source, context, options.encoding, [0.8, 1]), context, found)
    })()
  }
  return joinPaced(writeTree(showAsOutline(await readXmlTree(source, context, options.encoding))), context)
}

async function* writeRecords(
  batches: AsyncIterable<Tree[]>,
  context: Context,
  { shape, isPlain }: Pick<FoundRecords, 'shape' | 'isPlain'>,
): AsyncGenerator<string> {
  const head = shape ? headOf(shape) : []
  const columns = head.length
  if (shape) {
    yield fillTableRow(head, head.length) + tableRule(head.length)
  }
  const pause = makePause(context)
  let number = 0
  for await (const batch of batches) {
    let out = ''
    for (const record of batch) {
      number++
      await pause()
      if (shape) out += fillTableRow(rowOf(record, shape), columns)
      else for (const line of writeItem(record, isPlain ? undefined : number)) out += line
    }
    yield out
  }
}

/** Pieces gathered into larger ones, with room for other work in between. */
async function* joinPaced(pieces: Iterable<string>, context: Context): AsyncGenerator<string> {
  const pause = makePause(context)
  let out = ''
  for (const piece of pieces) {
    out += piece
    await pause()
    if (out.length < 65_536) continue
    yield out
    out = ''
    context.progress(0.95)
  }
  if (out !== '') yield out
}

const joinBlocks = (blocks: Iterable<string>, context: Context): AsyncIterable<string> => {
  function* separate() {
    let isFirst = true
    for (const block of blocks) {
      const trimmed = block.trim()
      if (trimmed === '') continue
      yield `${isFirst ? '' : '\n'}${trimmed}\n`
      isFirst = false
    }
  }
  return joinPaced(separate(), context)
}
