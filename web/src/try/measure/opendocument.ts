import { attributeOf, scanXml } from './scan-xml.ts'
import type { Zip } from './zip.ts'

const MAX_CONTENT_BYTES = 256 * 1_048_576
const CHARACTERS_PER_PAGE = 1_800
/** What is in the file and not in the text. */
const UNCOUNTED = new Set(['text:tracked-changes', 'office:annotation', 'office:binary-data', 'office:forms'])
const BODY = /^office:(?:text|presentation|drawing|spreadsheet)$/

type Counts = { kind: string; drawnPages: number; tables: number; characters: number }

/** Counts of an OpenDocument text, drawing, presentation or spreadsheet; empty where it is none, or encrypted. */
export const measureOpenDocument = async (
  zip: Zip,
): Promise<{ pageCount?: number; slideCount?: number; sheetCount?: number }> => {
  if (zip.names.has('encrypted-package')) return {}
  if (
    zip.names.has('META-INF/manifest.xml') &&
    (await zip.readText('META-INF/manifest.xml')).includes('encryption-data')
  )
    return {}
  const { kind, drawnPages, tables, characters } = await countContent(zip)
  switch (kind) {
    case 'office:presentation':
      return { slideCount: Math.max(1, drawnPages) }
    case 'office:drawing':
      return drawnPages > 0 ? { pageCount: drawnPages } : {}
    case 'office:spreadsheet':
      return tables > 0 ? { sheetCount: tables } : {}
    case 'office:text': {
      const stored = await readStoredPages(zip)
      return { pageCount: stored > 0 ? stored : Math.max(1, Math.ceil(characters / CHARACTERS_PER_PAGE)) }
    }
    default:
      return {}
  }
}

const countContent = async (zip: Zip): Promise<Counts> => {
  const counts: Counts = { kind: '', drawnPages: 0, tables: 0, characters: 0 }
  let depth = 0
  let bodyDepth = 0
  let uncountedDepth = 0
  let tableDepth = 0
  await scanXml(zip.open('content.xml', MAX_CONTENT_BYTES), {
    open(name) {
      depth++
      if (bodyDepth === 0 && depth === 3 && BODY.test(name)) {
        bodyDepth = depth
        counts.kind = name
      } else if (bodyDepth === 0) return
      else if (uncountedDepth > 0 || UNCOUNTED.has(name)) uncountedDepth++
      else if (name === 'draw:page') counts.drawnPages++
      if (name === 'table:table' && tableDepth++ === 0) counts.tables++
    },
    close(name) {
      if (name === 'table:table') tableDepth--
      if (uncountedDepth > 0) uncountedDepth--
      if (depth === bodyDepth) bodyDepth = 0
      depth--
    },
    text(text) {
      // Between the paragraphs of the body itself there is nothing but the writer's own line breaks.
      if (bodyDepth > 0 && depth > bodyDepth && uncountedDepth === 0) counts.characters += text.length
    },
  })
  return counts
}

const readStoredPages = async (zip: Zip): Promise<number> => {
  if (!zip.names.has('meta.xml')) return 0
  let stored = 0
  await scanXml(zip.open('meta.xml', MAX_CONTENT_BYTES), {
    open(name, attributes) {
      if (name === 'meta:document-statistic') stored = Number(attributeOf(attributes, 'meta:page-count') ?? 0)
    },
  })
  return Number.isInteger(stored) ? stored : 0
}
