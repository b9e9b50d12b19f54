import { tableTexts } from '../../shared/document/write-table.ts'
import { readChart, toChartTable } from '../../shared/ooxml/charts.ts'
import type { OfficePackage, Relationships } from '../../shared/ooxml/package.ts'
import { readTree } from '../../shared/ooxml/read-part.ts'
import { childrenOf, type Element, findAll, findFirst, textOf } from '../../shared/xml/tree.ts'
import { MAX_COLUMNS, MAX_ROWS, type Range } from '../cell-reference.ts'
import { readPicture } from '../pictures.ts'
import type { Chart, Picture, SheetExtras } from '../workbook.ts'

type Drawn = Pick<SheetExtras, 'shapes'> & { pictures: Picture[]; charts: Chart[] }
const MAX_DRAWN = 10_000

const localName = ({ name }: Element): string => name.slice(name.indexOf(':') + 1)
const childNamed = (element: Element | undefined, name: string): Element | undefined =>
  childrenOf(element).find((child) => localName(child) === name)

/** Pictures, charts and shapes with text that a sheet shows, with the cells they lie over. */
export const readDrawings = async (file: OfficePackage, path: string, relationships: Relationships): Promise<Drawn> => {
  const pictures: Picture[] = []
  const charts: Chart[] = []
  const shapes: SheetExtras['shapes'][number][] = []
  for (const { type, target } of relationships.values()) {
    if (type !== 'drawing') continue
    const inner = await file.relationshipsOf(target)
    for (const anchor of childrenOf(await readTree(file, target))) {
      const range = anchorRange(anchor)
      const place = range ? { range } : {}
      for (const picture of findDrawn(anchor, 'pic')) {
        const found = toPicture(file, path, inner, picture)
        if (found && pictures.length < MAX_DRAWN) pictures.push({ ...found, ...place })
      }
      for (const frame of findDrawn(anchor, 'graphicFrame')) {
        const id = (findFirst(frame, 'c:chart') ?? findFirst(frame, 'cx:chart'))?.attributes['r:id']
        const part = id === undefined ? undefined : inner.get(id)
        const chart = part && !part.isExternal ? await readChart(file, part.target) : undefined
        if (!chart || charts.length >= MAX_DRAWN) continue
        const title = chart.title.replace(/\s+/g, ' ').trim()
        const facts = { ...(title ? { title } : {}), ...(chart.kind ? { kind: chart.kind } : {}) }
        charts.push({ ...place, ...facts, rows: tableTexts(toChartTable(chart), 'blank') })
      }
      for (const shape of findDrawn(anchor, 'sp')) {
        const text = paragraphsOf(shape)
        if (text !== '' && shapes.length < MAX_DRAWN) shapes.push({ ...place, text })
      }
    }
  }
  return { pictures, charts, shapes }
}

/** Drawn things of a kind, also those in groups. */
const findDrawn = (element: Element, kind: string, found: Element[] = []): Element[] => {
  for (const child of childrenOf(element)) {
    const name = localName(child)
    if (name === kind) found.push(child)
    else if (name === 'grpSp') findDrawn(child, kind, found)
  }
  return found
}

const toPicture = (
  file: OfficePackage,
  path: string,
  relationships: Relationships,
  picture: Element,
): Picture | undefined => {
  const id = findFirst(picture, 'a:blip')?.attributes['r:embed']
  const part = id === undefined ? undefined : relationships.get(id)
  if (!part || part.isExternal) return undefined
  const { descr: alt, name } = childNamed(childNamed(picture, 'nvPicPr'), 'cNvPr')?.attributes ?? {}
  const found = readPicture(file.archive, path, part.target)
  return found ? { ...found, ...(alt ? { alt } : {}), ...(name ? { name } : {}) } : undefined
}

const paragraphsOf = (shape: Element): string =>
  findAll(childNamed(shape, 'txBody'), 'a:p')
    .map((paragraph) => findAll(paragraph, 'a:t').map(textOf).join(''))
    .join('\n')
    .trim()

const anchorRange = (anchor: Element): Range | undefined => {
  const from = cornerOf(childNamed(anchor, 'from'))
  if (!from) return undefined
  const to = cornerOf(childNamed(anchor, 'to')) ?? from
  return {
    top: from.row,
    left: from.column,
    bottom: Math.max(from.row, to.row),
    right: Math.max(from.column, to.column),
  }
}

const cornerOf = (corner: Element | undefined): { row: number; column: number } | undefined => {
  if (!corner) return undefined
  const row = Number(textOf(childNamed(corner, 'row')).trim())
  const column = Number(textOf(childNamed(corner, 'col')).trim())
  const isInside = row >= 0 && row < MAX_ROWS && column >= 0 && column < MAX_COLUMNS
  return isInside && Number.isInteger(row) && Number.isInteger(column) ? { row, column } : undefined
}
