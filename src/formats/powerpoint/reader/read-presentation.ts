import type { Context, Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import type { Block, DocumentImage } from '../../shared/document/model.ts'
import { type Budget, createBudget } from '../../shared/ooxml/budget.ts'
import { listMedia, withPaths } from '../../shared/ooxml/image-files.ts'
import { openPackage } from '../../shared/ooxml/open-package.ts'
import { findByType, type OfficePackage, type Relationships } from '../../shared/ooxml/package.ts'
import { type OfficeProperties, readCoreProperties } from '../../shared/ooxml/properties.ts'
import { readTree } from '../../shared/ooxml/read-part.ts'
import { perSource } from '../../shared/per-source.ts'
import { makePause } from '../../shared/read-chunks.ts'
import { childOf, childrenOf, descend, type Element, findAll, nameSet } from '../../shared/xml/tree.ts'
import { readAuthors, readSlideComments, type SlideComment } from './comments.ts'
import { toPoints } from './geometry.ts'
import { placeholderOf, type Template, toTemplate } from './placeholders.ts'
import { readShapes, type SlideContent } from './shapes.ts'
import { readTextBody } from './text-body.ts'

export type Slide = SlideContent & {
  number: number
  isHidden: boolean
  layout: { type: string | undefined; name: string | undefined }
  /** What the speaker is to say. */
  notes: Block[]
  comments: SlideComment[]
}

/** All that is read from a presentation. */
export type Presentation = {
  slides: Slide[]
  images: DocumentImage[]
  core: OfficeProperties['core']
  /** Points. */
  width: number | undefined
  height: number | undefined
  sections: { name: string; slides: number }[]
}

const MAX_SLIDES = 20_000
/** Looks of shapes; without them a slide is a fraction as large. */
const SKIPPED = nameSet(`
  a:extLst a:ln a:prstGeom a:custGeom a:solidFill a:gradFill a:effectLst a:scene3d a:sp3d p:style a:bodyPr a:tableStyleId a:lnL a:lnR
  a:lnT a:lnB a:spcBef a:spcAft a:lnSpc a:buClr a:buSzPct a:defRPr a:endParaRPr p:timing p:transition p:custDataLst a:tblGrid a:ea a:cs
`)

/** Reads a presentation, once for all capabilities of a job. */
export const readPowerPoint = perSource(async (source: Source, context: Context): Promise<Presentation> => {
  const file = await openPackage(source)
  try {
    return await readFile(file, context)
  } finally {
    file.close()
  }
})

/** The names of the parts of the slides, in their order. */
export const listSlides = async (
  file: OfficePackage,
): Promise<{ root: Element; parts: string[]; relationships: Relationships }> => {
  const root = await readTree(file, file.mainPart)
  if (root?.name !== 'p:presentation') {
    throw new JobFailure(
      'extract.source_unreadable',
      { reason: 'no-document' },
      { detail: 'The file is not a PowerPoint presentation.' },
    )
  }
  const relationships = await file.relationshipsOf(file.mainPart)
  const parts = childrenOf(childOf(root, 'p:sldIdLst'), 'p:sldId')
    .slice(0, MAX_SLIDES)
    .flatMap(({ attributes }) => {
      const target = relationships.get(attributes['r:id'] ?? '')
      return target && !target.isExternal && file.archive.find(target.target) ? [target.target] : []
    })
  // Each slide is a part of its own; one that is listed again and again would be read again and again.
  return { root, parts: [...new Set(parts)], relationships }
}

const readFile = async (file: OfficePackage, context: Context): Promise<Presentation> => {
  const { root, parts, relationships } = await listSlides(file)
  const authors = await readAuthors(file, relationships)
  const images = new Map<string, DocumentImage>()
  const budget = createBudget()
  const templates = new Map<string, Promise<Template>>()
  const pause = makePause(context)
  const slides: Slide[] = []
  for (const part of parts) {
    slides.push(await readSlide(file, part, slides.length + 1, { images, templates, authors, budget }))
    context.progress((0.9 * slides.length) / parts.length)
    await pause()
  }
  const size = childOf(root, 'p:sldSz')?.attributes
  return {
    slides,
    images: withPaths([...images.values()], listMedia(file, 'all')),
    core: await readCoreProperties(file),
    width: toPoints(size?.cx),
    height: toPoints(size?.cy),
    sections: findAll(root, 'p14:section').map((section) => ({
      name: section.attributes.name ?? '',
      slides: findAll(section, 'p14:sldId').length,
    })),
  }
}

type Shared = {
  images: Map<string, DocumentImage>
  templates: Map<string, Promise<Template>>
  authors: ReadonlyMap<string, string>
  budget: Budget
}

const readSlide = async (file: OfficePackage, part: string, number: number, shared: Shared): Promise<Slide> => {
  const tree = await readTree(file, part, SKIPPED)
  const relationships = await file.relationshipsOf(part)
  const template = await readTemplate(file, findByType(relationships, 'slideLayout')?.target, shared.templates)
  const content = await readShapes(descend(tree, 'p:cSld', 'p:spTree'), {
    file,
    relationships,
    template,
    images: shared.images,
    budget: shared.budget,
  })
  return {
    ...content,
    number,
    isHidden: /^(?:0|false)$/.test(tree?.attributes.show ?? ''),
    layout: { type: template?.type, name: template?.name },
    notes: await readNotes(file, findByType(relationships, 'notesSlide')?.target),
    comments: await readSlideComments(file, relationships, shared.authors),
  }
}

/** A layout with the master behind it, read once for all slides that use it. */
const readTemplate = async (
  file: OfficePackage,
  part: string | undefined,
  known: Map<string, Promise<Template>>,
): Promise<Template | undefined> => {
  if (part === undefined) return undefined
  const read = async (name: string, parent: Template | undefined): Promise<Template> =>
    toTemplate(await readTree(file, name, SKIPPED), parent)
  const remember = (name: string, make: () => Promise<Template>): Promise<Template> => {
    const found = known.get(name) ?? make()
    known.set(name, found)
    return found
  }
  return await remember(part, async () => {
    const master = findByType(await file.relationshipsOf(part), 'slideMaster')?.target
    return await read(part, master === undefined ? undefined : await remember(master, () => read(master, undefined)))
  })
}

const readNotes = async (file: OfficePackage, part: string | undefined): Promise<Block[]> => {
  if (part === undefined) return []
  const tree = await readTree(file, part, SKIPPED)
  const relationships = await file.relationshipsOf(part)
  return findAll(descend(tree, 'p:cSld', 'p:spTree'), 'p:sp')
    .filter((shape) => placeholderOf(shape)?.type === 'body')
    .flatMap((shape) => readTextBody(childOf(shape, 'p:txBody'), relationships))
}
