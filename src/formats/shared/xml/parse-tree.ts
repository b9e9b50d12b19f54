import { readXml, type XmlLimits } from './read-xml.ts'
import { createRootReader, type Element } from './tree.ts'

/** A small XML file as one tree; undefined where it holds no element. */
export const parseTree = async (
  content: Uint8Array,
  prefixes: ReadonlyMap<string, string>,
  limits: XmlLimits,
): Promise<Element | undefined> => {
  const reader = createRootReader()
  await readXml(content, prefixes, reader.events, { limits })
  return reader.root
}
