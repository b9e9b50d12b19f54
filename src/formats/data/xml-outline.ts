import type { Context, Source } from '../../core/catalog.ts'
import { perSource } from '../shared/per-source.ts'
import type { Span } from '../shared/read-chunks.ts'
import { type TableShape, TableShaper } from './flat-records.ts'
import { isScalar, type Tree } from './tree.ts'
import { readXmlRecords } from './xml-tree.ts'

/** A tree made of XML as a reader expects it: attributes by their bare names, lone texts as plain values. */
export const showAsOutline = (tree: Tree): Tree => {
  if (isScalar(tree)) return tree
  if (Array.isArray(tree)) return tree.map(showAsOutline)
  if (tree.size === 1 && tree.has('#text')) return tree.get('#text') ?? null
  const shown = new Map<string, Tree>()
  for (const [key, value] of tree) {
    if (/^@xmlns(?::|$)/.test(key)) continue
    const bare = key === '#text' ? 'text' : key === '#content' ? 'content' : key.replace(/^@/, '')
    shown.set(shown.has(bare) || (bare !== key && tree.has(bare)) ? key : bare, showAsOutline(value))
  }
  // <items><item/><item/></items>: the list is what matters, the wrapper says nothing more.
  const [only] = shown.values()
  return shown.size === 1 && Array.isArray(only) ? only : shown
}

/** Records of a list in XML, as a reader expects them. */
export async function* readOutlineRecords(
  source: Source,
  context: Context,
  encodingName: string,
  span: Span,
): AsyncGenerator<Tree[]> {
  for await (const batch of readXmlRecords(source, context, encodingName, span)) yield batch.map(showAsOutline)
}

/** Finds out whether the records of a list in XML make a table. */
export const findXmlRecords = perSource(
  async (source, context, encodingName): Promise<{ shape?: TableShape; isPlain: boolean }> => {
    const shaper = new TableShaper()
    let isTable = true
    let isPlain = true
    for await (const batch of readOutlineRecords(source, context, encodingName, [0.6, 0.8])) {
      for (const record of batch) {
        isTable = shaper.add(record) && isTable
        isPlain &&= isScalar(record)
      }
      if (!isTable && !isPlain) break
    }
    const shape = isTable ? shaper.finish() : undefined
    return { isPlain, ...(shape ? { shape } : {}) }
  },
)
