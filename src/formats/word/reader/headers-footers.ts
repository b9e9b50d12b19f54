import { createFurnitureCollector } from '../../shared/document/collect-furniture.ts'
import type { Furniture } from '../../shared/document/model.ts'
import type { Relationships } from '../../shared/ooxml/package.ts'
import { readPart } from '../../shared/ooxml/read-part.ts'
import { createBlockReader } from './read-blocks.ts'
import { type Reading, startPart } from './reading.ts'

const MAX_PARTS = 300

/** Headers and footers of all sections; what is the same in several of them is given once. */
export const readHeadersFooters = async (
  reading: Reading,
  relationships: Relationships,
): Promise<{ headers: Furniture[]; footers: Furniture[] }> => ({
  headers: await readFurniture(reading, relationships, 'header'),
  footers: await readFurniture(reading, relationships, 'footer'),
})

const readFurniture = async (
  reading: Reading,
  relationships: Relationships,
  role: 'header' | 'footer',
): Promise<Furniture[]> => {
  const collector = createFurnitureCollector()
  for (const id of [...reading.headerFooterIds[role]].slice(0, MAX_PARTS)) {
    const target = relationships.get(id)
    if (!target || target.isExternal) continue
    const reader = createBlockReader(startPart(reading, await reading.file.relationshipsOf(target.target)))
    await readPart(reading.file, target.target, reader.events)
    collector.add(role, reader.finish())
  }
  return collector.found
}
