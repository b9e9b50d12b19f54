import type { Context, Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { createHeadingAnchors, resolveLinks } from '../../shared/document/heading-anchors.ts'
import type { Block, DocumentImage, Furniture, Note } from '../../shared/document/model.ts'
import { createBudget } from '../../shared/ooxml/budget.ts'
import { perSource } from '../../shared/per-source.ts'
import { makePause } from '../../shared/read-chunks.ts'
import type { XmlEvents } from '../../shared/xml/events.ts'
import { createTreeBuilder, type Element } from '../../shared/xml/tree.ts'
import { type OdfPackage, openOdf } from '../package/open-package.ts'
import { readHeadersFooters } from './headers-footers.ts'
import { createListNumbers } from './number-lists.ts'
import { readObjects } from './objects.ts'
import { addProperty, createProperties, type Properties } from './properties.ts'
import { createBodyReader } from './read-body.ts'
import type { Change, Comment, EmbeddedObject, Reading } from './reading.ts'
import { scanPart } from './scan-part.ts'
import { readDeclaration, readSlide, type Slide } from './slides.ts'
import { createStyles, type Styles } from './styles.ts'

/** All that is read from an OpenDocument file. */
export type OdfDocument = {
  kind: 'text' | 'presentation' | 'drawing'
  /** Of a text. */
  blocks: Block[]
  furniture: Furniture[]
  notes: Note[]
  /** Of a presentation or drawing. */
  slides: Slide[]
  comments: Comment[]
  changes: Change[]
  properties: Properties
  language: string | undefined
  images: DocumentImage[]
  /** Pictures of a flat file by id. */
  inside: ReadonlyMap<string, Buffer>
  altTexts: ReadonlyMap<string, string>
  /** Objects that are shown in the text and could not be read. */
  unreadObjects: number
}

const MAX_PART_BYTES = 256 * 1024 ** 2
const MAX_STYLES_BYTES = 64 * 1024 ** 2
const MAX_META_BYTES = 4 * 1024 ** 2
const MAX_SLIDES = 20_000
const MAX_KEPT_PAGES = 2_000
const PIECE_BYTES = 65_536

/** Reads an OpenDocument file, once for all capabilities of a job. The key is the password. */
export const readOdf = perSource(async (source: Source, context: Context, password): Promise<OdfDocument> => {
  const file = await openOdf(source, password, context)
  try {
    return await readFile(file, context)
  } finally {
    file.close()
  }
})

type Gathered = {
  styles: Styles
  /** Styles of headers and footers, which have names of their own. */
  masterStyles: Styles
  masterPages: Element[]
  properties: Properties
}

const readFile = async (file: OdfPackage, context: Context): Promise<OdfDocument> => {
  const gathered: Gathered = {
    styles: createStyles(),
    masterStyles: createStyles(),
    masterPages: [],
    properties: createProperties(),
  }
  if (!file.isFlat) await readSideParts(file, gathered)
  const reading = startReading(gathered.styles, await readObjects(file))
  const body = await readBody(file, gathered, reading, context)
  const masterReading: Reading = { ...reading, styles: gathered.masterStyles, notes: [], comments: [] }
  const furniture = body.kind === 'text' ? readHeadersFooters(gathered.masterPages, masterReading) : []
  const blocks = body.kind === 'text' ? body.blocks : []
  resolveLinks(reading.anchors, [...blocks, ...furniture])
  for (const note of reading.notes) resolveLinks(reading.anchors, note.blocks)
  for (const slide of body.slides) resolveLinks(reading.anchors, [...slide.blocks, ...slide.notes])
  const { said } = gathered.properties
  return {
    kind: body.kind,
    blocks,
    furniture,
    notes: reading.notes,
    slides: body.slides,
    comments: reading.comments,
    changes: [...reading.changes.values()].filter(({ text }) => text.trim() !== ''),
    properties: gathered.properties,
    language: typeof said.language === 'string' ? said.language : gathered.styles.language,
    images: [...reading.images.values()],
    inside: reading.inside,
    altTexts: reading.altTexts,
    unreadObjects: reading.unreadObjects,
  }
}

const startReading = (styles: Styles, objects: ReadonlyMap<string, EmbeddedObject>): Reading => ({
  styles,
  budget: createBudget(),
  lists: createListNumbers(),
  outlineCounts: [],
  images: new Map(),
  inside: new Map(),
  altTexts: new Map(),
  notes: [],
  anchors: createHeadingAnchors(),
  comments: [],
  openComments: new Map(),
  changes: new Map(),
  openChanges: new Map(),
  objects,
  unreadObjects: 0,
})

/** Styles, headers and properties; a file without them is plain, not broken. */
const readSideParts = async (file: OdfPackage, gathered: Gathered): Promise<void> => {
  if (file.has('styles.xml')) {
    await scanPart(await file.open('styles.xml', MAX_STYLES_BYTES), {
      style(element, origin) {
        gathered.masterStyles.add(element)
        if (origin === 'common') gathered.styles.add(element)
      },
      masterPage(element) {
        if (gathered.masterPages.length < MAX_KEPT_PAGES) gathered.masterPages.push(element)
      },
    })
  }
  await readProperties(file, gathered.properties)
}

/** Reads `meta.xml`; what is broken in it says nothing. */
export const readProperties = async (file: OdfPackage, properties: Properties): Promise<void> => {
  if (file.isFlat || !file.has('meta.xml')) return
  try {
    const content = await file.open('meta.xml', MAX_META_BYTES)
    await scanPart(content, { property: (element) => addProperty(properties, element) })
  } catch (error) {
    if (error instanceof JobFailure && error.code === 'extract.source_encrypted') throw error
  }
}

type Body = { kind: OdfDocument['kind']; blocks: Block[]; slides: Slide[] }

const readBody = async (
  file: OdfPackage,
  { styles, masterStyles, masterPages, properties }: Gathered,
  reading: Reading,
  context: Context,
): Promise<Body> => {
  let found: Body | undefined
  const rest = makePause(context)
  const bytes = file.parts.find(({ name }) => name === 'content.xml')?.bytes ?? 0
  let pieces = 0
  const pause = (): Promise<void> | undefined => {
    if (bytes > 0) context.progress(Math.min(0.9, (++pieces * PIECE_BYTES) / bytes))
    return rest()
  }
  await scanPart(
    await file.open('content.xml', MAX_PART_BYTES),
    {
      style(element) {
        styles.add(element)
        if (file.isFlat) masterStyles.add(element)
      },
      masterPage(element) {
        if (masterPages.length < MAX_KEPT_PAGES) masterPages.push(element)
      },
      property: (element) => addProperty(properties, element),
      body(name) {
        if (name === 'office:text') {
          const { flow, events } = createBodyReader(reading)
          found = { kind: 'text', blocks: flow.blocks, slides: [] }
          return events
        }
        if (name !== 'office:presentation' && name !== 'office:drawing') throw notOurs()
        const slides: Slide[] = []
        found = { kind: name === 'office:drawing' ? 'drawing' : 'presentation', blocks: [], slides }
        return createSlideReader(reading, slides)
      },
    },
    pause,
  )
  if (!found) throw notOurs()
  return found
}

const notOurs = (): JobFailure =>
  new JobFailure(
    'extract.source_unreadable',
    { reason: 'no-document' },
    { detail: 'The file holds no OpenDocument text, presentation or drawing.' },
  )

/** Reads slide by slide. */
const createSlideReader = (reading: Reading, slides: Slide[]): XmlEvents => {
  const builder = createTreeBuilder()
  const declarations = new Map<string, string>()
  const receive = (element: Element): void => {
    if (element.name === 'draw:page') {
      if (slides.length < MAX_SLIDES) slides.push(readSlide(element, slides.length + 1, declarations, reading))
      return
    }
    const declaration = readDeclaration(element)
    if (declaration) declarations.set(...declaration)
  }
  return {
    open(name, attributes) {
      if (builder.isOpen) builder.open(name, attributes)
      else builder.begin(name, attributes, receive)
    },
    close: (name) => builder.close(name),
    text(text) {
      if (builder.isOpen) builder.text(text)
    },
  }
}
