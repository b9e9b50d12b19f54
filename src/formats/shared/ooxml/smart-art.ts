import type { Block } from '../document/model.ts'
import { childOf, childrenOf, type Element, findAll, nameSet, textOf } from '../xml/tree.ts'
import type { Budget } from './budget.ts'
import type { OfficePackage } from './package.ts'
import { readTree } from './read-part.ts'

const MAX_POINTS = 20_000
const MAX_DEPTH = 40
const SKIPPED = nameSet(`
  dgm:spPr dgm:style dgm:extLst dgm:bg dgm:whole dgm:prSet a:rPr a:bodyPr a:lstStyle
`)

/** The texts of a SmartArt drawing as a nested list. */
export const readSmartArt = async (file: OfficePackage, dataPart: string, budget: Budget): Promise<Block[]> => {
  const tree = await readTree(file, dataPart, SKIPPED)
  const points = childrenOf(childOf(tree, 'dgm:ptLst'), 'dgm:pt').slice(0, MAX_POINTS)
  const texts = new Map(points.map((point) => [point.attributes.modelId ?? '', textsOf(point)]))
  const children = linkPoints(tree)
  const roots = points
    .filter(({ attributes }) => attributes.type === 'doc')
    .map(({ attributes }) => attributes.modelId ?? '')
  const blocks: Block[] = []
  const seen = new Set<string>()
  const visit = (id: string, depth: number): void => {
    if (seen.has(id) || depth > MAX_DEPTH) return
    seen.add(id)
    const lines = texts.get(id) ?? []
    budget.countBlocks(lines.length)
    for (const text of lines) {
      blocks.push({
        kind: 'item',
        depth: Math.max(0, depth),
        ordered: false,
        marker: '•',
        content: [{ kind: 'text', text }],
      })
    }
    for (const child of children.get(id) ?? []) visit(child, lines.length > 0 ? depth + 1 : Math.max(0, depth))
  }
  for (const root of roots) visit(root, -1)
  // What no connection leads to is still text of the drawing.
  for (const { attributes } of points) {
    if (attributes.type === undefined || attributes.type === 'node' || attributes.type === 'asst')
      visit(attributes.modelId ?? '', 0)
  }
  return blocks
}

const textsOf = (point: Element): string[] =>
  findAll(childOf(point, 'dgm:t'), 'a:p')
    .map((paragraph) => findAll(paragraph, 'a:t').map(textOf).join('').trim())
    .filter((text) => text !== '')

/** Parent → children in their order. */
const linkPoints = (tree: Element | undefined): Map<string, string[]> => {
  const links = childrenOf(childOf(tree, 'dgm:cxnLst'), 'dgm:cxn')
    .filter(({ attributes }) => attributes.type === undefined || attributes.type === 'parOf')
    .slice(0, MAX_POINTS)
    .toSorted((a, b) => Number(a.attributes.srcOrd ?? 0) - Number(b.attributes.srcOrd ?? 0))
  const children = new Map<string, string[]>()
  for (const { attributes } of links) {
    const parent = attributes.srcId ?? ''
    const known = children.get(parent) ?? []
    known.push(attributes.destId ?? '')
    children.set(parent, known)
  }
  return children
}
