import { createHash } from 'node:crypto'
import type { Block, DocumentImage, Inline } from '../../shared/document/model.ts'
import { mediaTypeOfPart } from '../../shared/ooxml/media.ts'
import { childOf, childrenOf, type Element, nameSet, textOf } from '../../shared/xml/tree.ts'
import { readObject } from './objects.ts'
import type { EmbeddedObject, Reading } from './reading.ts'

/** A drawing that stands in the line, or beside it as blocks. */
export type Drawing = { inline: Inline } | { blocks: Block[] }

type ReadBlocks = (element: Element) => Block[]

const SHAPES = nameSet(`
  draw:frame draw:g draw:a draw:custom-shape draw:rect draw:ellipse draw:circle draw:line draw:polyline draw:polygon
  draw:regular-polygon draw:path draw:connector draw:measure draw:caption draw:page-thumbnail dr3d:scene
`)

export const isDrawing = ({ name }: Element): boolean => SHAPES.has(name)

/** Reads a frame, a shape or a group of them; undefined where it says and shows nothing. */
export const readDrawing = (element: Element, reading: Reading, readBlocks: ReadBlocks): Drawing | undefined => {
  reading.budget.countBlocks()
  switch (element.name) {
    case 'draw:frame':
      return readFrame(element, reading, readBlocks)
    case 'draw:g':
    case 'draw:a': {
      const blocks = childrenOf(element)
        .filter(isDrawing)
        .flatMap((child) => toBlocks(readDrawing(child, reading, readBlocks)))
      return blocks.length > 0 ? { blocks } : undefined
    }
    default: {
      const blocks = readBlocks(element)
      return blocks.length > 0 ? { blocks } : undefined
    }
  }
}

/** A drawing that stands by itself. */
export const toBlocks = (drawing: Drawing | undefined): Block[] => {
  if (!drawing) return []
  if ('blocks' in drawing) return drawing.blocks
  const { inline } = drawing
  return inline.kind === 'image' || inline.kind === 'formula' ? [inline] : []
}

const readFrame = (frame: Element, reading: Reading, readBlocks: ReadBlocks): Drawing | undefined => {
  const parts = childrenOf(frame)
  const box = parts.find(({ name }) => name === 'draw:text-box')
  if (box) {
    const blocks = readBlocks(box)
    return blocks.length > 0 ? { blocks } : undefined
  }
  const table = parts.find(({ name }) => name === 'table:table')
  if (table) return { blocks: readBlocks({ name: 'draw:frame', attributes: {}, children: [table] }) }
  const object = parts.find(({ name }) => name === 'draw:object' || name === 'draw:object-ole')
  const embedded = object && findObject(object, reading)
  if (embedded?.kind === 'formula') return { inline: embedded }
  if (embedded) return { blocks: [...embedded.blocks] }
  const image = readImage(parts, reading, altOf(frame))
  if (object && !image) reading.unreadObjects++
  return image && { inline: image }
}

/** An object of another part of the file, or one that stands here itself. */
const findObject = (object: Element, reading: Reading): EmbeddedObject | undefined => {
  const inside = childrenOf(object).find(({ name }) => name === 'math:math' || name === 'office:document')
  if (inside) return readObject(inside)
  const part = (object.attributes['xlink:href'] ?? '').replace(/^\.\/|\/$/g, '')
  return reading.objects.get(part)
}

const altOf = (frame: Element): string =>
  [childOf(frame, 'svg:title'), childOf(frame, 'svg:desc')]
    .map((element) => textOf(element).replace(/\s+/g, ' ').trim())
    .filter((text, index, all) => text !== '' && all.indexOf(text) === index)
    .join('. ')

/** The first picture of a frame: the others show the same for programs that cannot show it. */
const readImage = (parts: readonly Element[], reading: Reading, alt: string): Inline | undefined => {
  for (const part of parts.filter(({ name }) => name === 'draw:image')) {
    const image = findImage(part, reading)
    if (!image) continue
    reading.images.set(image.id, image)
    if (alt !== '' && !reading.altTexts.has(image.id)) reading.altTexts.set(image.id, alt)
    return { kind: 'image', image: image.id, ...(alt === '' ? {} : { alt }) }
  }
  return undefined
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/svg+xml': 'svg',
  'image/bmp': 'bmp',
  'image/webp': 'webp',
}

const findImage = (element: Element, reading: Reading): DocumentImage | undefined => {
  const data = childOf(element, 'office:binary-data')
  if (data) {
    const bytes = Buffer.from(textOf(data), 'base64')
    if (bytes.length === 0) return undefined
    const given = element.attributes['draw:mime-type'] ?? element.attributes['loext:mime-type']
    const mediaType = given && EXTENSIONS[given] ? given : typeOfBytes(bytes)
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
    const id = `Pictures/${digest}.${EXTENSIONS[mediaType] ?? 'bin'}`
    reading.inside.set(id, bytes)
    return { id, mediaType }
  }
  const href = (element.attributes['xlink:href'] ?? '').replace(/^\.\//, '')
  if (href === '' || href.startsWith('#')) return undefined
  if (/^(?:https?|ftp):/i.test(href)) return { id: href, url: href }
  // Pictures beside the file are not part of it; those of objects only stand in for them.
  if (/^(?:\.\.|[a-z][a-z\d+.-]*:|\/)/i.test(href)) return undefined
  return { id: href, mediaType: mediaTypeOfPart(href) }
}

const typeOfBytes = (bytes: Buffer): string => {
  const head = bytes.subarray(0, 4).toString('hex')
  if (head === '89504e47') return 'image/png'
  if (head.startsWith('ffd8ff')) return 'image/jpeg'
  if (head === '47494638') return 'image/gif'
  return /^\s*<(?:\?xml|svg)/.test(bytes.subarray(0, 100).toString('latin1'))
    ? 'image/svg+xml'
    : 'application/octet-stream'
}
