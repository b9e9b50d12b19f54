import { childrenOf, type Element, textOf } from '../xml/tree.ts'
import { findByType, type OfficePackage } from './package.ts'
import { readTree } from './read-part.ts'

/** What a file says about itself, by our names; counts are numbers. */
export type OfficeProperties = {
  core: Readonly<Record<string, string>>
  application: Readonly<Record<string, string | number>>
  custom: Readonly<Record<string, string>>
}

const MAX_CHARACTERS = 20_000
const MAX_CUSTOM = 500

const CORE_NAMES: Readonly<Record<string, string>> = {
  'dc:title': 'title',
  'dc:subject': 'subject',
  'dc:creator': 'author',
  'cp:keywords': 'keywords',
  'dc:description': 'description',
  'cp:lastModifiedBy': 'lastModifiedBy',
  'cp:revision': 'revision',
  'dcterms:created': 'created',
  'dcterms:modified': 'modified',
  'cp:lastPrinted': 'lastPrinted',
  'cp:category': 'category',
  'cp:contentStatus': 'contentStatus',
  'dc:language': 'language',
  'dc:identifier': 'identifier',
  'cp:version': 'version',
}

const APPLICATION_NAMES: Readonly<Record<string, string>> = {
  'ep:Application': 'application',
  'ep:AppVersion': 'applicationVersion',
  'ep:Template': 'template',
  'ep:Company': 'company',
  'ep:Manager': 'manager',
  'ep:PresentationFormat': 'presentationFormat',
  'ep:HyperlinkBase': 'hyperlinkBase',
}
const APPLICATION_COUNTS: Readonly<Record<string, string>> = {
  'ep:Pages': 'pages',
  'ep:Words': 'words',
  'ep:Characters': 'characters',
  'ep:CharactersWithSpaces': 'charactersWithSpaces',
  'ep:Lines': 'lines',
  'ep:Paragraphs': 'paragraphs',
  'ep:Slides': 'slides',
  'ep:HiddenSlides': 'hiddenSlides',
  'ep:Notes': 'notes',
  'ep:TotalTime': 'editingMinutes',
}

/** Reads the properties of an Office file; parts that are missing or broken say nothing. */
export const readProperties = async (file: OfficePackage): Promise<OfficeProperties> => ({
  core: readCore(await readPropertyPart(file, 'core-properties')),
  application: readApplication(await readPropertyPart(file, 'extended-properties')),
  custom: readCustom(await readPropertyPart(file, 'custom-properties')),
})

/** What the authors say of the file: title, language and the like. */
export const readCoreProperties = async (file: OfficePackage): Promise<OfficeProperties['core']> =>
  readCore(await readPropertyPart(file, 'core-properties'))

/** What the application says that wrote the file, counts among it. */
export const readApplicationProperties = async (file: OfficePackage): Promise<OfficeProperties['application']> =>
  readApplication(await readPropertyPart(file, 'extended-properties'))

const STRICT_NAMES: Readonly<Record<string, string>> = {
  'extended-properties': 'extendedProperties',
  'custom-properties': 'customProperties',
}

const readPropertyPart = async (file: OfficePackage, type: string): Promise<Element | undefined> => {
  const found = findByType(file.relationships, type) ?? findByType(file.relationships, STRICT_NAMES[type] ?? '')
  if (!found) return undefined
  try {
    return await readTree(file, found.target)
  } catch {
    return undefined
  }
}

const clip = (element: Element | undefined): string => textOf(element).trim().slice(0, MAX_CHARACTERS)

const readCore = (tree: Element | undefined): Record<string, string> => {
  const found: Record<string, string> = {}
  for (const child of childrenOf(tree)) {
    const name = CORE_NAMES[child.name]
    const value = clip(child)
    if (name && value !== '') found[name] = value
  }
  return found
}

const readApplication = (tree: Element | undefined): Record<string, string | number> => {
  const found: Record<string, string | number> = {}
  for (const child of childrenOf(tree)) {
    const value = clip(child)
    const count = APPLICATION_COUNTS[child.name]
    const name = APPLICATION_NAMES[child.name]
    if (count && /^\d{1,9}$/.test(value)) found[count] = Number(value)
    else if (name && value !== '') found[name] = value
  }
  return found
}

const readCustom = (tree: Element | undefined): Record<string, string> => {
  const found: [string, string][] = childrenOf(tree, 'op:property')
    .slice(0, MAX_CUSTOM)
    .map((property) => [property.attributes.name ?? '', textBelow(property).trim().slice(0, MAX_CHARACTERS)])
  return Object.fromEntries(found.filter(([name, value]) => name !== '' && name !== '__proto__' && value !== ''))
}

const textBelow = (element: Element): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textBelow(child))).join(' ')
