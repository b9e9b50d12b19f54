import type { Block, Inline, Item } from '../document/model.ts'
import { writeRoman } from '../roman.ts'
import { type HtmlElement, walkElements } from './tree.ts'

type ReadBlocks = (element: HtmlElement, depth: number) => Block[]

/** The items of a list, those of lists inside it among them, one deeper. */
export const readList = (list: HtmlElement, depth: number, readBlocks: ReadBlocks): Block[] => {
  const ordered = list.name === 'ol'
  const entries = list.children.filter((child): child is HtmlElement => typeof child !== 'string')
  const step = list.attributes.reversed === undefined ? 1 : -1
  const count = entries.filter(({ name }) => name === 'li').length
  let number = readNumber(list.attributes.start) ?? (step > 0 ? 1 : count)
  return entries.flatMap((entry): Block[] => {
    // A list directly inside a list belongs to the item before it.
    if (entry.name === 'ul' || entry.name === 'ol') return readList(entry, depth + 1, readBlocks)
    if (entry.name !== 'li') return readBlocks(entry, depth)
    number = readNumber(entry.attributes.value) ?? number
    const marker = ordered ? `${writeNumber(number, list.attributes.type)}.` : '•'
    number += step
    return makeItem(readBlocks(entry, depth + 1), { depth, ordered, marker, ...checkedOf(entry) })
  })
}

/** Terms as items in bold, what is said of them one deeper. */
export const readDefinitions = (list: HtmlElement, depth: number, readBlocks: ReadBlocks): Block[] =>
  list.children.flatMap((child): Block[] => {
    if (typeof child === 'string') return []
    if (child.name === 'div') return readDefinitions(child, depth, readBlocks)
    const isTerm = child.name === 'dt'
    const own = isTerm ? depth : depth + 1
    const blocks = readBlocks(child, own + 1)
    return makeItem(isTerm ? embolden(blocks) : blocks, { depth: own, ordered: false, marker: '•' })
  })

const embolden = (blocks: readonly Block[]): Block[] =>
  blocks.map((block) =>
    block.kind === 'paragraph'
      ? {
          ...block,
          content: block.content.map((inline) => (inline.kind === 'text' ? { ...inline, bold: true } : inline)),
        }
      : block,
  )

const makeItem = (blocks: readonly Block[], facts: Omit<Item, 'kind' | 'content'>): Block[] => {
  const [first, ...others] = blocks
  if (first === undefined) return []
  // An item that holds nothing but a list is the list.
  if (first.kind === 'item') return blocks.map((block) => (block.kind === 'item' ? lift(block) : block))
  const content: readonly Inline[] = first.kind === 'paragraph' || first.kind === 'heading' ? first.content : []
  const rest = first.kind === 'paragraph' || first.kind === 'heading' ? others : blocks
  const firstNested = rest.findIndex(({ kind }) => kind === 'item')
  const more = firstNested < 0 ? rest : rest.slice(0, firstNested)
  const nested = firstNested < 0 ? [] : rest.slice(firstNested)
  return [{ kind: 'item', ...facts, content, ...(more.length > 0 ? { more } : {}) }, ...attachStrays(nested)]
}

const lift = (item: Item): Item => ({ ...item, depth: Math.max(0, item.depth - 1) })

/** What stands between nested items goes on in the one before it. */
const attachStrays = (blocks: readonly Block[]): Block[] => {
  const items: Item[] = []
  for (const block of blocks) {
    const last = items.at(-1)
    if (block.kind === 'item') items.push(block)
    else if (last) items[items.length - 1] = { ...last, more: [...(last.more ?? []), block] }
  }
  return items
}

const checkedOf = (entry: HtmlElement): { checked?: boolean } => {
  for (const element of walkElements(entry)) {
    if (element.name === 'ul' || element.name === 'ol') return {}
    if (element.name === 'input' && element.attributes.type?.toLowerCase() === 'checkbox')
      return { checked: element.attributes.checked !== undefined }
  }
  return {}
}

const readNumber = (value: string | undefined): number | undefined => {
  const number = Number.parseInt(value ?? '', 10)
  return Number.isSafeInteger(number) ? number : undefined
}

const writeNumber = (number: number, type: string | undefined): string => {
  if (type === 'a' || type === 'A') return number > 0 ? toCase(writeLetters(number), type === 'A') : String(number)
  if (type === 'i' || type === 'I') return toCase(writeRoman(number), type === 'I')
  return String(number)
}

const toCase = (text: string, upper: boolean): string => (upper ? text.toUpperCase() : text)

const writeLetters = (number: number): string => {
  let text = ''
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text
  }
  return text
}
