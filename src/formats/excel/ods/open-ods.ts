import type { Context, Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { makePause } from '../../shared/read-chunks.ts'
import { readXml } from '../../shared/xml/read-xml.ts'
import { type Archive, type ArchiveEntry, openArchive } from '../../shared/zip/open-archive.ts'
import { readEntry } from '../entry-content.ts'
import { listPictures, readPicture } from '../pictures.ts'
import { type MarkupEvents, scanBytes } from '../scan-markup.ts'
import { isDamage, NO_EXTRAS, type ReadSheet, type SheetExtras, type Workbook } from '../workbook.ts'
import { createContentEvents, type OdsSheet } from './content.ts'

const MAX_SMALL_PART_BYTES = 16 * 1024 ** 2

/** Opens an OpenDocument spreadsheet. */
export const openOds = async (source: Source): Promise<Workbook> => {
  const archive = await openArchive(source.path)
  try {
    const content = await findContent(archive)
    return {
      is1904: false,
      facts: {
        properties: await readProperties(archive),
        definedNames: [],
        externalLinks: [],
        hasMacros: archive.entries.some(({ name }) => /^(?:Basic|Scripts)\/.+/.test(name)),
        isProtected: false,
        connections: [],
      },
      media: listPictures(archive, source.path, 'Pictures/'),
      async *readSheets(begin, sheetContext) {
        const sheets: ReadSheet[] = []
        const onSheet = (sheet: OdsSheet) =>
          sheets.push({ entry: sheet.entry, extras: toExtras(archive, source.path, sheet) })
        let begun = 0
        const events = createContentEvents(() => {
          begun++
          return begin()
        }, onSheet)
        try {
          await scanContent(archive, content, events, sheetContext)
        } catch (error) {
          if (!isDamage(error)) throw error
          // The table that was being read is there up to the damage.
          const name = `Sheet${begun}`
          if (begun === 0) throw error
          if (sheets.length < begun) {
            sheets.push({
              entry: { name, kind: 'worksheet', visibility: 'visible' },
              extras: NO_EXTRAS,
              problem: error,
            })
          }
        }
        yield* sheets
      },
      close: archive.close,
    }
  } catch (error) {
    archive.close()
    throw error
  }
}

/** How many tables a document has. */
export const countOdsSheets = async (source: Source, context: Context): Promise<number> => {
  const archive = await openArchive(source.path)
  try {
    let depth = 0
    let tables = 0
    const events: MarkupEvents = {
      open(name) {
        if (name === 'table' && depth++ === 0) tables++
      },
      close(name) {
        if (name === 'table') depth--
      },
      text: () => undefined,
    }
    await scanContent(archive, await findContent(archive), events, context)
    return tables
  } finally {
    archive.close()
  }
}

const scanContent = async (
  archive: Archive,
  content: ArchiveEntry,
  events: MarkupEvents,
  context: Context,
): Promise<void> => {
  const onShare = (share: number) => context.progress(share)
  await scanBytes(readEntry(archive, content, onShare), events, makePause(context))
}

const findContent = async (archive: Archive): Promise<ArchiveEntry> => {
  const manifest = archive.find('META-INF/manifest.xml')
  if (archive.find('encrypted-package')) throw new JobFailure('extract.source_encrypted')
  if (manifest && (await archive.read(manifest, MAX_SMALL_PART_BYTES)).includes(':encryption-data')) {
    throw new JobFailure('extract.source_encrypted')
  }
  const content = archive.find('content.xml')
  if (content) return content
  throw new JobFailure(
    'extract.source_unreadable',
    { reason: 'no-document' },
    { detail: 'The archive holds no spreadsheet.' },
  )
}

const toExtras = (archive: Archive, path: string, sheet: OdsSheet): SheetExtras => {
  const { merges, comments, hyperlinks, hiddenColumns, shapes, isProtected } = sheet
  const pictures = sheet.pictures.flatMap(({ part, row, column, alt }) => {
    const picture = readPicture(archive, path, part)
    const range = { top: row, left: column, bottom: row, right: column }
    return picture ? [{ ...picture, range, ...(alt ? { alt } : {}) }] : []
  })
  return { ...NO_EXTRAS, merges, comments, hyperlinks, hiddenColumns, shapes, isProtected, pictures }
}

const MAX_PROPERTIES = 1_000

const readProperties = async (archive: Archive): Promise<Record<string, unknown>> => {
  const entry = archive.find('meta.xml')
  if (!entry) return {}
  const found: Record<string, unknown> = {}
  const custom: Record<string, string> = {}
  let text = ''
  let customName = ''
  await readXml(await archive.read(entry, MAX_SMALL_PART_BYTES), new Map(), {
    open(name, attributes) {
      text = ''
      customName = name === 'meta:user-defined' ? (attributes['meta:name'] ?? '') : ''
    },
    close(name) {
      const value = text.trim().slice(0, 10_000)
      text = ''
      if (value === '' || Object.keys(found).length >= MAX_PROPERTIES) return
      if (name === 'meta:user-defined') custom[customName] = value
      else if (/^(?:dc|meta):/.test(name)) found[PROPERTY_NAMES[name] ?? camelCase(name)] = value
    },
    text(piece) {
      text += piece
    },
  })
  return Object.keys(custom).length > 0 ? { ...found, custom } : found
}

const PROPERTY_NAMES: Readonly<Record<string, string>> = {
  'dc:creator': 'lastModifiedBy',
  'dc:date': 'modified',
  'meta:initial-creator': 'author',
  'meta:creation-date': 'created',
  'meta:generator': 'application',
}
const camelCase = (name: string): string =>
  name.slice(name.indexOf(':') + 1).replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())
