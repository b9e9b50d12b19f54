import { overLimit } from '../shared/decode.ts'
import type { JsonEvents } from './json-scanner.ts'

/** A number whose digits JavaScript would change: it is kept as written. */
export class RawNumber {
  readonly raw: string
  constructor(raw: string) {
    this.raw = raw
  }
}

/** Structured data as it stands in the source: keys in their order, numbers digit for digit. */
export type Tree = string | number | boolean | null | RawNumber | Tree[] | Map<string, Tree>
export type Scalar = Exclude<Tree, Tree[] | Map<string, Tree>>

export const isScalar = (tree: Tree): tree is Scalar => !Array.isArray(tree) && !(tree instanceof Map)

/** Trees are held in memory, several times as large as their text. */
export const MAX_TREE_CHARACTERS = 32 * 1_048_576

const readScalar = (raw: string): Scalar => {
  const first = raw.charCodeAt(0)
  if (first === 34) return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
  if (raw === 'null') return null
  if (raw === 'true' || raw === 'false') return raw === 'true'
  const value = Number(raw)
  return String(value) === raw ? value : new RawNumber(raw)
}

/**
 * Builds trees from events and hands each one over when it is whole: every root value, or with `splitArrays` every
 * element of a root that is an array.
 */
export class TreeBuilder implements JsonEvents {
  readonly #take: (tree: Tree) => void
  readonly #splitArrays: boolean
  readonly #stack: { container: Tree[] | Map<string, Tree>; key: string }[] = []
  #characters = 0
  #inRootArray = false

  constructor(take: (tree: Tree) => void, splitArrays = false) {
    this.#take = take
    this.#splitArrays = splitArrays
  }

  open(kind: '{' | '['): void {
    if (this.#splitArrays && kind === '[' && this.#stack.length === 0 && !this.#inRootArray) {
      this.#inRootArray = true
      return
    }
    this.#count(16)
    this.#stack.push({ container: kind === '[' ? [] : new Map(), key: '' })
  }

  close(): void {
    const top = this.#stack.pop()
    if (top) this.#add(top.container)
    else this.#inRootArray = false
  }

  key(raw: string): void {
    this.#count(raw.length)
    const top = this.#stack.at(-1)
    if (top) top.key = readScalar(raw) as string
  }

  scalar(raw: string): void {
    this.#count(raw.length)
    this.#add(readScalar(raw))
  }

  #count(characters: number): void {
    this.#characters += characters
    if (this.#characters > MAX_TREE_CHARACTERS * 2) throw overLimit('treeCharacters', MAX_TREE_CHARACTERS)
  }

  #add(tree: Tree): void {
    const top = this.#stack.at(-1)
    if (!top) {
      this.#characters = 0
      this.#take(tree)
    } else if (Array.isArray(top.container)) top.container.push(tree)
    else top.container.set(top.key, tree)
  }
}

/** Tells a tree to a listener as if it were being scanned. */
export function* replayTree(tree: Tree, events: JsonEvents): Generator<void> {
  if (Array.isArray(tree)) {
    events.open('[')
    for (const item of tree) yield* replayTree(item, events)
    events.close(']')
  } else if (tree instanceof Map) {
    events.open('{')
    for (const [key, value] of tree) {
      events.key(JSON.stringify(key))
      yield* replayTree(value, events)
    }
    events.close('}')
  } else {
    events.scalar(writeScalar(tree))
    yield
  }
}

/** A scalar as JSON. */
export const writeScalar = (scalar: Scalar): string =>
  scalar instanceof RawNumber ? scalar.raw : JSON.stringify(scalar)

/** A small tree as JSON on one line. */
export const writeCompact = (tree: Tree): string => {
  if (Array.isArray(tree)) return `[${tree.map(writeCompact).join(', ')}]`
  if (tree instanceof Map)
    return `{${[...tree].map(([key, value]) => `${JSON.stringify(key)}: ${writeCompact(value)}`).join(', ')}}`
  return writeScalar(tree)
}
