import type { Context, Source } from '../../../core/catalog.ts'
import type { DocumentImage } from '../../shared/document/model.ts'
import { parseHtml } from '../../shared/html/tree.ts'
import type { Book, Picture, PictureReader } from '../book.ts'
import { listTitles } from '../chapters/promote-titles.ts'
import { createChapterReader } from '../chapters/read-chapters.ts'
import { assembleParts, type Part } from './assemble-parts.ts'
import { readFacts } from './facts.ts'
import { type MobiHeader, numberAt } from './header.ts'
import { insertAnchors } from './insert-anchors.ts'
import { type MobiFile, openMobi } from './open-mobi.ts'
import { openPalmDatabase } from './palm-database.ts'
import { listPictures } from './pictures.ts'
import { type NcxEntry, type NcxPlace, readNcx, toToc } from './read-ncx.ts'
import { readText } from './read-text.ts'

const COVER = 201
const MAX_PLACES = 200_000

/** Reads a Mobipocket or Kindle book. */
export const readMobi = async (source: Source, context: Context): Promise<Book> => {
  const opened = openMobi(source.path)
  try {
    return await readFile(opened, source, context)
  } finally {
    opened.file.close()
  }
}

/** The files of a book, and how its links find a place in them. */
type Layout = {
  chapters: { name: string; markup: Buffer }[]
  /** The name of the place that an address means. */
  placeOf(href: string): string | undefined
  nameOf(place: NcxPlace): string | undefined
}

const readFile = async ({ file, header, first }: MobiFile, source: Source, context: Context): Promise<Book> => {
  const text = await readText(file, header, context)
  const ncx = readNcx(file, header)
  const isNew = header.version >= 8
  const layout = isNew ? layOutParts(assembleParts(file, header, text), ncx) : layOutText(text, ncx)
  const toc = toToc(ncx, layout.nameOf)
  const pictures = listPictures(file, header)
  const findImage = (src: string): DocumentImage | undefined => {
    const embedded = /^kindle:embed:([\dA-V]+)/i.exec(src)?.[1]
    const number = embedded === undefined ? Number(/^recindex:(\d+)$/.exec(src)?.[1]) : Number.parseInt(embedded, 32)
    const picture = pictures.get(number)
    return picture && { id: picture.id, path: picture.path, mediaType: picture.mediaType }
  }
  const reader = createChapterReader({
    findImage: (src) => (/^https?:/i.test(src) ? { id: src, url: src } : findImage(src)),
    findPlace: (href, chapter) => layout.placeOf(href) ?? (href.startsWith('#') ? `${chapter}${href}` : undefined),
    titlesOf: listTitles(toc),
  })
  const decoder = new TextDecoder(header.encoding)
  for (const [index, { name, markup }] of layout.chapters.entries()) {
    context.progress(0.5 + (index / layout.chapters.length) * 0.4)
    context.signal.throwIfAborted()
    reader.add(name, await parseHtml(toPage(decoder.decode(markup), file.kind), { xml: true }))
  }
  const { blocks, notes, images, missingImages } = reader.finish()
  const all = [...pictures.values()]
  return {
    facts: readFacts(header),
    toc,
    blocks,
    notes,
    images,
    pictures: all,
    openPictures: () => openPictures(source),
    cover: findCover(first, pictures) ?? findCover(header, pictures),
    chapters: layout.chapters.length,
    shortcomings:
      missingImages > 0
        ? [{ code: 'ebook.images_missing', detail: `${missingImages} images that the text shows are not in the file.` }]
        : [],
  }
}

/** A book of the first Palm readers is plain text. */
const toPage = (text: string, kind: string): string => {
  const markup = text.replaceAll('\0', '')
  if (kind === 'BOOKMOBI' || /<(?:html|body|p|div)\b/i.test(markup.slice(0, 5_000))) return markRecords(markup)
  const escaped = markup.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return escaped
    .split(/\r\n?|\n/)
    .map((line) => `<p>${line}</p>`)
    .join('')
}

