import type { Context, Format, Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import { makePause } from '../shared/read-chunks.ts'
import type { XmlEvents } from '../shared/xml/events.ts'
import { isPresentation } from './kinds.ts'
import { openOdf } from './package/open-package.ts'
import { addProperty, createProperties } from './reader/properties.ts'
import { readProperties } from './reader/read-document.ts'
import { scanPart } from './reader/scan-part.ts'

const CHARACTERS_PER_PAGE = 1_800
const MAX_PART_BYTES = 256 * 1024 ** 2
/** What is in the file and not in the text. */
const UNCOUNTED = new Set(['text:tracked-changes', 'office:annotation', 'office:binary-data', 'office:forms'])

/**
 * Slides and pages of a drawing as the content has them. Pages of a text as the file counts them; where it does not, as
 * many as its characters fill.
 */
export const probe: NonNullable<Format['probe']> = async (source, context, shared) => {
  const { pages, characters, storedPages } = await measure(source, context, String(shared?.password ?? ''))
  if (isPresentation(source.extension)) return { slides: Math.max(1, pages) }
  if (pages > 0) return { pages }
  return { pages: storedPages > 0 ? storedPages : Math.max(1, Math.ceil(characters / CHARACTERS_PER_PAGE)) }
}

type Measures = { pages: number; characters: number; storedPages: number }

const measure = async (source: Source, context: Context, password: string): Promise<Measures> => {
  const file = await openOdf(source, password, context)
  try {
    const properties = createProperties()
    await readProperties(file, properties)
    const stored = properties.counts.pages ?? 0
    const isText = /^f?o[dt]t$/.test(source.extension)
    if (stored > 0 && isText) return { pages: 0, characters: 0, storedPages: stored }
    const counter = createCounter()
    const content = await file.open('content.xml', MAX_PART_BYTES)
    const property = (element: Parameters<typeof addProperty>[1]) => addProperty(properties, element)
    await scanPart(content, { property, body: counter.body }, makePause(context))
    return { ...counter.measures, storedPages: isText ? (properties.counts.pages ?? 0) : 0 }
  } finally {
    file.close()
  }
}

const createCounter = () => {
  const measures = { pages: 0, characters: 0 }
  let uncountedDepth = 0
  const events: XmlEvents = {
    open(name) {
      if (uncountedDepth > 0 || UNCOUNTED.has(name)) uncountedDepth++
      else if (name === 'draw:page') measures.pages++
    },
    close() {
      if (uncountedDepth > 0) uncountedDepth--
    },
    text(text) {
      if (uncountedDepth === 0) measures.characters += text.length
    },
  }
  const body = (name: string): XmlEvents => {
    if (!/^office:(?:text|presentation|drawing)$/.test(name)) {
      throw new JobFailure('extract.source_unreadable', { reason: 'no-document' })
    }
    return events
  }
  return { measures, body }
}
