import type { Block, Inline } from '../../shared/document/model.ts'
import { toLatex } from '../../shared/mathml/to-latex.ts'
import { toLinear } from '../../shared/mathml/to-linear.ts'
import { createBudget } from '../../shared/ooxml/budget.ts'
import { dropDocumentType } from '../../shared/xml/drop-document-type.ts'
import { parseTree } from '../../shared/xml/parse-tree.ts'
import { type Element, findAll, findFirst } from '../../shared/xml/tree.ts'
import { ODF_PREFIXES } from '../package/namespaces.ts'
import type { OdfPackage } from '../package/open-package.ts'
import { plainLines } from './plain-lines.ts'
import { readTable } from './read-table.ts'
import type { EmbeddedObject } from './reading.ts'

const MAX_OBJECTS = 2_000
const MAX_OBJECT_BYTES = 16 * 1024 ** 2
const MAX_TOTAL_BYTES = 64 * 1024 ** 2
const LIMITS = { depth: 200, elements: 1_000_000 }

/** Formulas, charts and sheets inside the document, by the name of their folder; what cannot be read is left out. */
export const readObjects = async (file: OdfPackage): Promise<Map<string, EmbeddedObject>> => {
  const objects = new Map<string, EmbeddedObject>()
  let totalBytes = 0
  for (const { name, bytes } of file.parts) {
    const folder = /^((?!META-INF|Basic|Configurations).+)\/content\.xml$/.exec(name)?.[1]
    if (folder === undefined || bytes > MAX_OBJECT_BYTES || totalBytes + bytes > MAX_TOTAL_BYTES) continue
    if (objects.size >= MAX_OBJECTS) break
    totalBytes += bytes
    const object = await readPart(file, name)
    if (object) objects.set(folder, object)
  }
  return objects
}

const readPart = async (file: OdfPackage, name: string): Promise<EmbeddedObject | undefined> => {
  try {
    const content = await file.read(name, MAX_OBJECT_BYTES)
    const tree = await parseTree(dropDocumentType(content), ODF_PREFIXES, LIMITS)
    return tree && readObject(tree)
  } catch {
    return undefined
  }
}

/** What an object says: a formula, or the tables of a chart or a sheet. */
export const readObject = (root: Element): EmbeddedObject | undefined => {
  if (root.name === 'math:math') {
    const text = toLinear(root)
    const latex = toLatex(root)
    return text === '' && latex === '' ? undefined : { kind: 'formula', text, ...(latex ? { latex } : {}) }
  }
  const blocks = findAll(root, 'table:table').flatMap((table) => readTable(table, createBudget(), readCell))
  const title = findFirst(findFirst(root, 'chart:chart'), 'chart:title')
  const caption: Inline[] = title ? [{ kind: 'text', text: plainLines(title).replaceAll('\n', ' ') }] : []
  if (blocks.length === 0)
    return caption.length > 0 ? { kind: 'blocks', blocks: [{ kind: 'paragraph', content: caption }] } : undefined
  const isChart = findFirst(root, 'chart:chart') !== undefined
  return {
    kind: 'blocks',
    blocks: blocks.map((block, index) =>
      block.kind === 'table' && isChart && index === 0
        ? { ...block, headerRows: Math.max(1, block.headerRows), ...(caption.length > 0 ? { caption } : {}) }
        : block,
    ),
  }
}

const readCell = (cell: Element): Block[] => {
  const text = plainLines(cell)
  // A chart writes a place without a value as the value that is none.
  return text === '' || text === 'NaN' ? [] : [{ kind: 'paragraph', content: [{ kind: 'text', text }] }]
}
