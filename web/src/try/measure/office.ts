import { attributeOf, scanXml } from './scan-xml.ts'
import type { Zip } from './zip.ts'

type Relationship = { type: string; target: string; isExternal: boolean }

const MAX_PART_BYTES = 64 * 1_048_576
const CHARACTERS_PER_PAGE = 1_800
/** Tabs that are no worksheets. */
const OTHER_TABS = ['chartsheet', 'dialogsheet', 'xlMacrosheet', 'xlIntlMacrosheet']

/** Counts of a Word, PowerPoint or Excel file of 2007 or later; empty where it is none of them. */
export const measureOffice = async (
  zip: Zip,
): Promise<{ pageCount?: number; slideCount?: number; sheetCount?: number }> => {
  const relationships = await readRelationships(zip, '')
  const main = targetOf(relationships, 'officeDocument')
  if (main === undefined || !zip.names.has(main)) return {}
  const found: { root?: string; slides: string[]; sheets: string[] } = { slides: [], sheets: [] }
  let characters = 0
  let isText = false
  let hasAlternatives = false
  await scanXml(zip.open(main, MAX_PART_BYTES), {
    open(name, attributes) {
      found.root ??= name
      if (name === 'p:sldId') found.slides.push(attributeOf(attributes, 'r:id') ?? '')
      // Excel's own names have no prefix.
      if (name === 'sheet') found.sheets.push(attributeOf(attributes, 'r:id') ?? '')
      if (name === 'mc:AlternateContent') hasAlternatives = true
      isText = name === 'w:t' || name === 'm:t'
    },
    close() {
      isText = false
    },
    text(text) {
      if (isText) characters += text.length
    },
  })
  switch (found.root) {
    case 'w:document': {
      const pages = await readStatedPages(zip, targetOf(relationships, 'extended-properties'))
      if (pages > 0) return { pageCount: pages }
      // Of alternatives only one is read, and which is not for us to say.
      return hasAlternatives ? {} : { pageCount: Math.max(1, Math.ceil(characters / CHARACTERS_PER_PAGE)) }
    }
    case 'p:presentation': {
      const parts = await readRelationships(zip, main)
      const slides = found.slides.flatMap((id) => {
        const part = parts.get(id)
        return part && !part.isExternal && zip.names.has(part.target) ? [part.target] : []
      })
      return { slideCount: Math.max(1, new Set(slides).size) }
    }
    case 'workbook': {
      const parts = await readRelationships(zip, main)
      return { sheetCount: found.sheets.filter((id) => !OTHER_TABS.includes(parts.get(id)?.type ?? '')).length }
    }
    default:
      return {}
  }
}

const targetOf = (relationships: ReadonlyMap<string, Relationship>, type: string): string | undefined =>
  relationships.values().find((one) => one.type === type && !one.isExternal)?.target

const readRelationships = async (zip: Zip, part: string): Promise<Map<string, Relationship>> => {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const name = `${folder}_rels/${part.slice(folder.length)}.rels`
  const found = new Map<string, Relationship>()
  if (!zip.names.has(name)) return found
  await scanXml(zip.open(name, MAX_PART_BYTES), {
    open(tag, attributes) {
      if (tag !== 'Relationship') return
      const [id, type = '', target = ''] = ['Id', 'Type', 'Target'].map((key) => attributeOf(attributes, key))
      if (id === undefined) return
      const isExternal = attributeOf(attributes, 'TargetMode') === 'External'
      found.set(id, { type: type.slice(type.lastIndexOf('/') + 1), target: resolve(folder, target), isExternal })
    },
  })
  return found
}

/** The name of a part as one in `folder` writes it. */
const resolve = (folder: string, target: string): string => {
  // The rules of addresses are the rules of parts.
  const base = new URL(folder, 'part:///')
  try {
    return decodeURIComponent(new URL(target, base).pathname).replace(/^\/+/, '')
  } catch {
    return ''
  }
}

const readStatedPages = async (zip: Zip, part: string | undefined): Promise<number> => {
  if (part === undefined || !zip.names.has(part)) return 0
  let isPages = false
  let stated = ''
  try {
    await scanXml(zip.open(part, MAX_PART_BYTES), {
      open(name) {
        isPages = name === 'Pages' || name.endsWith(':Pages')
      },
      close() {
        isPages = false
      },
      text(text) {
        if (isPages) stated += text
      },
    })
  } catch {
    return 0
  }
  return /^\s*\d+\s*$/.test(stated) ? Number(stated) : 0
}
