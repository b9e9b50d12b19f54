/** Properties of an XMP packet by name: lists as lists, the rest as text. Structures are left to the raw packet. */
export type XmpProperties = Record<string, string | string[]>

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const XML = 'http://www.w3.org/XML/1998/namespace'
/** Writers may call a namespace as they like; these are the usual names. */
const PREFIXES: Readonly<Record<string, string>> = {
  'http://purl.org/dc/elements/1.1/': 'dc',
  'http://ns.adobe.com/xap/1.0/': 'xmp',
  'http://ns.adobe.com/xap/1.0/mm/': 'xmpMM',
  'http://ns.adobe.com/xap/1.0/rights/': 'xmpRights',
  'http://ns.adobe.com/pdf/1.3/': 'pdf',
  'http://ns.adobe.com/photoshop/1.0/': 'photoshop',
  'http://www.aiim.org/pdfa/ns/id/': 'pdfaid',
  'http://www.aiim.org/pdfua/ns/id/': 'pdfuaid',
  'http://www.npes.org/pdfx/ns/id/': 'pdfxid',
}
const MAX_PROPERTIES = 500
const MAX_ITEMS = 1_000
const MAX_VALUE_CHARACTERS = 10_000
const MAX_DEPTH = 64

/** Reads what a packet says; undefined where it cannot be read. A document type is refused: no entity is declared. */
export const parseXmp = async (packet: string): Promise<XmpProperties | undefined> => {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ xmlns: true, position: false })
  const properties = new Map<string, string | string[]>()
  let depth = 0
  /** Where the property began that is being read, and what was found in it. */
  let property:
    | { name: string; depth: number; text: string; items: string[]; isList: boolean; isStructure: boolean }
    | undefined
  let descriptionDepth = 0
  let item: string | undefined
  const keep = (name: string, value: string | string[]) => {
    if (properties.size < MAX_PROPERTIES && !properties.has(name)) properties.set(name, value)
  }
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw new Error('a document type')
  })
  parser.on('opentag', ({ uri, local, prefix, attributes }) => {
    if (++depth > MAX_DEPTH) throw new Error('too deep')
    if (property) {
      if (item !== undefined) property.isStructure = true
      if (uri === RDF && (local === 'Seq' || local === 'Bag')) property.isList = true
      if (uri === RDF && local === 'li') item = ''
      return
    }
    if (uri === RDF && local === 'Description') {
      descriptionDepth = depth
      for (const attribute of Object.values(attributes)) {
        if (attribute.uri === RDF || attribute.uri === XML || attribute.prefix === 'xmlns' || !attribute.prefix)
          continue
        keep(`${PREFIXES[attribute.uri] ?? attribute.prefix}:${attribute.local}`, cut(attribute.value))
      }
    } else if (descriptionDepth > 0 && depth === descriptionDepth + 1) {
      property = {
        name: `${PREFIXES[uri] ?? prefix}:${local}`,
        depth,
        text: '',
        items: [],
        isList: false,
        isStructure: false,
      }
    }
  })
  const onText = (text: string) => {
    if (!property) return
    if (item !== undefined) item = cut(item + text)
    else if (depth === property.depth) property.text = cut(property.text + text)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('closetag', ({ uri, local }) => {
    if (property && uri === RDF && local === 'li' && item !== undefined) {
      if (item.trim() !== '' && property.items.length < MAX_ITEMS) property.items.push(item.trim())
      item = undefined
    }
    if (property && depth === property.depth) {
      const { name, text, items, isList, isStructure } = property
      if (isStructure) items.length = 0
      if (isList && items.length > 0) keep(name, items)
      else if (items[0] !== undefined) keep(name, items[0])
      else if (text.trim() !== '') keep(name, text.trim())
      property = undefined
    }
    if (depth === descriptionDepth) descriptionDepth = 0
    depth--
  })
  try {
    parser.write(packet.replace(/^\ufeff/, '').trimStart()).close()
  } catch {
    return undefined
  }
  return Object.fromEntries(properties)
}

const cut = (text: string): string => text.slice(0, MAX_VALUE_CHARACTERS)
