import { posix } from 'node:path'
import { uniquePaths } from '../../../core/artifact-names.ts'
import type { Context, Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import type { DocumentImage } from '../../shared/document/model.ts'
import { findElement, type HtmlElement, parseHtml, walkElements } from '../../shared/html/tree.ts'
import { mediaTypeOfPart } from '../../shared/ooxml/media.ts'
import { makePause } from '../../shared/read-chunks.ts'
import type { Book, Picture, PictureReader } from '../book.ts'
import { decodeMarkup } from '../chapters/decode-markup.ts'
import { listTitles } from '../chapters/promote-titles.ts'
import { createChapterReader } from '../chapters/read-chapters.ts'
import { type EpubFile, openEpub, readNavigation } from './open-epub.ts'
import type { ManifestItem } from './package-document.ts'
import { resolvePath } from './paths.ts'

export const MAX_CHAPTER_BYTES = 48 * 1024 ** 2
const MAX_PICTURE_BYTES = 256 * 1024 ** 2
const MAX_PICTURES = 20_000

/** Reads an EPUB of any version. */
export const readEpub = async (source: Source, context: Context): Promise<Book> => {
  const file = await openEpub(source.path)
  try {
    return await readFile(file, source, context)
  } finally {
    file.archive.close()
  }
}

const readFile = async (file: EpubFile, source: Source, context: Context): Promise<Book> => {
  const { opf, archive } = file
  const { toc, pages } = await readNavigation(file)
  const pictures = listPictures(file)
  const byPath = new Map(pictures.map((picture) => [picture.id.toLowerCase(), picture]))
  const chapters = opf.spine.filter(isText)
  const reader = createChapterReader({
    findImage(src, chapter) {
      if (/^https?:/i.test(src)) return { id: src, url: src }
      const path = resolvePath(src, chapter)?.path.toLowerCase()
      const picture = path === undefined ? undefined : byPath.get(path)
      return picture && toImage(picture)
    },
    findPlace(href, chapter) {
      const place = resolvePath(href, chapter)
      if (!place) return undefined
      const path = archive.find(place.path)?.name ?? place.path
      return place.fragment === '' ? path : `${path}#${place.fragment}`
    },
    titlesOf: listTitles(toc),
  })
  const rest = makePause(context)
  let missing = opf.danglingItems
  for (const [index, item] of chapters.entries()) {
    context.progress((index / chapters.length) * 0.9)
    await rest()
    const root = await readChapter(file, item)
    if (root) reader.add(archive.find(item.path)?.name ?? item.path, root)
    else missing++
  }
  const { blocks, notes, images, inside, missingImages } = reader.finish()
  const embedded = inside.map(
    ({ id, path = '', mediaType = '', bytes }): Picture => ({ id, path, mediaType, bytes: bytes.length }),
  )
  const contents = new Map(inside.map(({ id, bytes }) => [id, bytes]))
  const all = [...pictures, ...embedded.filter(({ path }) => path !== '')]
  return {
    facts: pages > 0 ? { ...opf.facts, more: { ...opf.facts.more, printedPages: pages } } : opf.facts,
    toc,
    blocks,
    notes,
    images,
    pictures: all,
    openPictures: () => openPictures(source, contents),
    cover: await findCover(file, byPath),
    chapters: chapters.length,
    shortcomings: [
      ...(missing > 0
        ? [{ code: 'ebook.chapters_missing', detail: `${missing} files that the book names are not in it.` }]
        : []),
      ...(missingImages > 0
        ? [{ code: 'ebook.images_missing', detail: `${missingImages} images that the text shows are not in the file.` }]
        : []),
    ],
  }
}

const toImage = ({ id, path, mediaType }: Picture): DocumentImage => ({ id, path, mediaType })

/** Some books name pictures in their reading order; what is no text is not read. */
export const isText = ({ mediaType, path }: ManifestItem): boolean =>
  /html|dtbook|oeb1-document|xml$/.test(mediaType) || (mediaType === '' && /\.x?html?$/i.test(path))

const readChapter = async (file: EpubFile, { path }: ManifestItem): Promise<HtmlElement | undefined> => {
  try {
    const content = await file.read(path, MAX_CHAPTER_BYTES)
    return content && (await parseHtml(decodeMarkup(content), { xml: true }))
  } catch (error) {
    if (error instanceof JobFailure && error.code === 'extract.source_unreadable') return undefined
    throw error
  }
}

const openPictures = async (source: Source, inside: ReadonlyMap<string, Buffer>): Promise<PictureReader> => {
  const file = await openEpub(source.path)
  return {
    read: async ({ id }) => inside.get(id) ?? (await file.read(id, MAX_PICTURE_BYTES)) ?? Buffer.alloc(0),
    close: file.archive.close,
  }
}

/** Pictures by the manifest, and those that it forgot. */
const listPictures = ({ archive, opf, protection }: EpubFile): Picture[] => {
  const types = new Map([...opf.items.values()].map(({ path, mediaType }) => [path.toLowerCase(), mediaType]))
  const givePath = uniquePaths()
  return archive.entries
    .filter(({ name, isFolder, isSafe, bytes }) => !isFolder && isSafe && bytes > 0 && !/^META-INF\//i.test(name))
    .filter(({ name }) => !protection.files.has(name.toLowerCase()))
    .map(({ name, bytes }) => ({
      id: name,
      bytes,
      mediaType: types.get(name.toLowerCase()) || mediaTypeOfPart(name),
    }))
    .filter(({ mediaType }) => mediaType.startsWith('image/'))
    .slice(0, MAX_PICTURES)
    .map((picture) => ({ ...picture, path: givePath(`images/${posix.basename(picture.id)}`) }))
}

/** The cover by the manifest, by the guide, or the only picture of the first page. */
const findCover = async (file: EpubFile, byPath: ReadonlyMap<string, Picture>): Promise<Picture | undefined> => {
  const { opf } = file
  const at = (path: string | undefined) => (path === undefined ? undefined : byPath.get(path.toLowerCase()))
  const named = opf.coverId === undefined ? undefined : (opf.items.get(opf.coverId)?.path ?? opf.coverId)
  const found = at(named) ?? at(opf.coverPage)
  if (found) return found
  const page = named !== undefined && isPage(named) ? named : opf.coverPage
  const item = [...opf.items.values()].find(({ path }) => path === page) ?? opf.spine[0]
  const root = item && isText(item) ? await readChapter(file, item) : undefined
  if (!root || !item) return undefined
  const shown = [...walkElements(findElement(root, 'body') ?? root)].filter(({ name }) => /^(?:img|image)$/.test(name))
  const { src, href } = shown[0]?.attributes ?? {}
  if (shown.length !== 1 || (page === undefined && !/cover/i.test(`${item.id} ${item.path} ${src ?? href}`)))
    return undefined
  return at(resolvePath(src ?? href ?? '', item.path)?.path)
}

const isPage = (path: string): boolean => /\.x?html?$/i.test(path)
