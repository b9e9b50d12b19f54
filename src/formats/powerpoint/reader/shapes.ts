import type { Block, Box, DocumentImage, Furniture } from '../../shared/document/model.ts'
import { sortByReading } from '../../shared/document/reading-order.ts'
import type { Budget } from '../../shared/ooxml/budget.ts'
import { readChart, toChartTable } from '../../shared/ooxml/charts.ts'
import { mediaTypeOfPart } from '../../shared/ooxml/media.ts'
import type { OfficePackage, Relationships } from '../../shared/ooxml/package.ts'
import { readSmartArt } from '../../shared/ooxml/smart-art.ts'
import { childOf, childrenOf, descend, type Element, findFirst } from '../../shared/xml/tree.ts'
import { boxOf, enterGroup, identity, type Transform } from './geometry.ts'
import { furnitureRole, inheritedBox, inheritedBullet, isTitle, placeholderOf, type Template } from './placeholders.ts'
import { readTable } from './tables.ts'
import { readTextBody } from './text-body.ts'

/** What a shape says and where it stands. */
type Shape = { box: Box | undefined; blocks: Block[] }

/** What is on a slide. */
export type SlideContent = {
  title: Block[]
  /** In reading order. */
  blocks: Block[]
  furniture: Furniture[]
}

/** What the shapes of one slide are read with. */
export type SlideReading = {
  file: OfficePackage
  relationships: Relationships
  template: Template | undefined
  /** By name of the part that holds the image. */
  images: Map<string, DocumentImage>
  budget: Budget
}

/** Reads the shapes of a slide (`p:spTree`) in the order in which a person reads them. */
export const readShapes = async (tree: Element | undefined, reading: SlideReading): Promise<SlideContent> => {
  const content: SlideContent = { title: [], blocks: [], furniture: [] }
  const shapes = await readGroup(tree, reading, identity, content)
  content.blocks = shapes.flatMap(({ blocks }) => blocks)
  return content
}

const readGroup = async (
  group: Element | undefined,
  reading: SlideReading,
  transform: Transform,
  content: SlideContent,
): Promise<Shape[]> => {
  const shapes: Shape[] = []
  for (const element of childrenOf(group)) {
    if (descend(element, NON_VISUAL[element.name] ?? '', 'p:cNvPr')?.attributes.hidden === '1') continue
    const shape = await readShape(element, reading, transform, content)
    if (!shape || shape.blocks.length === 0) continue
    reading.budget.countBlocks(shape.blocks.length)
    shapes.push(shape)
  }
  return sortByReading(shapes)
}

const NON_VISUAL: Readonly<Record<string, string>> = {
  'p:sp': 'p:nvSpPr',
  'p:pic': 'p:nvPicPr',
  'p:graphicFrame': 'p:nvGraphicFramePr',
  'p:grpSp': 'p:nvGrpSpPr',
}

const readShape = async (
  element: Element,
  reading: SlideReading,
  transform: Transform,
  content: SlideContent,
): Promise<Shape | undefined> => {
  const place = (box: Box | undefined, blocks: Block[]): Shape => {
    const shown = box && transform(box)
    return { box: shown, blocks: shown ? blocks.map((block) => ({ ...block, box: shown })) : blocks }
  }
  switch (element.name) {
    case 'p:sp':
      return readTextShape(element, reading, place, content)
    case 'p:pic':
      return place(boxOf(descend(element, 'p:spPr', 'a:xfrm')), readPicture(element, reading))
    case 'p:graphicFrame':
      return place(boxOf(childOf(element, 'p:xfrm')), await readFrame(element, reading))
    case 'p:grpSp': {
      const own = descend(element, 'p:grpSpPr', 'a:xfrm')
      const inside = await readGroup(element, reading, enterGroup(own, transform), content)
      const box = boxOf(own)
      return { box: box && transform(box), blocks: inside.flatMap(({ blocks }) => blocks) }
    }
    default:
      return undefined
  }
}

const readTextShape = (
  element: Element,
  { relationships, template }: SlideReading,
  place: (box: Box | undefined, blocks: Block[]) => Shape,
  content: SlideContent,
): Shape | undefined => {
  const placeholder = placeholderOf(element)
  const bullets = placeholder && ((level: number) => inheritedBullet(template, placeholder, level))
  const blocks = readTextBody(childOf(element, 'p:txBody'), relationships, bullets)
  const own = boxOf(descend(element, 'p:spPr', 'a:xfrm'))
  const shape = place(own ?? (placeholder && inheritedBox(template, placeholder)), blocks)
  const role = placeholder && furnitureRole(placeholder)
  if (role) {
    for (const block of shape.blocks) {
      if (block.kind === 'paragraph' || block.kind === 'item')
        content.furniture.push({ kind: 'furniture', role, content: block.content })
    }
    return undefined
  }
  if (placeholder && isTitle(placeholder) && content.title.length === 0) {
    content.title = shape.blocks
    return undefined
  }
  return shape
}

const readPicture = (element: Element, { file, relationships, images }: SlideReading): Block[] => {
  const blip = descend(element, 'p:blipFill', 'a:blip')?.attributes['r:embed']
  const target = blip ? relationships.get(blip) : undefined
  if (!target || target.isExternal || !file.archive.find(target.target)) return []
  const id = target.target
  if (!images.has(id)) images.set(id, { id, mediaType: mediaTypeOfPart(id) })
  const { descr, title } = descend(element, 'p:nvPicPr', 'p:cNvPr')?.attributes ?? {}
  const alt = (descr || title || '').replace(/\s+/g, ' ').trim()
  return [{ kind: 'image', image: id, ...(alt === '' ? {} : { alt }) }]
}

/** Tables, charts, diagrams, and the pictures of embedded objects. */
const readFrame = async (element: Element, reading: SlideReading): Promise<Block[]> => {
  const data = descend(element, 'a:graphic', 'a:graphicData')
  const table = childOf(data, 'a:tbl')
  if (table) {
    const read = readTable(table, reading.relationships, reading.budget)
    return read ? [read] : []
  }
  const partOf = (id: string | undefined): string | undefined => {
    const target = id ? reading.relationships.get(id) : undefined
    return target && !target.isExternal ? target.target : undefined
  }
  const chart = partOf((childOf(data, 'c:chart') ?? childOf(data, 'cx:chart'))?.attributes['r:id'])
  if (chart !== undefined) {
    const read = reading.budget.takePart(chart) ? await readChart(reading.file, chart, reading.budget) : undefined
    return read ? [toChartTable(read)] : []
  }
  const diagram = partOf(childOf(data, 'dgm:relIds')?.attributes['r:dm'])
  if (diagram !== undefined) {
    return reading.budget.takePart(diagram) ? await readSmartArt(reading.file, diagram, reading.budget) : []
  }
  const picture = findFirst(data, 'p:pic')
  return picture ? readPicture(picture, reading) : []
}
