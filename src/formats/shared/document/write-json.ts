import { toPlainText } from './inline-runs.ts'
import { roundBox, roundPoints, toJsonPlace } from './json-place.ts'
import type { Block, Cell, DocumentModel, Inline, Note, Page, Table } from './model.ts'
import { textOfBlocks } from './text-of-blocks.ts'

/** Version of the shape of the JSON; raised when a reader of the old shape would be misled. */
const VERSION = 1

/**
 * The document model as one JSON file, a piece at a time, with a block, note, page or image on each line.
 *
 * A block has its `kind`, its `text`, and where it stands: `page`, `box`, `confidence`. `content` is there where the text
 * alone does not say everything: styles, links, notes, images.
 */
export function* writeJson(document: DocumentModel): Generator<string> {
  const { title, language, pageUnit, pages, blocks, notes, images } = document
  const head = { version: VERSION, ...(title ? { title } : {}), ...(language ? { language } : {}), pageUnit }
  yield `${JSON.stringify(head).slice(0, -1)},\n"pages":`
  yield* writeList(pages, toJsonPage)
  yield ',\n"blocks":'
  yield* writeList(blocks, toJsonBlock)
  yield ',\n"notes":'
  yield* writeList(notes, toJsonNote)
  yield ',\n"images":'
  yield* writeList(images, (image) => image)
  yield '}\n'
}

function* writeList<T>(items: readonly T[], toJson: (item: T) => unknown): Generator<string> {
  yield '['
  for (const [index, item] of items.entries()) yield `${index === 0 ? '\n' : ',\n'}${JSON.stringify(toJson(item))}`
  yield items.length === 0 ? ']' : '\n]'
}

const toJsonPage = ({ width, height, ...page }: Page): unknown => ({
  ...page,
  ...(width === undefined ? {} : { width: roundPoints(width) }),
  ...(height === undefined ? {} : { height: roundPoints(height) }),
})

const toJsonNote = ({ blocks, ...note }: Note): unknown => ({
  ...note,
  text: textOfBlocks(blocks),
  blocks: blocks.map(toJsonBlock),
})

const toJsonBlock = (block: Block): unknown => ({ kind: block.kind, ...toJsonPlace(block), ...toJsonContent(block) })

const toJsonContent = (block: Block): Record<string, unknown> => {
  switch (block.kind) {
    case 'heading':
      return { level: block.level, ...toJsonText(block.content) }
    case 'paragraph':
      return { ...(block.role ? { role: block.role } : {}), ...toJsonText(block.content) }
    case 'item': {
      const { depth, ordered, marker, checked, content, more = [] } = block
      return {
        depth,
        ordered,
        marker,
        ...(checked === undefined ? {} : { checked }),
        ...toJsonText(content),
        ...(more.length > 0 ? { more: more.map(toJsonBlock) } : {}),
      }
    }
    case 'table':
      return toJsonTable(block)
    case 'quote':
      return { text: textOfBlocks(block.blocks), blocks: block.blocks.map(toJsonBlock) }
    case 'image': {
      const { image, alt, caption } = block
      return { image, ...(alt ? { alt } : {}), ...(caption ? { caption: toPlainText(caption) } : {}) }
    }
    case 'furniture':
      return { role: block.role, ...toJsonText(block.content) }
    case 'code':
      return { text: block.text, ...(block.language ? { language: block.language } : {}) }
    case 'formula':
      return {
        text: block.text,
        ...(block.latex ? { latex: block.latex } : {}),
        ...(block.label ? { label: block.label } : {}),
      }
    case 'rule':
    case 'page-break':
      return {}
  }
}

const toJsonText = (content: readonly Inline[]): Record<string, unknown> => {
  const text = toPlainText(content)
  const isPlain = content.every((inline) => inline.kind === 'text' && Object.keys(inline).length === 2)
  return isPlain ? { text } : { text, content }
}

const toJsonTable = ({ headerRows, caption, continued, rows }: Table): Record<string, unknown> => ({
  ...(caption ? { caption: toPlainText(caption) } : {}),
  headerRows,
  ...(continued ? { continued: continued.map(({ page, box }) => ({ page, box: roundBox(box) })) } : {}),
  rows: rows.map((row) => row.map(toJsonCell)),
})

const toJsonCell = ({ blocks, columnSpan = 1, rowSpan = 1, header, box }: Cell): unknown => ({
  text: textOfBlocks(blocks),
  ...(columnSpan > 1 ? { columnSpan } : {}),
  ...(rowSpan > 1 ? { rowSpan } : {}),
  ...(header ? { header } : {}),
  ...(box ? { box: roundBox(box) } : {}),
  // One plain paragraph says no more than its text.
  ...(isPlainCell(blocks) ? {} : { blocks: blocks.map(toJsonBlock) }),
})

const isPlainCell = (blocks: readonly Block[]): boolean =>
  blocks.length === 0 ||
  (blocks.length === 1 && blocks[0]?.kind === 'paragraph' && !('content' in toJsonText(blocks[0].content)))
