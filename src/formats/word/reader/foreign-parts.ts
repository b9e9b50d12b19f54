import { isUtf8 } from 'node:buffer'
import type { Block } from '../../shared/document/model.ts'
import { decodeSample, guessEncoding } from '../../shared/encoding-guess.ts'
import { decodeUtf16, findByteOrderMark, findDeclaredEncoding } from '../../shared/encoding-signs.ts'
import { readHtml } from '../../shared/html/read-html.ts'
import { createTreeBuilder } from '../../shared/html/tree.ts'
import type { Budget } from '../../shared/ooxml/budget.ts'
import type { Element } from '../../shared/xml/tree.ts'
import type { Flow } from './flow.ts'
import type { PartReading, Reading } from './reading.ts'

const MAX_FOREIGN_BYTES = 16 * 1024 ** 2

/** Puts what a document takes in from a part in another format where it stands: web pages and plain text; others are counted. */
export const placeForeignPart = (chunk: Element, { reading, relationships }: PartReading, flow: Flow): void => {
  const target = relationships.get(chunk.attributes['r:id'] ?? '')
  const extension = /\.([a-z]+)$/i.exec(target?.target ?? '')?.[1]?.toLowerCase() ?? ''
  const read = READERS[extension]
  if (!read || !target || target.isExternal || !reading.budget.takePart(target.target)) {
    reading.foreignParts++
    return
  }
  const stand: Block = { kind: 'paragraph', content: [] }
  flow.addBlocks([stand])
  reading.deferred.set(stand, () => readForeignPart(reading, target.target, read))
}

type ForeignReader = (text: string) => Promise<Block[]> | Block[]

const readForeignPart = async (reading: Reading, part: string, read: ForeignReader): Promise<Block[]> => {
  const entry = reading.file.archive.find(part)
  if (!entry) return []
  reading.file.spend(entry.bytes, MAX_FOREIGN_BYTES)
  const text = await decode(await reading.file.archive.read(entry, MAX_FOREIGN_BYTES))
  reading.budget.countText(text)
  return count(await read(text), reading.budget)
}

const count = (blocks: Block[], budget: Budget): Block[] => {
  budget.countBlocks(blocks.length)
  return blocks
}

/** Word writes these parts in the code page of its machine, others in UTF-8. */
const decode = async (bytes: Buffer): Promise<string> => {
  const mark = findByteOrderMark(bytes)
  const content = bytes.subarray(mark?.bytes ?? 0)
  if (mark?.name.startsWith('utf-16'))
    return decodeUtf16(content.subarray(0, content.length & ~1), mark.name.endsWith('be'))
  if (isUtf8(content)) return content.toString()
  const name = (await findDeclaredEncoding(content, content)) ?? (await guessEncoding(content))?.name ?? 'windows-1252'
  return await decodeSample(content, name)
}

const readPage = async (text: string, xml: boolean): Promise<Block[]> => {
  const builder = await createTreeBuilder({ xml })
  builder.write(text)
  return [...readHtml(builder.endTree()).document.blocks]
}

const readLines: ForeignReader = (text) =>
  text
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => ({ kind: 'paragraph', content: [{ kind: 'text', text: line }] }))

const READERS: Readonly<Record<string, ForeignReader>> = {
  html: (text) => readPage(text, false),
  htm: (text) => readPage(text, false),
  xhtml: (text) => readPage(text, true),
  txt: readLines,
}
