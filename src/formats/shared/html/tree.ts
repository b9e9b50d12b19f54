import type { Parser } from 'htmlparser2'
import { overLimit } from '../decode.ts'

/** An element as its writer meant it: names in lower case, only the attributes that say something about content. */
export type HtmlElement = {
  name: string
  attributes: Readonly<Record<string, string>>
  children: HtmlNode[]
}
export type HtmlNode = HtmlElement | string

/** Deeper elements lose their nesting, not their text: whoever reads the tree may then recurse without fear. */
const MAX_DEPTH = 200
const MAX_NODES = 1_000_000
/** The parser's own stack grows slow long before it grows large. */
const MAX_OPEN_ELEMENTS = 10_000
const MAX_ATTRIBUTE_CHARACTERS = 65_536

const ATTRIBUTES = new Set(
  `alt aria-hidden aria-level aria-label charset checked class colspan content datetime dir hidden href http-equiv id
   height lang name property rel role rowspan src srcdoc start style title type value width reversed encoding display
   epub:type
   filepos recindex hirecindex mathvariant linethickness open close separators notation`.split(/\s+/),
)

/** Builds the tree of a document from its text as it comes. `endTree` gives the root, whose children are the document. */
export const createTreeBuilder = async (
  options: { xml?: boolean } = {},
): Promise<{ write(text: string): void; endTree(): HtmlElement }> => {
  const { Parser } = await import('htmlparser2')
  const root: HtmlElement = { name: '', attributes: {}, children: [] }
  const stack: HtmlElement[] = [root]
  let nodes = 0
  let tooDeep = 0
  const add = (node: HtmlNode): void => {
    if (++nodes > MAX_NODES) throw overLimit('htmlNodes', MAX_NODES)
    stack.at(-1)?.children.push(node)
  }
  const parser: Parser = new Parser(
    {
      onopentag: (name, given) => {
        if (stack.length > MAX_DEPTH) {
          tooDeep++
          if (tooDeep > MAX_OPEN_ELEMENTS) throw overLimit('htmlDepth', MAX_OPEN_ELEMENTS)
          return
        }
        const element: HtmlElement = { name: localName(name), attributes: keepAttributes(given), children: [] }
        add(element)
        stack.push(element)
      },
      ontext: (text) => {
        const siblings = stack.at(-1)?.children ?? []
        const last = siblings.at(-1)
        if (typeof last === 'string') siblings[siblings.length - 1] = last + text
        else add(text)
      },
      onclosetag: () => {
        if (tooDeep > 0) tooDeep--
        else if (stack.length > 1) stack.pop()
      },
    },
    { decodeEntities: true, recognizeCDATA: true, recognizeSelfClosing: options.xml ?? false },
  )
  return {
    write: (text) => parser.write(text),
    endTree: () => {
      parser.end()
      return root
    },
  }
}

/** The whole document at once. */
export const parseHtml = async (text: string, options: { xml?: boolean } = {}): Promise<HtmlElement> => {
  const builder = await createTreeBuilder(options)
  builder.write(text)
  return builder.endTree()
}

const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1).toLowerCase()

const keepAttributes = (given: Readonly<Record<string, string>>): Record<string, string> => {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (ATTRIBUTES.has(name)) {
      kept[name] = name === 'src' || name === 'srcdoc' ? value : value.slice(0, MAX_ATTRIBUTE_CHARACTERS)
    } else if (name === 'xlink:href' || name === 'l:href') kept.href = value
  }
  return kept
}

/** Every element below, parents before their children, siblings in order. */
export function* walkElements(element: HtmlElement): Generator<HtmlElement> {
  // A generator inside a generator would pay for its depth at every element.
  const waiting: HtmlNode[] = element.children.toReversed()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node === 'string') continue
    yield node
    for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i] as HtmlNode)
  }
}

/** The first element below of that name. */
export const findElement = (element: HtmlElement, name: string): HtmlElement | undefined => {
  for (const each of walkElements(element)) if (each.name === name) return each
  return undefined
}

/** All text below, as written. */
export const textOf = (node: HtmlNode): string => (typeof node === 'string' ? node : node.children.map(textOf).join(''))

/** Text as a browser would show it on one line. */
export const shownText = (node: HtmlNode): string => textOf(node).replace(/\s+/g, ' ').trim()