/** Pictures of the older format are named by their number alone. */
const markRecords = (markup: string): string =>
  markup.replace(/<img\b([^<>]{0,2000}?)\s(?:hi)?recindex\s*=\s*["']?0*(\d+)["']?/gi, '<img$1 src="recindex:$2"')

const TEXT = 'text'

/** The older format is one page; links name a byte of it. */
const layOutText = (text: Buffer, ncx: readonly NcxEntry[]): Layout => {
  const places = new Map<number, string>()
  const add = (position: number): void => {
    if (places.size < MAX_PLACES) places.set(position, `filepos${position}`)
  }
  for (const [, digits] of text.toString('latin1').matchAll(/\bfilepos\s*=\s*["']?0*(\d{1,10})/gi)) add(Number(digits))
  visitEntries(ncx, ({ position }) => position !== undefined && add(position))
  // Links become addresses, which the reader of pages knows.
  const linked = insertAnchors(text, places).toString('latin1')
  const markup = Buffer.from(
    linked.replace(/(<a\b[^<>]{0,2000}?)\bfilepos\s*=\s*["']?0*(\d{1,10})["']?/gi, '$1href="#filepos$2"'),
    'latin1',
  )
  return {
    chapters: [{ name: TEXT, markup }],
    placeOf: (href) => (/^#filepos\d+$/.test(href) ? `${TEXT}${href}` : undefined),
    nameOf: ({ position }) => (position === undefined ? undefined : `${TEXT}#filepos${position}`),
  }
}

const visitEntries = (entries: readonly NcxEntry[], visit: (place: NcxPlace) => void): void => {
  for (const { place, children } of entries) {
    visit(place)
    visitEntries(children, visit)
  }
}

/** The newer format has many pages; links name a fragment and an offset in it. */
const layOutParts = ({ parts, fragments }: ReturnType<typeof assembleParts>, ncx: readonly NcxEntry[]): Layout => {
  const placesOf = parts.map(() => new Map<number, string>())
  const nameAt = (fragment: number, offset: number): string | undefined => {
    const start = fragments[fragment]?.insertAt
    if (start === undefined) return undefined
    const position = start + offset
    const part = findPart(parts, position)
    const places = placesOf[part]
    if (!places || places.size >= MAX_PLACES) return undefined
    const at = position - (parts[part]?.start ?? 0)
    if (at <= 0) return partName(part)
    places.set(at, `pos${at}`)
    return `${partName(part)}#pos${at}`
  }
  const placeOf = (href: string): string | undefined => {
    const [, fragment = '', offset = ''] = /^kindle:pos:fid:([\dA-V]+):off:([\dA-V]+)/i.exec(href) ?? []
    return fragment === '' ? undefined : nameAt(Number.parseInt(fragment, 32), Number.parseInt(offset, 32))
  }
  for (const { markup } of parts) {
    for (const [href] of markup.toString('latin1').matchAll(/kindle:pos:fid:[\dA-V]+:off:[\dA-V]+/gi)) placeOf(href)
  }
  const nameOf = ({ fragment, offset = 0 }: NcxPlace) => (fragment === undefined ? undefined : nameAt(fragment, offset))
  visitEntries(ncx, nameOf)
  return {
    chapters: parts.map(({ markup }, index) => ({
      name: partName(index),
      markup: insertAnchors(markup, placesOf[index] ?? new Map()),
    })),
    placeOf,
    nameOf,
  }
}

const partName = (index: number): string => `part-${index + 1}`

/** The last part that begins at or before a position. */
const findPart = (parts: readonly Part[], position: number): number => {
  let low = 0
  let high = parts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((parts[middle]?.start ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}

const findCover = ({ extended }: MobiHeader, pictures: ReadonlyMap<number, Picture>): Picture | undefined => {
  const offset = numberAt(extended, COVER)
  return offset === undefined ? undefined : pictures.get(offset + 1)
}

const openPictures = async (source: Source): Promise<PictureReader> => {
  const file = openPalmDatabase(source.path)
  return { read: async ({ id }) => file.read(Number(id)), close: file.close }
}
