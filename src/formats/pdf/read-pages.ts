import { type ParsedPage, type PdfFile, parsePages, type StructureTreeElement } from '../../engines/liteparse.ts'
import type { PageContent, RuleLine, Shape, StructureElement, TextRun } from '../shared/layout/page-content.ts'

/** What stands on the pages, one at a time. */
export async function* readPages(file: PdfFile, pageNumbers: readonly number[]): AsyncGenerator<PageContent> {
  for await (const page of parsePages(file, pageNumbers)) yield toPageContent(page)
}

const toPageContent = (page: ParsedPage): PageContent => ({
  number: page.pageNum,
  ...(page.pageLabel ? { label: page.pageLabel } : {}),
  width: page.width,
  height: page.height,
  source: page.textItems.length > 0 ? 'text' : 'none',
  runs: page.textItems.map(toRun),
  lines: (page.vectorGraphics?.lines ?? []).map(toRule),
  shapes: (page.vectorGraphics?.shapes ?? []).map(toShape),
  images: [],
  links: (page.annotations ?? []).flatMap(({ uri, rect, quadpointRects }) =>
    uri && rect ? (quadpointRects.length > 0 ? quadpointRects : [rect]).map((area) => ({ ...area, uri })) : [],
  ),
  structure: (page.structureTree?.roots ?? []).map(toElement),
})

type TextItem = ParsedPage['textItems'][number]
type VectorGraphics = NonNullable<ParsedPage['vectorGraphics']>

const BOLD_WEIGHT = 600
const BOLD_NAME = /bold|black|heavy|semibold|demi/i
const ITALIC_NAME = /italic|oblique|slanted/i
const MONOSPACE_NAME = /mono|courier|consol|typewriter|menlo|fixed|lucidaconsole|cmtt/i

const toRun = (item: TextItem): TextRun => {
  const font = (item.fontName ?? '').replace(/^[A-Z]{6}\+/, '')
  const color = item.fillColor?.slice(2)
  return {
    text: item.text,
    x: item.x,
    y: item.y,
    width: item.width,
    height: item.height,
    font,
    fontSize: sizeOf(item),
    bold: (item.fontWeight ?? 0) >= BOLD_WEIGHT || BOLD_NAME.test(font),
    italic: ITALIC_NAME.test(font),
    monospace: MONOSPACE_NAME.test(font),
    ...(color && color !== '000000' ? { color } : {}),
    rotation: item.rotation ?? 0,
    ...(item.mcid !== undefined && item.mcid >= 0 ? { mcid: item.mcid } : {}),
    ...(item.words && item.words.length > 1 ? { words: item.words } : {}),
  }
}

/** `fontHeight` is made smaller by horizontal scaling; where the font's own height is that of the run, its size holds. */
const sizeOf = ({ fontSize, fontHeight, fontAscent, fontDescent, height }: TextItem): number => {
  const ownHeight = (fontAscent ?? 0) - (fontDescent ?? 0)
  if (fontSize && Math.abs(ownHeight - height) < height * 0.02) return fontSize
  return fontHeight ?? fontSize ?? height
}

const toRule = ({ x1, y1, x2, y2, strokeWidth, strokeColor, fillColor }: VectorGraphics['lines'][number]): RuleLine => {
  const color = (strokeColor ?? fillColor)?.slice(2)
  return { x1, y1, x2, y2, thickness: strokeWidth ?? 1, ...(color ? { color } : {}) }
}

const toShape = ({
  bbox,
  fill,
  fillColor,
  stroke,
  strokeColor,
  hasCurve,
}: VectorGraphics['shapes'][number]): Shape => ({
  ...bbox,
  ...(fill && fillColor ? { fill: fillColor.slice(2) } : {}),
  ...(stroke && strokeColor ? { stroke: strokeColor.slice(2) } : {}),
  curved: hasCurve,
})

const toElement = (element: StructureTreeElement): StructureElement => ({
  type: element.type,
  ...(element.altText ? { alt: element.altText } : {}),
  ...(element.actualText ? { actualText: element.actualText } : {}),
  attributes: element.attributes,
  mcids: element.markedContentIds,
  children: element.children.map(toElement),
})
