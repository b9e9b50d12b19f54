import type { Block, DocumentImage, DocumentModel, Inline, Note } from './model.ts'
import { chooseTableFormat, type TableFormat } from './table-format.ts'

export type MarkdownOptions = {
  /** `auto`: pipes where they say everything, HTML where cells are merged. */
  tableFormat?: TableFormat
  headersFooters?: 'drop' | 'keep'
  pageBreaks?: 'none' | 'comment' | 'rule'
  /** Where an image can be found; images without an address are left out. The path in the result unless told. */
  imageHref?: (image: DocumentImage) => string | undefined
}

/** What the parts of the markdown writer share. */
export type MarkdownContext = {
  tableFormat: TableFormat
  keepsFurniture: boolean
  /** By note id; only of notes that the text refers to where markdown is read, which it is not inside HTML tables. */
  noteLabels: ReadonlyMap<string, string>
  /** By note id, as shown to readers. */
  noteMarks: ReadonlyMap<string, string>
  imageHref: (id: string) => string | undefined
}

export const createMarkdownContext = (document: DocumentModel, options: MarkdownOptions): MarkdownContext => {
  const images = new Map(document.images.map((image) => [image.id, image]))
  const hrefOf = options.imageHref ?? (({ path, url }: DocumentImage) => path ?? url)
  const tableFormat = options.tableFormat ?? 'auto'
  const noteLabels = labelNotes(document, tableFormat)
  return {
    tableFormat,
    keepsFurniture: options.headersFooters === 'keep',
    noteLabels,
    noteMarks: new Map(document.notes.map(({ id, label }, i) => [id, noteLabels.get(id) ?? label ?? String(i + 1)])),
    imageHref: (id) => {
      const image = images.get(id)
      return image && hrefOf(image)
    },
  }
}

/** Names for notes that any renderer takes: their own where they are plain and different, else numbers. */
const labelNotes = ({ blocks, notes }: DocumentModel, tableFormat: TableFormat): Map<string, string> => {
  const referred = new Set<string>()
  collectReferences(blocks, tableFormat, referred)
  for (const note of notes) collectReferences(note.blocks, tableFormat, referred)
  const labels = new Map<string, string>()
  const taken = new Set<string>()
  const wanted = notes.filter(({ id }) => referred.has(id))
  for (const { id, label } of wanted) {
    if (!label || !/^[\dA-Za-z]{1,9}$/.test(label) || taken.has(label.toLowerCase())) continue
    labels.set(id, label)
    taken.add(label.toLowerCase())
  }
  let next = 1
  for (const { id } of wanted) {
    if (labels.has(id)) continue
    while (taken.has(String(next))) next++
    labels.set(id, String(next))
    taken.add(String(next))
  }
  return new Map(wanted.map(({ id }: Note) => [id, labels.get(id) as string]))
}

const collectReferences = (blocks: readonly Block[], tableFormat: TableFormat, into: Set<string>): void => {
  const look = (content: readonly Inline[] = []) => {
    for (const inline of content) if (inline.kind === 'note') into.add(inline.id)
  }
  for (const block of blocks) {
    switch (block.kind) {
      case 'heading':
      case 'paragraph':
        look(block.content)
        break
      case 'item':
        look(block.content)
        collectReferences(block.more ?? [], tableFormat, into)
        break
      case 'quote':
        collectReferences(block.blocks, tableFormat, into)
        break
      case 'image':
        look(block.caption)
        break
      case 'table':
        look(block.caption)
        if (chooseTableFormat(block, tableFormat) === 'html') break
        for (const row of block.rows) for (const cell of row) collectReferences(cell.blocks, tableFormat, into)
    }
  }
}
