import { escapeInline, escapeLineStart, fillTableRow, tableRule } from '../shared/markdown.ts'
import { headOf, rowOf, showScalar, type TableShape, TableShaper } from './flat-records.ts'
import { isScalar, type Scalar, type Tree } from './tree.ts'

const MAX_HEADING_LEVEL = 4

/**
 * A tree as Markdown: plain values as a list, what is nested under headings, lists of alike records as tables.
 * The pieces are whole lines.
 */
export function* writeTree(tree: Tree): Generator<string> {
  if (isScalar(tree)) yield `${showValue(tree, '')}\n`
  else if (Array.isArray(tree)) yield* writeList(tree)
  else yield* writeSection(tree, 1)
}

function* writeSection(object: Map<string, Tree>, level: number): Generator<string> {
  let isFirst = true
  // Plain values come first: after a heading they would seem to belong to it.
  for (const [key, value] of object) {
    if (!isPlain(value)) continue
    isFirst = false
    yield `- ${showEntry(key, value, '  ')}\n`
  }
  for (const [key, value] of object) {
    if (isPlain(value)) continue
    yield `${isFirst ? '' : '\n'}${'#'.repeat(level)} ${escapeInline(key) || '""'}\n\n`
    isFirst = false
    if (Array.isArray(value)) yield* writeList(value)
    else if (level < MAX_HEADING_LEVEL) yield* writeSection(value as Map<string, Tree>, level + 1)
    else yield* writeBullets(value, '')
  }
}

/** A list as a table where its items allow it, else as items. */
function* writeList(list: Tree[]): Generator<string> {
  const shape = yield* findShape(list)
  if (shape) {
    const head = headOf(shape)
    yield fillTableRow(head, head.length) + tableRule(head.length)
    for (const item of list) yield fillTableRow(rowOf(item, shape), head.length)
    return
  }
  const isNumbered = !list.every(isScalar)
  for (const [index, item] of list.entries()) yield* writeItem(item, isNumbered ? index + 1 : undefined)
}

/** Gives empty pieces on the way: long lists take a while, and the caller may want to pause. */
function* findShape(list: Tree[]): Generator<string, TableShape | undefined> {
  const shaper = new TableShaper()
  for (const [index, record] of list.entries()) {
    if (!shaper.add(record)) return undefined
    if (index % 256 === 255) yield ''
  }
  return shaper.finish()
}

/** One item of a list, with everything that is in it; lists of plain values have no numbers. */
export function* writeItem(item: Tree, number: number | undefined): Generator<string> {
  const sign = number === undefined ? '- ' : `${number}. `
  const indent = ' '.repeat(sign.length)
  if (isScalar(item)) yield `${sign}${showValue(item, indent)}\n`
  else {
    yield sign
    let isFirst = true
    for (const line of writeBullets(item, indent)) {
      yield isFirst ? line.slice(indent.length) : line
      isFirst = false
    }
    if (isFirst) yield '{}\n'
  }
}

function* writeBullets(tree: Tree, indent: string): Generator<string> {
  const entries = tree instanceof Map ? tree.entries() : Array.isArray(tree) ? tree.entries() : []
  for (const [key, value] of entries) {
    const name = typeof key === 'number' ? undefined : key
    const deeper = `${indent}  `
    if (isPlain(value)) yield `${indent}- ${showEntry(name, value, deeper)}\n`
    else {
      yield `${indent}- ${name === undefined ? `${(key as number) + 1}` : `**${escapeInline(name)}**`}\n`
      yield* writeBullets(value, deeper)
    }
  }
}

const isPlain = (tree: Tree): tree is Scalar | Scalar[] =>
  isScalar(tree) || (tree instanceof Map && tree.size === 0) || (Array.isArray(tree) && isShortList(tree))

/** Lists of a few short values stand on one line. */
const isShortList = (list: Tree[]): boolean =>
  list.length <= 16 &&
  list.every((item) => isScalar(item) && (typeof item !== 'string' || (item.length <= 40 && !item.includes('\n'))))

const showEntry = (key: string | undefined, value: Scalar | Scalar[], indent: string): string => {
  const shown =
    value instanceof Map
      ? '{}'
      : Array.isArray(value)
        ? value.length === 0
          ? '[]'
          : value.map((item) => showValue(item, indent)).join(', ')
        : showValue(value, indent)
  return key === undefined ? shown : `**${escapeInline(key) || '""'}**: ${shown}`
}

/** A value inside a list item; its later lines are indented to stay in it. */
const showValue = (scalar: Scalar, indent: string): string => {
  if (scalar === null) return 'null'
  if (scalar === '') return '""'
  const text = escapeInline(showScalar(scalar).replace(/\r\n?/g, '\n').trim())
  if (!text.includes('\n')) return text
  const [first = '', ...others] = text.split('\n').map((line) => line.trimEnd())
  // A line that begins like a heading or an item is neither here.
  const plain = others.map((line) => (line === '' ? '' : indent + escapeLineStart(line)))
  return [first, ...plain].join('\n')
}
