import type { Context, Source } from '../../../core/catalog.ts'
import type { Block, DocumentImage } from '../../shared/document/model.ts'
import { textOfBlocks } from '../../shared/document/text-of-blocks.ts'
import { type HtmlReading, type InlineImage, readHtml } from '../../shared/html/read-html.ts'
import { parseHtml } from '../../shared/html/tree.ts'
import { perSource } from '../../shared/per-source.ts'
import { type Output, readImage } from './outputs.ts'
import { readMarkdown } from './read-markdown.ts'
import { type Cell, readNotebook } from './read-notebook.ts'

/** A part of a notebook as blocks: a cell, or one of its outputs. */
export type CellBlocks = {
  cell: Cell
  /** What the author wrote. */
  own: readonly Block[]
  outputs: readonly (readonly Block[])[]
}

type Images = { byId: Map<string, DocumentImage>; inside: InlineImage[] }

export type NotebookReading = { cells: readonly CellBlocks[]; images: Images }

/** The cells of a notebook as blocks, read once. */
export const readCells = perSource(async (source: Source, context: Context): Promise<NotebookReading> => {
  const notebook = await readNotebook(source, context)
  const images: Images = { byId: new Map(), inside: [] }
  const cells: CellBlocks[] = []
  for (const [index, cell] of notebook.cells.entries()) {
    context.signal.throwIfAborted()
    const own = cell.kind === 'markdown' ? await readText(cell.source, cell, images) : readCode(cell, notebook.language)
    const outputs: (readonly Block[])[] = []
    for (const output of cell.outputs) outputs.push(await readOutputBlocks(output, cell, images))
    cells.push({ cell, own, outputs })
    context.progress(0.6 + (0.4 * index) / notebook.cells.length)
  }
  return { cells, images }
})

/** A notebook as a document, with or without what its code printed. */
export const readNotebookDocument = async (
  source: Source,
  hasOutputs: boolean,
  context: Context,
): Promise<HtmlReading> => {
  const notebook = await readNotebook(source, context)
  const { cells, images } = await readCells(source, context)
  const blocks = cells.flatMap(({ own, outputs }) => [...own, ...(hasOutputs ? outputs.flat() : [])])
  const heading = blocks.find(({ kind }) => kind === 'heading')
  const title = notebook.title ?? (heading && textOfBlocks([heading]).trim())
  return {
    document: {
      ...(title ? { title } : {}),
      pageUnit: 'page',
      pages: [],
      blocks,
      notes: [],
      images: [...images.byId.values()],
    },
    inside: images.inside,
  }
}

const readCode = ({ kind, source }: Cell, language: string | undefined): Block[] =>
  source.trim() === ''
    ? []
    : [{ kind: 'code', text: source.replace(/^\n+|\s+$/g, ''), ...(kind === 'code' && language ? { language } : {}) }]

const addImage = (image: InlineImage, images: Images): string => {
  if (!images.byId.has(image.id)) {
    const { bytes: _bytes, ...facts } = image
    images.byId.set(image.id, facts)
    images.inside.push(image)
  }
  return image.id
}

/** Markdown of a cell or an output; HTML in it is read as HTML. */
const readText = async (text: string, cell: Cell, images: Images): Promise<Block[]> => {
  const findImage = (src: string): string | undefined => {
    const bundle = cell.attachments.get(safeDecode(src.replace(/^attachment:/i, '')))
    const image = /^attachment:/i.test(src) && bundle ? readImage(bundle) : undefined
    if (image) return addImage(image, images)
    return /^(?:https?:|\/\/|[^:]+$)/i.test(src) ? addLink(src, images) : readDataImage(src, images)
  }
  const waiting: { html: string; place: Block[] }[] = []
  const blocks = readMarkdown(text, {
    image: findImage,
    html: (html) => {
      const place: Block[] = []
      waiting.push({ html, place })
      return [{ kind: 'quote', blocks: place }]
    },
  })
  for (const { html, place } of waiting) place.push(...(await readHtmlBlocks(html, images, findImage)))
  const places = new Set<readonly Block[]>(waiting.map(({ place }) => place))
  return unwrap(blocks, places)
}

/** Puts the blocks of HTML where their place was held. */
const unwrap = (blocks: readonly Block[], places: ReadonlySet<readonly Block[]>): Block[] =>
  blocks.flatMap((block): Block[] => {
    if (block.kind === 'quote' && places.has(block.blocks)) return [...block.blocks]
    if (block.kind === 'quote') return [{ ...block, blocks: unwrap(block.blocks, places) }]
    return block.kind === 'item' && block.more ? [{ ...block, more: unwrap(block.more, places) }] : [block]
  })

const readHtmlBlocks = async (
  html: string,
  images: Images,
  findImage: (src: string) => string | undefined,
): Promise<readonly Block[]> => {
  const tree = await parseHtml(html)
  const { document } = readHtml(tree, {
    findImage: (src) => {
      const id = findImage(src)
      return id === undefined ? undefined : images.byId.get(id)
    },
  })
  return document.blocks
}

const addLink = (url: string, images: Images): string => {
  const known = [...images.byId.values()].find((image) => image.url === url)
  if (known) return known.id
  const id = `link-${images.byId.size + 1}`
  images.byId.set(id, { id, url })
  return id
}

const readDataImage = (src: string, images: Images): string | undefined => {
  const [, type, data] = /^data:(image\/[\w+.-]+);base64,([\s\S]+)$/i.exec(src) ?? []
  const image = type && data ? readImage({ [type.toLowerCase()]: data }) : undefined
  return image && addImage(image, images)
}

const safeDecode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const readOutputBlocks = async (output: Output, cell: Cell, images: Images): Promise<readonly Block[]> => {
  switch (output.kind) {
    case 'html':
      return await readHtmlBlocks(output.text, images, (src) => readDataImage(src, images) ?? addRemote(src, images))
    case 'markdown':
      return await readText(output.text, cell, images)
    case 'latex': {
      const latex = output.text.replace(/^\$\$?|\$?\$$|^\\\[|\\\]$/g, '').trim()
      return [{ kind: 'formula', text: latex, latex }]
    }
    case 'image': {
      const image = addImage(output.image, images)
      return [{ kind: 'image', image, alt: 'output' }]
    }
    case 'json':
      return [{ kind: 'code', text: output.text, language: 'json' }]
    default:
      return [{ kind: 'code', text: output.text.replace(/^\n+|\s+$/g, '') }]
  }
}

const addRemote = (src: string, images: Images): string | undefined =>
  /^(?:https?:|\/\/|[^:]+$)/i.test(src) ? addLink(src, images) : undefined
