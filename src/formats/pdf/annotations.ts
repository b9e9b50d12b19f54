import type { Box } from '../shared/document/model.ts'
import { isDict, type PdfObjects, type PdfValue, toIsoDate, toName, toText } from './objects.ts'
import { optional } from './optional.ts'
import { boxOf, readPageSpace, roundBox, toRectangle } from './page-space.ts'
import { listPages } from './page-tree.ts'

/** What somebody put on a page. */
export type AnnotationFacts = {
  type: string
  page: number
  box?: Box
  author?: string
  subject?: string
  contents?: string
  uri?: string
  created?: string
  modified?: string
}
export type Annotations = { counts: Record<string, number>; list: AnnotationFacts[]; isCut: boolean }

const MAX_ANNOTATIONS = 5_000
const MAX_PER_PAGE = 20_000
const MAX_CHARACTERS = 20_000
/** Fields are told of with the form, and pop-ups only show what their parent says. Links inside the file are only counted. */
const UNTOLD = new Set(['Widget', 'Popup'])

/** The annotations of a file by page, and how many there are of each kind. */
export const listAnnotations = (objects: PdfObjects): Annotations => {
  const found: Annotations = { counts: {}, list: [], isCut: false }
  for (const [index, { page }] of listPages(objects).entries()) {
    const annotations = objects.array(page['/Annots'])
    if (annotations.length === 0) continue
    const { toShown } = readPageSpace(objects, page)
    for (const reference of annotations.slice(0, MAX_PER_PAGE)) {
      const annotation = objects.resolve(reference)
      if (!isDict(annotation)) continue
      const type = toName(objects.resolve(annotation['/Subtype'])) ?? 'Unknown'
      found.counts[type] = (found.counts[type] ?? 0) + 1
      const uri = readText(objects, objects.dict(annotation['/A'])['/URI'])
      if (UNTOLD.has(type) || (type === 'Link' && !uri)) continue
      if (found.list.length >= MAX_ANNOTATIONS) {
        found.isCut = true
        continue
      }
      const text = (key: string) => readText(objects, annotation[key])
      const rectangle = toRectangle(objects, annotation['/Rect'])
      found.list.push({
        type,
        page: index + 1,
        ...(rectangle ? { box: roundBox(boxOf(rectangle, toShown)) } : {}),
        ...optional('author', text('/T')),
        ...optional('subject', text('/Subj')),
        ...optional('contents', text('/Contents') ?? withoutMarkup(text('/RC'))),
        ...optional('uri', uri),
        ...optional('created', toIsoDate(text('/CreationDate'))),
        ...optional('modified', toIsoDate(text('/M'))),
      })
    }
  }
  return found
}

/** Rich text as plain text. */
const withoutMarkup = (text: string | undefined): string | undefined =>
  text
    ?.replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim() || undefined

const readText = (objects: PdfObjects, value: PdfValue | undefined): string | undefined =>
  toText(objects.resolve(value))?.slice(0, MAX_CHARACTERS) || undefined
