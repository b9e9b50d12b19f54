import { readXml } from '../shared/xml/read-xml.ts'
import type { NativeTag } from './tags.ts'

const LIMITS = { depth: 50, elements: 20_000 }
const MAX_TAGS = 2_000

/** The texts of an XML document with the path of names that leads to each; none where it is not well-formed. */
export const flattenXml = async (xml: string): Promise<NativeTag[]> => {
  const tags: NativeTag[] = []
  const path: string[] = []
  let text = ''
  const events = {
    open(name: string) {
      path.push(name)
      text = ''
    },
    text(piece: string) {
      text += piece
    },
    close() {
      const value = text.trim()
      // The outermost element only says what kind of document it is.
      if (value !== '' && tags.length < MAX_TAGS) tags.push({ id: path.slice(1).join('/'), value })
      path.pop()
      text = ''
    },
  }
  try {
    await readXml(Buffer.from(xml), new Map(), events, { limits: LIMITS })
  } catch {
    // What was read before the damage stays.
  }
  return tags
}
