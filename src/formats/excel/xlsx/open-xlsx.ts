import type { Context, Source } from '../../../core/catalog.ts'
import { openPackage } from '../../shared/ooxml/open-package.ts'
import { findByType, type OfficePackage, type Relationships } from '../../shared/ooxml/package.ts'
import { type OfficeProperties, readProperties } from '../../shared/ooxml/properties.ts'
import { readTree } from '../../shared/ooxml/read-part.ts'
import { childOf, childrenOf, type Element, textOf } from '../../shared/xml/tree.ts'
import { readRange } from '../cell-reference.ts'
import { listPictures } from '../pictures.ts'
import { sheetKindOf } from '../sheet-kind.ts'
import {
  type Hyperlink,
  isDamage,
  type ListTable,
  NO_EXTRAS,
  type SheetEntry,
  type SheetExtras,
  type Workbook,
  type WorkbookFacts,
} from '../workbook.ts'
import { readComments, readPersons } from './comments.ts'
import { readDrawings } from './drawings.ts'
import { readSharedStrings } from './shared-strings.ts'
import { readCellFormats } from './styles.ts'
import { readWorksheet, type WorksheetFacts } from './worksheet.ts'

const MAX_SHEETS = 10_000
const MAX_NAMES = 20_000

type Tab = SheetEntry & { part: string | undefined }
type Main = { root: Element | undefined; relationships: Relationships; tabs: Tab[] }

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true'

const readMain = async (file: OfficePackage): Promise<Main> => {
  const root = await readTree(file, file.mainPart)
  const relationships = await file.relationshipsOf(file.mainPart)
  const tabs = childrenOf(childOf(root, 'x:sheets'), 'x:sheet')
    .slice(0, MAX_SHEETS)
    .map(({ attributes }, index): Tab => {
      const related = relationships.get(attributes['r:id'] ?? '')
      return {
        name: attributes.name ?? `Sheet${index + 1}`,
        kind: sheetKindOf(related?.type),
        visibility:
          attributes.state === 'hidden' ? 'hidden' : attributes.state === 'veryHidden' ? 'very-hidden' : 'visible',
        part: related?.isExternal ? undefined : related?.target,
      }
    })
  return { root, relationships, tabs }
}

/** The tabs of a workbook by its main part alone. */
export const listXlsxSheets = async (source: Source): Promise<SheetEntry[]> => {
  const file = await openPackage(source)
  try {
    return (await readMain(file)).tabs
  } finally {
    file.close()
  }
}

/** Opens an Excel workbook of 2007 or later. */
export const openXlsx = async (source: Source, context: Context): Promise<Workbook> => {
  const file = await openPackage(source)
  try {
    return await openParts(file, source.path, context)
  } catch (error) {
    file.close()
    throw error
  }
}

const openParts = async (file: OfficePackage, path: string, context: Context): Promise<Workbook> => {
  const { root, relationships, tabs } = await readMain(file)
  const strings = await readSharedStrings(file, findByType(relationships, 'sharedStrings')?.target, context)
  const formats = await readCellFormats(file, findByType(relationships, 'styles')?.target)
  const persons = await readPersons(file, relationships)
  const is1904 = isTrue(childOf(root, 'x:workbookPr')?.attributes.date1904)
  return {
    is1904,
    facts: await readFacts(file, root, relationships, tabs),
    media: listPictures(file.archive, path, 'xl/media/'),
    async *readSheets(begin, sheetContext) {
      for (const [index, { part, ...entry }] of tabs.entries()) {
        const sink = begin()
        const onShare = (share: number) => sheetContext.progress((index + share) / tabs.length)
        try {
          const facts =
            part === undefined || entry.kind === 'chartsheet'
              ? undefined
              : await readWorksheet(file, part, { strings, formats, is1904 }, sink, sheetContext, onShare)
          yield { entry, extras: await readExtras(file, path, part, facts, persons) }
        } catch (error) {
          if (!isDamage(error)) throw error
          yield { entry, extras: NO_EXTRAS, problem: error }
        }
      }
    },
    close() {
      strings.close()
      file.close()
    },
  }
}

