const TAGS = new Set('table thead tbody tr th td br ul li pre code blockquote em strong s sub sup a img'.split(' '))
const ATTRIBUTES = new Set('colspan rowspan align dir href src alt'.split(' '))

const TAG = /<(\/?)([a-z][a-z\d]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>|[<>]/gi
const ATTRIBUTE = /([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/gi

/**
 * The table in a piece of HTML: elements and attributes that our own writers use are written anew, and whatever else
 * looks like markup becomes text.
 */
export const cleanTable = (html: string): string =>
  html.replace(TAG, (whole, slash: string | undefined, name: string | undefined, rest: string | undefined) => {
    const tag = name?.toLowerCase() ?? ''
    if (!TAGS.has(tag)) return escapeText(whole)
    return slash ? `</${tag}>` : `<${tag}${cleanAttributes(rest ?? '')}>`
  })

const cleanAttributes = (text: string): string =>
  [...text.matchAll(ATTRIBUTE)]
    .filter(([, name = '']) => ATTRIBUTES.has(name.toLowerCase()))
    .map(([, name = '', double, single, bare]) => {
      const value = double ?? single ?? bare ?? ''
      return ` ${name.toLowerCase()}="${value.replace(/["<>]/g, (char) => ENTITIES[char] as string)}"`
    })
    .join('')

const ENTITIES: Readonly<Record<string, string>> = { '"': '&quot;', '<': '&lt;', '>': '&gt;' }
const escapeText = (text: string): string => text.replace(/["<>]/g, (char) => ENTITIES[char] as string)
