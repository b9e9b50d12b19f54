import type { Attributes, XmlEvents } from '../xml/events.ts'
import { readXml, type XmlLimits } from '../xml/read-xml.ts'
import { createRootReader, createTreeBuilder, type Element } from '../xml/tree.ts'
import { OOXML_PREFIXES, understands } from './namespaces.ts'
import type { OfficePackage } from './package.ts'

/** A tree is kept in memory; what is left out of it costs time all the same. */
const TREE_LIMITS: XmlLimits = { depth: 400, elements: 2_000_000 }
const MAX_PART_BYTES = 128 * 1024 ** 2
/** Below this a part is unpacked at once, which is several times cheaper than as a stream. */
const WHOLE_UP_TO_BYTES = 4 * 1024 ** 2

/** Sends a part through the events, alternatives already chosen; false where the package has no such part. */
export const readPart = async (
  file: OfficePackage,
  name: string,
  events: XmlEvents,
  pause?: () => Promise<void> | undefined,
  { maximumBytes = MAX_PART_BYTES, limits }: { maximumBytes?: number; limits?: XmlLimits } = {},
): Promise<boolean> => {
  const entry = file.archive.find(name)
  if (!entry || entry.isFolder) return false
  file.spend(entry.bytes, maximumBytes)
  const content =
    entry.bytes <= WHOLE_UP_TO_BYTES
      ? await file.archive.read(entry, WHOLE_UP_TO_BYTES * 2)
      : file.archive.stream(entry)
  await readXml(content, OOXML_PREFIXES, chooseAlternatives(events), {
    ...(pause ? { pause } : {}),
    ...(limits ? { limits } : {}),
  })
  return true
}

/** A whole part as a tree; undefined where the package has no such part. `skip` names elements to leave out. */
export const readTree = async (
  file: OfficePackage,
  name: string,
  skip?: ReadonlySet<string>,
): Promise<Element | undefined> => {
  const reader = createRootReader(skip)
  await readPart(file, name, reader.events, undefined, { limits: TREE_LIMITS })
  return reader.root
}

/** Sends the direct children of a part's root as trees, one after the other; `open` sees the root itself. */
export const readChildren = async (
  file: OfficePackage,
  name: string,
  onChild: (child: Element) => void,
  skip?: ReadonlySet<string>,
): Promise<boolean> => {
  const builder = createTreeBuilder(skip)
  let depth = 0
  return await readPart(file, name, {
    open(elementName, attributes) {
      depth++
      if (builder.isOpen) builder.open(elementName, attributes)
      else if (depth === 2) builder.begin(elementName, attributes, onChild)
    },
    close(elementName) {
      depth--
      if (builder.isOpen) builder.close(elementName)
    },
    text: builder.text,
  })
}

/**
 * Of the alternatives that a file gives for readers of different age only one comes through, as if it stood there alone.
 * Without this a text box would be read twice: as a shape and as the picture of old.
 */
export const chooseAlternatives = (events: XmlEvents): XmlEvents => {
  const chosen: boolean[] = []
  let skippedDepth = 0
  return {
    open(name: string, attributes: Attributes) {
      if (skippedDepth > 0) {
        skippedDepth++
      } else if (name === 'mc:AlternateContent') {
        chosen.push(false)
      } else if ((name === 'mc:Choice' || name === 'mc:Fallback') && chosen.length > 0) {
        const isTaken = chosen.at(-1) === false && (name === 'mc:Fallback' || understands(attributes.Requires))
        if (isTaken) chosen[chosen.length - 1] = true
        else skippedDepth = 1
      } else {
        events.open(name, attributes)
      }
    },
    close(name: string) {
      if (skippedDepth > 0) skippedDepth--
      else if (name === 'mc:AlternateContent') chosen.pop()
      else if (name !== 'mc:Choice' && name !== 'mc:Fallback') events.close(name)
    },
    text(text: string) {
      if (skippedDepth === 0) events.text(text)
    },
  }
}