const readExtras = async (
  file: OfficePackage,
  path: string,
  part: string | undefined,
  facts: WorksheetFacts | undefined,
  persons: ReadonlyMap<string, string>,
): Promise<SheetExtras> => {
  const relationships: Relationships = part === undefined ? new Map() : await file.relationshipsOf(part)
  const { hyperlinks = [], ...known } = facts ?? {
    merges: [],
    hiddenColumns: [],
    isProtected: false,
    isRightToLeft: false,
    dataValidations: 0,
    conditionalFormats: 0,
  }
  return {
    ...known,
    ...(await readDrawings(file, path, relationships)),
    comments: await readComments(file, relationships, persons),
    hyperlinks: hyperlinks.flatMap((link) => toHyperlink(link, relationships)),
    ...(await readTables(file, relationships)),
  }
}

const toHyperlink = (
  { range, id, location, tooltip }: WorksheetFacts['hyperlinks'][number],
  relationships: Relationships,
): Hyperlink[] => {
  const outside = id === undefined ? undefined : relationships.get(id)?.target
  const target = [outside, location].filter(Boolean).join('#')
  if (target === '') return []
  return [{ range, target: outside ? target : `#${target}`, ...(tooltip ? { tooltip } : {}) }]
}

const readTables = async (
  file: OfficePackage,
  relationships: Relationships,
): Promise<Pick<SheetExtras, 'tables' | 'pivotTables'>> => {
  const tables: ListTable[] = []
  const pivotTables: SheetExtras['pivotTables'][number][] = []
  for (const { type, target } of relationships.values()) {
    if (type === 'table') {
      const root = await readTree(file, target)
      const range = readRange(root?.attributes.ref ?? '')
      if (!root || !range) continue
      const columns = childrenOf(childOf(root, 'x:tableColumns'), 'x:tableColumn')
      tables.push({
        name: root.attributes.displayName ?? root.attributes.name ?? '',
        range,
        columns: columns.map(({ attributes }) => attributes.name ?? ''),
        hasHeader: root.attributes.headerRowCount !== '0',
      })
    } else if (type === 'pivotTable') {
      const root = await readTree(file, target)
      const range = readRange(childOf(root, 'x:location')?.attributes.ref ?? '')
      if (root) pivotTables.push({ name: root.attributes.name ?? '', ...(range ? { range } : {}) })
    }
  }
  return { tables, pivotTables }
}

const readFacts = async (
  file: OfficePackage,
  root: Element | undefined,
  relationships: Relationships,
  tabs: readonly Tab[],
): Promise<WorkbookFacts> => {
  const all = [...relationships.values()]
  const names = childrenOf(childOf(root, 'x:definedNames'), 'x:definedName').slice(0, MAX_NAMES)
  const protection = childOf(root, 'x:workbookProtection')
  return {
    properties: flatten(await readProperties(file)),
    definedNames: names.map((name) => {
      const { name: label = '', localSheetId, hidden } = name.attributes
      const sheet = localSheetId === undefined ? undefined : tabs[Number(localSheetId)]?.name
      return {
        name: label,
        refersTo: textOf(name),
        ...(sheet === undefined ? {} : { sheet }),
        ...(isTrue(hidden) ? { hidden: true as const } : {}),
      }
    }),
    externalLinks: await readExternalLinks(
      file,
      all.filter(({ type }) => type === 'externalLink').map(({ target }) => target),
    ),
    hasMacros: all.some(({ type }) => type === 'vbaProject' || /macrosheet$/i.test(type)),
    isProtected: protection !== undefined,
    connections: await readConnections(file, findByType(relationships, 'connections')?.target),
  }
}

const flatten = ({ core, application, custom }: OfficeProperties): Record<string, unknown> => ({
  ...core,
  ...application,
  ...(Object.keys(custom).length > 0 ? { custom } : {}),
})

const readExternalLinks = async (file: OfficePackage, parts: readonly string[]): Promise<string[]> => {
  const found = new Set<string>()
  for (const part of parts.slice(0, MAX_NAMES)) {
    for (const { isExternal, target } of (await file.relationshipsOf(part)).values()) if (isExternal) found.add(target)
    const root = await readTree(file, part)
    const dde = childOf(root, 'x:ddeLink')?.attributes
    if (dde) found.add(`${dde.ddeService ?? ''}|${dde.ddeTopic ?? ''}`)
  }
  return [...found]
}

const readConnections = async (file: OfficePackage, part: string | undefined): Promise<string[]> => {
  const root = part === undefined ? undefined : await readTree(file, part)
  return childrenOf(root, 'x:connection')
    .slice(0, MAX_NAMES)
    .map(({ attributes }) => attributes.name ?? attributes.description ?? '')
}
