import type { Block, Note } from '../../shared/document/model.ts'
import { formatNumber } from '../../shared/ooxml/number-formats.ts'
import { findByType, type Relationships } from '../../shared/ooxml/package.ts'
import { readPart } from '../../shared/ooxml/read-part.ts'
import type { Attributes, XmlEvents } from '../../shared/xml/events.ts'
import { createBlockReader } from './read-blocks.ts'
import { type Reading, startPart } from './reading.ts'

/** Sends the elements of one name (notes, comments) in a part, each with its blocks and the ids of its paragraphs. */
export const readNumberedBlocks = async (
  reading: Reading,
  part: string,
  name: string,
  onFound: (attributes: Attributes, blocks: Block[], paragraphIds: readonly string[]) => void,
): Promise<void> => {
  const relationships = await reading.file.relationshipsOf(part)
  let reader: ReturnType<typeof createBlockReader> | undefined
  let attributes: Attributes = {}
  let paragraphIds: string[] = []
  const events: XmlEvents = {
    open(elementName, elementAttributes) {
      if (reader) {
        reader.events.open(elementName, elementAttributes)
        const id = elementName === 'w:p' ? elementAttributes['w14:paraId'] : undefined
        if (id !== undefined) paragraphIds.push(id)
      } else if (elementName === name) {
        reader = createBlockReader(startPart(reading, relationships))
        attributes = elementAttributes
        paragraphIds = []
      }
    },
    close(elementName) {
      if (elementName !== name) reader?.events.close(elementName)
      else if (reader) {
        onFound(attributes, reader.finish(), paragraphIds)
        reader = undefined
      }
    },
    text(text) {
      reader?.events.text(text)
    },
  }
  await readPart(reading.file, part, events)
}

/** Notes that the text refers to, in the order in which it does. */
export const readNotes = async (reading: Reading, relationships: Relationships): Promise<Note[]> => {
  if (reading.noteIds.size === 0) return []
  const found = new Map<string, Block[]>()
  for (const kind of ['footnote', 'endnote'] as const) {
    const part = findByType(relationships, `${kind}s`)?.target
    if (part === undefined) continue
    await readNumberedBlocks(reading, part, `w:${kind}`, ({ 'w:id': id, 'w:type': type }, blocks) => {
      // Separators between text and notes are kept among the notes.
      if (type === undefined || type === 'normal') found.set(`${kind}-${Number(id)}`, blocks)
    })
  }
  const counts = { footnote: 0, endnote: 0 }
  return [...reading.noteIds].flatMap((id): Note[] => {
    const blocks = found.get(id)
    if (!blocks) return []
    const kind = id.startsWith('footnote') ? 'footnote' : 'endnote'
    counts[kind]++
    const label = kind === 'footnote' ? String(counts[kind]) : formatNumber(counts[kind], 'lowerRoman')
    return [{ id, kind, label, blocks }]
  })
}
