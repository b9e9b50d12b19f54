import type { Context, Source } from '../../core/catalog.ts'
import { overLimit } from '../shared/decode.ts'
import { perSource } from '../shared/per-source.ts'
import type { Span } from '../shared/read-chunks.ts'
import { MAX_TREE_CHARACTERS, type Tree } from './tree.ts'
import { parseWholeXml, parseXml, type XmlEvents } from './xml-parser.ts'

/** An element with its attributes and, in their order, its texts and child elements. */
export type XmlElement = { name: string; attributes: [string, string][]; children: (XmlElement | string)[] }

/** The whole document as elements, for those that are read like a book. */
export const readElements = async (
  source: Source,
  context: Context,
  encodingName: string,
  span: Span,
): Promise<XmlElement> => {
  if (source.bytes > MAX_TREE_CHARACTERS) throw overLimit('documentBytes', MAX_TREE_CHARACTERS)
  const top: XmlElement = { name: '', attributes: [], children: [] }
  const stack = [top]
  await parseWholeXml(source, context, encodingName, span, {
    open(name, attributes) {
      const element: XmlElement = { name, attributes, children: [] }
      stack.at(-1)?.children.push(element)
      stack.push(element)
    },
    close: () => stack.pop(),
    text(text) {
      const children = stack.at(-1)?.children
      const last = children?.at(-1)
      if (children && typeof last === 'string') children[children.length - 1] = last + text
      else children?.push(text)
    },
  })
  return top.children.find((child) => typeof child !== 'string') ?? top
}

type OpenElement = { name: string; attributes: [string, string][]; text: string; parts: (string | [string, Tree])[] }

/** Turns elements into trees as they close, and hands over those that close at one depth: 0 is the root. */
const makeTreeEvents = (depth: number, take: (name: string, tree: Tree) => void): XmlEvents => {
  const stack: OpenElement[] = []
  const endText = (element: OpenElement | undefined) => {
    if (!element || element.text === '') return
    if (element.text.trim() !== '') element.parts.push(element.text)
    element.text = ''
  }
  return {
    open(name, attributes) {
      endText(stack.at(-1))
      stack.push({ name, attributes, text: '', parts: [] })
    },
    close() {
      const element = stack.pop()
      if (!element) return
      endText(element)
      if (stack.length === depth) take(element.name, toTree(element))
      else if (stack.length > depth) stack.at(-1)?.parts.push([element.name, toTree(element)])
    },
    text(text) {
      const top = stack.at(-1)
      if (top) top.text += text
    },
  }
}

/**
 * An element as JSON: attributes as `@name`, elements by name and as a list where they repeat, text alone as a string,
 * text beside attributes as `#text`, text between elements in its order under `#content`.
 */
const toTree = ({ attributes, parts }: OpenElement): Tree => {
  const hasElements = parts.some((part) => typeof part !== 'string')
  const text = parts
    .filter((part) => typeof part === 'string')
    .join('')
    .trim()
  if (attributes.length === 0 && !hasElements) return text
  const tree = new Map<string, Tree>(attributes.map(([name, value]) => [`@${name}`, value]))
  if (text !== '' && hasElements) {
    const content = parts.map((part) => (typeof part === 'string' ? part.replace(/\s+/g, ' ') : new Map([part])))
    return tree.set('#content', content)
  }
  if (text !== '') tree.set('#text', text)
  const repeated = new Map<string, Tree[]>()
  for (const part of parts) {
    if (typeof part === 'string') continue
    const known = repeated.get(part[0])
    if (known) known.push(part[1])
    else repeated.set(part[0], [part[1]])
  }
  for (const [name, values] of repeated) tree.set(name, values.length === 1 ? (values[0] ?? null) : values)
  return tree
}

/** The whole document as a tree. */
export const readXmlTree = perSource(async (source, context, encodingName): Promise<Tree> => {
  if (source.bytes > MAX_TREE_CHARACTERS) throw overLimit('documentBytes', MAX_TREE_CHARACTERS)
  let root: Tree = null
  const events = makeTreeEvents(0, (_, tree) => {
    root = tree
  })
  await parseWholeXml(source, context, encodingName, [0.6, 0.9], events)
  return root
})

/** The children of the root as trees, many at a time, for documents that are one long list. */
export async function* readXmlRecords(
  source: Source,
  context: Context,
  encodingName: string,
  span: Span,
): AsyncGenerator<Tree[]> {
  let batch: Tree[] = []
  const events = makeTreeEvents(1, (_, tree) => batch.push(tree))
  const run = parseXml(source, context, encodingName, span, events)
  for (let step = await run.next(); ; step = await run.next()) {
    if (batch.length > 0) {
      yield batch
      batch = []
    }
    if (step.done) return
  }
}
