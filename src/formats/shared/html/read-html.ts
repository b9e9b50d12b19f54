import { createHash } from 'node:crypto'
import type { DocumentImage, DocumentModel, Heading } from '../document/model.ts'
import type { Reading } from './flow.ts'
import { findMainContent } from './main-content.ts'
import { readBlocks } from './read-blocks.ts'
import { findElement, type HtmlElement, shownText } from './tree.ts'

/** An image that is part of the page itself. */
export type InlineImage = DocumentImage & { bytes: Buffer }

export type HtmlReading = { document: DocumentModel; inside: readonly InlineImage[] }

export type HtmlOptions = {
  /** `main` leaves out what surrounds the content on every page of a site. */
  content?: 'main' | 'full'
  /** The image behind an address that the page's container holds, as `cid:` in mail; undefined where it holds none. */
  findImage?: (src: string) => DocumentImage | undefined
  /** The address of a link as it is to be written; without it, links into the page itself lead nowhere. */
  findLink?: (href: string) => string | undefined
  /** The id of the note that a link refers to. */
  findNote?: (link: HtmlElement) => string | undefined
  /** Sees every heading with the element that it came from. */
  onHeading?: (element: HtmlElement, heading: Heading) => void
}

const MAX_IMAGES = 10_000

/** Reads a page, or a part of one, into the document model. Nothing it refers to is fetched. */
export const readHtml = (
  root: HtmlElement,
  { content = 'full', findImage, findLink, findNote, onHeading }: HtmlOptions = {},
): HtmlReading => {
  const images = new Map<string, DocumentImage>()
  const inside: InlineImage[] = []
  const addImage = (src: string): DocumentImage | undefined => {
    if (src === '' || images.size >= MAX_IMAGES) return undefined
    const held = findImage?.(src)
    if (held) return held
    const data = readDataUri(src)
    if (data) {
      inside.push(data)
      return data
    }
    return /^(?:https?:|\/\/|[^:]+$)/i.test(src) ? { id: `link-${images.size + 1}`, url: src } : undefined
  }
  const reading: Reading = {
    image: (src) => {
      const known = images.get(src)
      if (known) return known.id
      const made = addImage(src.trim())
      if (made) images.set(src, made)
      return made?.id
    },
    href: findLink ?? cleanHref,
    note: findNote,
    heading: onHeading,
  }
  const body = findElement(root, 'body') ?? root
  const blocks = readBlocks(content === 'main' ? findMainContent(body) : body, reading)
  const title = findElement(root, 'title')
  const language = findElement(root, 'html')?.attributes.lang
  const document: DocumentModel = {
    ...(title && shownText(title) !== '' ? { title: shownText(title) } : {}),
    ...(language ? { language } : {}),
    pageUnit: 'page',
    pages: [],
    blocks,
    notes: [],
    images: [...new Map([...images.values()].map((image) => [image.id, image])).values()],
  }
  return { document, inside }
}

/** Links that lead somewhere: not into the page itself, not into a script. */
const cleanHref = (raw: string): string | undefined => {
  const href = raw.trim()
  return href === '' || href.startsWith('#') || /^(?:javascript|data|vbscript|about):/i.test(href) ? undefined : href
}

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/x-icon': 'ico',
}

const readDataUri = (src: string): InlineImage | undefined => {
  const [, mediaType = '', base64, data = ''] = /^data:([\w/+.-]+)[^,]*?(;base64)?,([\s\S]*)$/i.exec(src) ?? []
  const extension = IMAGE_TYPES[mediaType.toLowerCase()]
  if (!extension || data === '') return undefined
  const bytes = base64 ? Buffer.from(data, 'base64') : Buffer.from(safeDecode(data))
  if (bytes.length === 0) return undefined
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  return { id, path: `images/${id}.${extension}`, mediaType: mediaType.toLowerCase(), bytes }
}

const safeDecode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
