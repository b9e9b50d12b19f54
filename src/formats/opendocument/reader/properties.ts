import { type Element, textOf } from '../../shared/xml/tree.ts'

/** What a file says about itself, by our names. */
export type Properties = {
  said: Record<string, string | string[]>
  counts: Record<string, number>
  custom: Record<string, string>
}

const MAX_CHARACTERS = 20_000
const MAX_PROPERTIES = 1_000

const NAMES: Readonly<Record<string, string>> = {
  'dc:title': 'title',
  'dc:subject': 'subject',
  'dc:description': 'description',
  'dc:language': 'language',
  'dc:creator': 'lastModifiedBy',
  'dc:date': 'modified',
  'meta:initial-creator': 'author',
  'meta:creation-date': 'created',
  'meta:generator': 'application',
  'meta:printed-by': 'printedBy',
  'meta:print-date': 'lastPrinted',
  'meta:editing-cycles': 'revision',
  'meta:editing-duration': 'editingDuration',
}

export const createProperties = (): Properties => ({ said: {}, counts: {}, custom: {} })

/** Takes in one element of `office:meta`. */
export const addProperty = ({ said, counts, custom }: Properties, element: Element): void => {
  const value = textOf(element).trim().slice(0, MAX_CHARACTERS)
  const { attributes } = element
  switch (element.name) {
    case 'meta:keyword':
      if (value !== '')
        said.keywords = [...((said.keywords as string[] | undefined) ?? []).slice(0, MAX_PROPERTIES), value]
      return
    case 'meta:user-defined': {
      const name = attributes['meta:name'] ?? ''
      if (name === '' || name === '__proto__' || value === '' || Object.keys(custom).length >= MAX_PROPERTIES) return
      custom[name] = value
      return
    }
    case 'meta:document-statistic':
      for (const [key, number = ''] of Object.entries(attributes)) {
        const name = /^meta:([a-z-]+)-count$/.exec(key)?.[1]
        if (name && /^\d{1,9}$/.test(number)) counts[`${toCamelCase(name)}s`] = Number(number)
      }
      return
    case 'meta:template':
      if (attributes['xlink:title']) said.template = attributes['xlink:title'].slice(0, MAX_CHARACTERS)
      return
  }
  const name = NAMES[element.name]
  if (name && value !== '') said[name] = value
}

const toCamelCase = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
