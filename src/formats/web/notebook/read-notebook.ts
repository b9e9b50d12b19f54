import type { Context, Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { overLimit, readWholeText } from '../../shared/decode.ts'
import { findEncoding } from '../../shared/encoding.ts'
import { perSource } from '../../shared/per-source.ts'
import { type Bundle, isRecord, joinLines, type Output, readOutput } from './outputs.ts'

/** A Jupyter notebook, of whatever version. */
export type Notebook = {
  version: string
  title: string | undefined
  kernel: string | undefined
  language: string | undefined
  languageVersion: string | undefined
  authors: string[]
  cells: readonly Cell[]
}

export type Cell = {
  kind: 'markdown' | 'code' | 'raw'
  source: string
  executionCount: number | undefined
  outputs: readonly Output[]
  /** Images by the name that the text calls them. */
  attachments: ReadonlyMap<string, Bundle>
}

/** A notebook is held as a tree; what is larger than this is data. */
const MAX_NOTEBOOK_BYTES = 64 * 1_048_576
const MAX_CELLS = 50_000
const MAX_OUTPUTS = 100_000

/** Reads a notebook once for all capabilities. */
export const readNotebook = perSource(async (source: Source, context: Context): Promise<Notebook> => {
  const encoding = await findEncoding(source, context, 'auto')
  const text = await readWholeText(source, context, encoding, MAX_NOTEBOOK_BYTES, [0.2, 0.6])
  const root = parse(text)
  if (!isRecord(root)) throw unreadable('not an object')
  const cells = listCells(root)
  if (!cells) throw unreadable('no cells')
  if (cells.length > MAX_CELLS) throw overLimit('cells', MAX_CELLS)
  const metadata = isRecord(root.metadata) ? root.metadata : {}
  const kernel = isRecord(metadata.kernelspec) ? metadata.kernelspec : {}
  const info = isRecord(metadata.language_info) ? metadata.language_info : {}
  const oldLanguage = cells.map((cell) => cell.language).find((language) => typeof language === 'string')
  const budget = { outputs: MAX_OUTPUTS }
  return {
    version: `${textOr(root.nbformat) ?? '?'}.${textOr(root.nbformat_minor) ?? '0'}`,
    title: textOr(metadata.title) ?? textOr(metadata.name),
    kernel: textOr(kernel.display_name) ?? textOr(kernel.name),
    language: (textOr(info.name) ?? textOr(kernel.language) ?? textOr(oldLanguage))?.toLowerCase(),
    languageVersion: textOr(info.version),
    authors: listAuthors(metadata.authors),
    cells: cells.map((cell) => readCell(cell, budget)),
  }
})

const unreadable = (reason: string): JobFailure =>
  new JobFailure('extract.source_unreadable', { reason }, { detail: 'The file is no notebook.' })

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable('not JSON')
  }
}

const textOr = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 1_000) : undefined
}

const listAuthors = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.slice(0, 100).flatMap((author: unknown) => textOr(isRecord(author) ? author.name : author) ?? [])
    : []

/** Before version 4 cells lay in worksheets. */
const listCells = (root: Record<string, unknown>): Record<string, unknown>[] | undefined => {
  if (Array.isArray(root.cells)) return root.cells.filter(isRecord)
  if (!Array.isArray(root.worksheets)) return undefined
  return root.worksheets
    .filter(isRecord)
    .flatMap((sheet) => (Array.isArray(sheet.cells) ? sheet.cells.filter(isRecord) : []))
}

const readCell = (cell: Record<string, unknown>, budget: { outputs: number }): Cell => {
  const isCode = cell.cell_type === 'code'
  const source = joinLines(isCode ? (cell.source ?? cell.input) : cell.source)
  const given = isCode && Array.isArray(cell.outputs) ? cell.outputs : []
  const outputs = given.slice(0, Math.max(0, budget.outputs)).filter(isRecord)
  budget.outputs -= outputs.length
  const count = cell.execution_count ?? cell.prompt_number
  return {
    kind: isCode ? 'code' : isMarkdown(cell) ? 'markdown' : 'raw',
    source:
      cell.cell_type === 'heading' ? `${'#'.repeat(headingLevel(cell.level))} ${source.replace(/\s+/g, ' ')}` : source,
    executionCount: typeof count === 'number' ? count : undefined,
    outputs: outputs.flatMap((output) => readOutput(output) ?? []),
    attachments: readAttachments(cell.attachments),
  }
}

const isMarkdown = ({ cell_type, metadata }: Record<string, unknown>): boolean => {
  if (cell_type === 'markdown' || cell_type === 'heading') return true
  const mime = isRecord(metadata) ? (metadata.raw_mimetype ?? metadata.format) : undefined
  return cell_type === 'raw' && mime === 'text/markdown'
}

const headingLevel = (level: unknown): number =>
  typeof level === 'number' ? Math.min(6, Math.max(1, Math.floor(level))) : 1

const readAttachments = (value: unknown): Map<string, Bundle> =>
  new Map(isRecord(value) ? Object.entries(value).filter((entry): entry is [string, Bundle] => isRecord(entry[1])) : [])
