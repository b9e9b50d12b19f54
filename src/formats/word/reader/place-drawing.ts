import { addText, type InlineStyle } from '../../shared/document/inline-content.ts'
import type { Block, Inline } from '../../shared/document/model.ts'
import { readChart, toChartTable } from '../../shared/ooxml/charts.ts'
import { mediaTypeOfPart } from '../../shared/ooxml/media.ts'
import { readSmartArt } from '../../shared/ooxml/smart-art.ts'
import { childOf, type Element } from '../../shared/xml/tree.ts'
import { readDrawing } from './drawings.ts'
import type { PartReading } from './reading.ts'

type Place = {
  part: PartReading
  content: Inline[]
  anchored: Block[]
  floating: Block[]
  style: InlineStyle
  readBlocks: (container: Element) => Block[]
}

/** Puts what a drawing holds where it belongs: pictures into the line, or before it where they float; all else after. */
export const placeDrawing = (
  drawing: Element,
  { part, content, anchored, floating, style, readBlocks }: Place,
): void => {
  const { reading, relationships } = part
  const isFloating = childOf(drawing, 'wp:anchor') !== undefined
  const defer = (read: () => Promise<Block[]>): void => {
    const stand: Block = { kind: 'paragraph', content: [] }
    anchored.push(stand)
    reading.deferred.set(stand, read)
  }
  for (const piece of readDrawing(drawing)) {
    switch (piece.kind) {
      case 'text-box':
        anchored.push(...readBlocks(piece.content))
        break
      case 'rule':
        anchored.push({ kind: 'rule' })
        break
      case 'text':
        addText(content, piece.text, style)
        break
      case 'image': {
        const target = relationships.get(piece.relationship)
        if (!target || target.isExternal || !reading.file.archive.find(target.target)) break
        const id = target.target
        const alt = piece.alt.replace(/\s+/g, ' ').trim()
        if (!reading.images.has(id)) reading.images.set(id, { id, mediaType: mediaTypeOfPart(id) })
        if (alt !== '' && !reading.altTexts.has(id)) reading.altTexts.set(id, alt)
        const image = { kind: 'image' as const, image: id, ...(alt === '' ? {} : { alt }) }
        if (isFloating) floating.push(image)
        else content.push(image)
        break
      }
      case 'chart': {
        const target = relationships.get(piece.relationship)
        if (target && !target.isExternal && reading.budget.takePart(target.target)) {
          defer(async () => {
            const chart = await readChart(reading.file, target.target, reading.budget)
            return chart ? [toChartTable(chart)] : []
          })
        }
        break
      }
      case 'smart-art': {
        const target = relationships.get(piece.relationship)
        if (target && !target.isExternal && reading.budget.takePart(target.target)) {
          defer(() => readSmartArt(reading.file, target.target, reading.budget))
        }
      }
    }
  }
}
