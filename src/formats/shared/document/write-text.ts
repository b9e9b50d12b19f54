import { dropFurniture } from './furniture.ts'
import { groupItems } from './group-items.ts'
import { type InlineRun, isTextRun, toPlainText, toRuns } from './inline-runs.ts'
import type { Block, DocumentModel, Inline, Item, Note, Table } from './model.ts'
import { toScriptCharacters } from './script-characters.ts'
import { type Section, splitByPage } from './sections.ts'
import { toGrid } from './table-grid.ts'

export type TextOptions = {
  headersFooters?: 'drop' | 'keep'
  /** What stands between pages. `form-feed`: the control character U+000C; `line`: `--- page 3 ---`. */
  pageBreaks?: 'form-feed' | 'line' | 'none'
  /** `tabs`: a tab between cells; `aligned`: cells padded to columns. */
  tableLayout?: 'tabs' | 'aligned'
  /** `marked`: `> ` before each line of a quote, as in mail. */
  quotes?: 'plain' | 'marked'
}

/** Stands for a page that the author began; no text holds it. */
const BREAK = '\f'

type TextContext = {
  /** Breaks tell pages apart only where the pages themselves are not known. */
  hasAuthoredPages: boolean
  keepsFurniture: boolean
  isAligned: boolean
  marksQuotes: boolean
  noteMarks: ReadonlyMap<string, string>
}

/**
 * A document as plain text in reading order, a piece at a time: a line per paragraph, item and row, a blank line between
 * blocks. Notes stand at the end of their page, or of the document where pages are not told apart.
 */
export function* writeText(document: DocumentModel, options: TextOptions = {}): Generator<string> {
  const breaks = options.pageBreaks ?? 'form-feed'
  const context: TextContext = {
    hasAuthoredPages: document.pages.length === 0,
    keepsFurniture: options.headersFooters === 'keep',
    isAligned: options.tableLayout === 'aligned',
    marksQuotes: options.quotes === 'marked',
    noteMarks: new Map(document.notes.map(({ id, label }, index) => [id, label || String(index + 1)])),
  }
  const sections: readonly Section[] = breaks === 'none' ? [document] : splitByPage(document)
  for (const [index, section] of sections.entries()) {
    const { page } = section
    const mark = page && breaks === 'line' ? `--- ${document.pageUnit} ${page.number} ---` : ''
    if (page && breaks === 'form-feed' && index > 0) yield '\f'
    let isFirst = true
    let isBroken = false
    for (const text of writeSection(section, mark, context)) {
      if (text === BREAK) isBroken = !isFirst && breaks !== 'none'
      if (text === '' || text === BREAK) continue
      if (isBroken) yield breaks === 'form-feed' ? BREAK : '\n--- new page ---\n'
      const isApart = !(isFirst && index === 0) && !((isFirst || isBroken) && breaks === 'form-feed')
      yield `${isApart ? '\n' : ''}${text}\n`
      isFirst = false
      isBroken = false
    }
  }
}

function* writeSection({ blocks, notes }: Section, mark: string, context: TextContext): Generator<string> {
  yield mark
  for (const group of groupItems(dropFurniture(blocks, context.keepsFurniture))) {
    yield group[0]?.kind === 'page-break' && context.hasAuthoredPages ? BREAK : writeBlocks(group, context)
  }
  for (const note of notes) yield writeNote(note, context)
}

const writeNote = ({ id, author, blocks }: Note, context: TextContext): string => {
  const lead = `[${context.noteMarks.get(id)}] ${author ? `${author}: ` : ''}`
  return `${lead}${writeBlocks(blocks, context)}`.trimEnd()
}

/** Blocks of any kind as text: the items of a list on lines that follow each other, other blocks apart. */
const writeBlocks = (blocks: readonly Block[], context: TextContext): string =>
  groupItems(blocks)
    .map((group) => {
      const texts = group.map((block) => writeBlock(block, context)).filter((text) => text !== '')
      return texts.join('\n')
    })
    .filter((text) => text !== '')
    .join('\n\n')

const writeBlock = (block: Block, context: TextContext): string => {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
    case 'furniture':
      return writeLines(block.content, context)
    case 'item':
      return writeItem(block, context)
    case 'table':
      return [writeLines(block.caption ?? [], context), writeTable(block, context)]
        .filter((text) => text !== '')
        .join('\n')
    case 'code':
      return block.text.replace(/\n+$/, '')
    case 'quote': {
      const text = writeBlocks(block.blocks, context)
      return context.marksQuotes && text !== '' ? text.replace(/^(?=.)/gm, '> ').replace(/^$/gm, '>') : text
    }
    case 'image':
      return writeLines(block.caption ?? [], context)
    case 'formula':
      return [block.text, block.label].filter(Boolean).join(' ')
    case 'rule':
    case 'page-break':
      return ''
  }
}

const INDENT = '  '
const UNPRINTABLE = /^[\p{Co}\p{Cn}\p{Cc}]*$/u

const writeItem = ({ depth, marker, checked, content, more = [] }: Item, context: TextContext): string => {
  const sign = UNPRINTABLE.test(marker.trim()) ? '•' : marker.trim()
  const lead = `${INDENT.repeat(depth)}${checked === undefined ? sign : checked ? '[x]' : '[ ]'} `
  const body = [writeLines(content, context), writeBlocks(more, context)].filter((text) => text !== '').join('\n')
  return lead + body.replaceAll('\n', `\n${INDENT.repeat(depth + 1)}`)
}

const writeTable = (table: Table, context: TextContext): string => {
  const rows = toGrid(table).rows.map((row) =>
    // What a merged cell says stands once, where it begins.
    row.map((place) => (place?.isOrigin ? writeBlocks(place.cell.blocks, context).replace(/\s*[\n\t]\s*/g, ' ') : '')),
  )
  if (!context.isAligned) return rows.map((row) => row.join('\t').trimEnd()).join('\n')
  const widths = (rows[0] ?? []).map((_, x) => rows.reduce((most, row) => Math.max(most, widthOf(row[x] ?? '')), 0))
  const pad = (text: string, x: number) => text + ' '.repeat((widths[x] ?? 0) - widthOf(text))
  return rows.map((row) => row.map(pad).join(INDENT).trimEnd()).join('\n')
}

const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/gu
const COMBINING = /\p{M}|\p{Cf}/gu

/** Columns that a text takes in a font of even widths. */
const widthOf = (text: string): number => {
  const length = [...text].length
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII is the common case
  if (/^[\u0000-\u007f]*$/.test(text)) return length
  return length + (text.match(WIDE)?.length ?? 0) - (text.match(COMBINING)?.length ?? 0)
}

const writeLines = (content: readonly Inline[], context: TextContext): string =>
  toRuns(content)
    .map((run) => writeRun(run, context))
    .join('')
    .trim()

const writeRun = (run: InlineRun, { noteMarks }: TextContext): string => {
  if (isTextRun(run)) return (run.style.script && toScriptCharacters(run.text, run.style.script)) || run.text
  switch (run.atom.kind) {
    case 'break':
      return '\n'
    case 'note': {
      const mark = noteMarks.get(run.atom.id)
      return mark === undefined ? '' : `[${mark}]`
    }
    case 'formula':
      return toPlainText([run.atom])
    case 'image':
      return ''
  }
}
