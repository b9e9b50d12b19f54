import { childOf, type Element, textOf } from '../../shared/xml/tree.ts'

/** What a drawing holds, in document order. */
export type DrawingPiece =
  | { kind: 'image'; relationship: string; alt: string }
  | { kind: 'text-box'; content: Element }
  | { kind: 'chart'; relationship: string }
  | { kind: 'smart-art'; relationship: string }
  /** Text bent along a line. */
  | { kind: 'text'; text: string }
  | { kind: 'rule' }

/** Looks through a drawing of either kind: shapes of today (`w:drawing`) or of old (`w:pict`, `w:object`). */
export const readDrawing = (drawing: Element): DrawingPiece[] => {
  const pieces: DrawingPiece[] = []
  visit(drawing, '', pieces)
  return pieces
}

const visit = (element: Element, alt: string, pieces: DrawingPiece[]): void => {
  const { attributes } = element
  switch (element.name) {
    case 'w:txbxContent':
      pieces.push({ kind: 'text-box', content: element })
      return
    case 'a:blip': {
      const relationship = attributes['r:embed'] ?? attributes['r:link']
      if (relationship) pieces.push({ kind: 'image', relationship, alt })
      return
    }
    case 'v:imagedata': {
      const relationship = attributes['r:id'] ?? attributes['r:pict'] ?? attributes['o:relid']
      if (relationship) pieces.push({ kind: 'image', relationship, alt: alt || (attributes['o:title'] ?? '') })
      return
    }
    case 'c:chart':
    case 'cx:chart':
      if (attributes['r:id']) pieces.push({ kind: 'chart', relationship: attributes['r:id'] })
      return
    case 'dgm:relIds':
      if (attributes['r:dm']) pieces.push({ kind: 'smart-art', relationship: attributes['r:dm'] })
      return
    case 'v:textpath':
      if (attributes.string?.trim()) pieces.push({ kind: 'text', text: attributes.string })
      return
    case 'w:t':
      pieces.push({ kind: 'text', text: textOf(element) })
      return
  }
  if (attributes['o:hr'] === 't') pieces.push({ kind: 'rule' })
  const own = descriptionOf(element) || (attributes.alt ?? '') || alt
  for (const child of element.children) if (typeof child !== 'string') visit(child, own, pieces)
}

/** Text for those who do not see the picture: of the picture itself, else of the drawing around it. */
const descriptionOf = (element: Element): string => {
  const properties =
    element.name === 'pic:pic'
      ? childOf(childOf(element, 'pic:nvPicPr'), 'pic:cNvPr')
      : element.name === 'wp:inline' || element.name === 'wp:anchor'
        ? childOf(element, 'wp:docPr')
        : undefined
  return properties?.attributes.descr || properties?.attributes.title || ''
}
