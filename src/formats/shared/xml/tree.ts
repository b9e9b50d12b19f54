import { overLimit } from '../decode.ts'
import type { Attributes, XmlEvents } from './events.ts'

/** An element with all that is in it. */
export type Element = { name: string; attributes: Attributes; children: (Element | string)[] }

/** A set of element names, given in one text with blanks between them. */
export const nameSet = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/))

const MAX_NODES = 300_000

/** Reads element after element into memory; `onTree` gets each one that was begun with `begin`, once it is whole. */
export type TreeBuilder = XmlEvents & {
  readonly isOpen: boolean
  begin(name: string, attributes: Attributes, onTree: (element: Element) => void): void
}

/** Builds trees out of events. `skip` names elements that are left out with all they hold. */
export const createTreeBuilder = (skip: ReadonlySet<string> = new Set()): TreeBuilder => {
  const path: Element[] = []
  let finish: ((element: Element) => void) | undefined
  let skippedDepth = 0
  let nodes = 0
  const builder: TreeBuilder = {
    get isOpen() {
      return path.length > 0
    },
    begin(name, attributes, onTree) {
      nodes = 0
      finish = onTree
      path.push({ name, attributes, children: [] })
    },
    open(name, attributes) {
      if (skippedDepth > 0 || skip.has(name)) {
        skippedDepth++
        return
      }
      if (++nodes > MAX_NODES) throw overLimit('xmlNodes', MAX_NODES)
      const element: Element = { name, attributes, children: [] }
      path.at(-1)?.children.push(element)
      path.push(element)
    },
    close() {
      if (skippedDepth > 0) {
        skippedDepth--
        return
      }
      const element = path.pop()
      if (element && path.length === 0) finish?.(element)
    },
    text(text) {
      if (skippedDepth === 0 && path.length > 0) path.at(-1)?.children.push(text)
    },
  }
  return builder
}

/** Makes one tree of all that the events bring. */
export const createRootReader = (
  skip?: ReadonlySet<string>,
): { readonly events: XmlEvents; readonly root: Element | undefined } => {
  const builder = createTreeBuilder(skip)
  let root: Element | undefined
  return {
    events: {
      open(name, attributes) {
        if (builder.isOpen) builder.open(name, attributes)
        else builder.begin(name, attributes, (tree) => (root = tree))
      },
      close: builder.close,
      text: builder.text,
    },
    get root() {
      return root
    },
  }
}

/** Sends what is in an element through the events, as if it were read. */
export const replay = (element: Element, events: XmlEvents): void => {
  events.open(element.name, element.attributes)
  for (const child of element.children) {
    if (typeof child === 'string') events.text(child)
    else replay(child, events)
  }
  events.close(element.name)
}

/** The first child of that name. */
export const childOf = (element: Element | undefined, name: string): Element | undefined => {
  if (!element) return undefined
  for (const child of element.children) if (typeof child !== 'string' && child.name === name) return child
  return undefined
}

/** All children that are elements; of one name where it is given. */
export const childrenOf = (element: Element | undefined, name?: string): Element[] =>
  (element?.children ?? []).filter(
    (child): child is Element => typeof child !== 'string' && (name === undefined || child.name === name),
  )

/** The element at the end of a path of names. */
export const descend = (element: Element | undefined, ...names: readonly string[]): Element | undefined =>
  names.reduce(childOf, element)

/** All elements of that name below, outermost only, in document order. */
export const findAll = (element: Element | undefined, name: string, found: Element[] = []): Element[] => {
  for (const child of element?.children ?? []) {
    if (typeof child === 'string') continue
    if (child.name === name) found.push(child)
    else findAll(child, name, found)
  }
  return found
}

/** The first element of that name below, in document order. */
export const findFirst = (element: Element | undefined, name: string): Element | undefined => {
  for (const child of element?.children ?? []) {
    if (typeof child === 'string') continue
    const found = child.name === name ? child : findFirst(child, name)
    if (found) return found
  }
  return undefined
}

/** The text directly in an element. */
export const textOf = (element: Element | undefined): string =>
  (element?.children ?? []).filter((child) => typeof child === 'string').join('')
