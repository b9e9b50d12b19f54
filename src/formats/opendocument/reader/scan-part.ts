import type { XmlEvents } from '../../shared/xml/events.ts'
import { readXml, type XmlLimits } from '../../shared/xml/read-xml.ts'
import { createTreeBuilder, type Element } from '../../shared/xml/tree.ts'
import { ODF_PREFIXES } from '../package/namespaces.ts'

/** What a part of an OpenDocument file is made of; all of it may also stand in one flat file. */
export type PartEvents = {
  style?(element: Element, origin: 'common' | 'automatic'): void
  masterPage?(element: Element): void
  property?(element: Element): void
  /** Tells what the body holds (`office:text`, …) and gives what reads it. */
  body?(name: string): XmlEvents | undefined
}

const LIMITS: XmlLimits = { depth: 400, elements: 8_000_000 }
const STYLE_PARENTS: Readonly<Record<string, 'common' | 'automatic'>> = {
  'office:styles': 'common',
  'office:automatic-styles': 'automatic',
}

/** Sends the pieces of a part to those who read them. */
export const scanPart = async (
  content: Uint8Array | AsyncIterable<Uint8Array>,
  events: PartEvents,
  pause?: () => Promise<void> | undefined,
): Promise<void> => {
  const builder = createTreeBuilder()
  let depth = 0
  let section = ''
  let body: XmlEvents | undefined
  const receive = (element: Element): void => {
    const origin = STYLE_PARENTS[section]
    if (origin) events.style?.(element, origin)
    else if (section === 'office:master-styles') {
      if (element.name === 'style:master-page') events.masterPage?.(element)
    } else if (section === 'office:meta') events.property?.(element)
  }
  await readXml(
    content,
    ODF_PREFIXES,
    {
      open(name, attributes) {
        depth++
        if (builder.isOpen) builder.open(name, attributes)
        else if (depth === 2) section = name
        else if (depth < 3) return
        else if (section !== 'office:body') builder.begin(name, attributes, receive)
        else if (depth === 3) body = events.body?.(name)
        else body?.open(name, attributes)
      },
      close(name) {
        if (builder.isOpen) builder.close(name)
        else if (section === 'office:body' && depth > 3) body?.close(name)
        depth--
      },
      text(text) {
        if (builder.isOpen) builder.text(text)
        else if (depth > 3) body?.text(text)
      },
    },
    { limits: LIMITS, ...(pause ? { pause } : {}) },
  )
}
