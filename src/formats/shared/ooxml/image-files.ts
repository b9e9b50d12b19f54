import { posix } from 'node:path'
import { uniquePaths } from '../../../core/artifact-names.ts'
import type { Artifact, Context, Source } from '../../../core/catalog.ts'
import type { DocumentImage } from '../document/model.ts'
import { writeJsonFile } from '../json-file.ts'
import { makePause } from '../read-chunks.ts'
import { mediaTypeOfPart } from './media.ts'
import { openPackage } from './open-package.ts'
import type { OfficePackage } from './package.ts'

/** A picture, sound or film inside an Office file. */
export type MediaFile = { part: string; path: string; mediaType: string; bytes: number }

const MAX_FILES = 20_000

/** The media of an Office file with the paths that the result holds them under; the same on every call. */
export const listMedia = (file: OfficePackage, wanted: 'images' | 'all'): MediaFile[] => {
  const givePath = uniquePaths()
  return file.archive.entries
    .filter(({ name, isFolder, bytes }) => !isFolder && bytes > 0 && isMedia(name))
    .map(({ name, bytes }) => ({ part: name, mediaType: mediaTypeOfPart(name), bytes }))
    .sort((a, b) => a.part.localeCompare(b.part, 'en', { numeric: true }))
    .slice(0, MAX_FILES)
    .map((media) => ({ ...media, path: givePath(`images/${posix.basename(media.part)}`) }))
    .filter(({ mediaType }) => wanted === 'all' || isImage(mediaType))
}

/** Nearly all writers keep media in a folder of that name; the picture of the first page is none of them. */
const isMedia = (name: string): boolean =>
  /(?:^|\/)media\//i.test(name) ||
  (/^(?:image|audio|video)\//.test(mediaTypeOfPart(name)) && !/^docProps\//i.test(name))

const isImage = (mediaType: string): boolean => !/^(?:audio|video)\//.test(mediaType)

/** Gives images their paths in the result. */
export const withPaths = (images: readonly DocumentImage[], media: readonly MediaFile[]): DocumentImage[] => {
  const paths = new Map(media.map(({ part, path }) => [part.toLowerCase(), path]))
  return images.map((image) => {
    const path = paths.get(image.id.toLowerCase())
    return path === undefined ? image : { ...image, path }
  })
}

/** Where a picture is used. */
export type ImageUse = { alt?: string; slides?: number[] }

/** The media of an Office file as they are, and an index of them. */
export async function* extractMedia(
  source: Source,
  context: Context,
  wanted: 'images' | 'all',
  uses: ReadonlyMap<string, ImageUse>,
): AsyncGenerator<Artifact> {
  const file = await openPackage(source)
  try {
    const media = listMedia(file, wanted)
    for (const [index, { part, path, mediaType }] of media.entries()) {
      context.signal.throwIfAborted()
      context.progress(index / media.length)
      const slide = uses.get(part.toLowerCase())?.slides?.[0]
      const provenance = slide === undefined ? { part } : { slide, part }
      const entry = file.archive.find(part)
      if (entry) yield { path, mediaType, provenance, data: paced(file.archive.stream(entry), context) }
    }
    if (media.length === 0) return
    const list = media.map((item) => ({ ...item, ...uses.get(item.part.toLowerCase()) }))
    yield { path: 'images/images.json', mediaType: 'application/json', data: writeJsonFile(list) }
  } finally {
    file.close()
  }
}

async function* paced(chunks: AsyncIterable<Buffer>, context: Context): AsyncGenerator<Buffer> {
  const pause = makePause(context)
  for await (const chunk of chunks) {
    yield chunk
    await pause()
  }
}

const MAX_EMBEDDED_BYTES = 8 * 1_048_576
const MAX_TOTAL_BYTES = 64 * 1_048_576
const SHOWN_BY_BROWSERS = /^image\/(?:png|jpeg|gif|webp|bmp|svg\+xml|avif)$/

/** Reads images so that they can stand in the markdown itself; gives what finds them. */
export const embedMedia = async (
  source: Source,
  images: readonly DocumentImage[],
  context: Context,
): Promise<(image: DocumentImage) => string | undefined> => {
  const file = await openPackage(source)
  const found = new Map<string, string>()
  let totalBytes = 0
  let leftOut = 0
  try {
    for (const { id, mediaType = '' } of images) {
      const entry = file.archive.find(id)
      const fits = entry && entry.bytes <= MAX_EMBEDDED_BYTES && totalBytes + entry.bytes <= MAX_TOTAL_BYTES
      if (!fits || !SHOWN_BY_BROWSERS.test(mediaType)) {
        leftOut++
        continue
      }
      totalBytes += entry.bytes
      const content = await file.archive.read(entry, MAX_EMBEDDED_BYTES * 2)
      found.set(id, `data:${mediaType};base64,${content.toString('base64')}`)
      context.progress(0.9)
    }
  } finally {
    file.close()
  }
  if (leftOut > 0) {
    context.warn(
      'office.images_not_embedded',
      `${leftOut} images are too large, or of a kind that browsers do not show.`,
    )
  }
  return ({ id }) => found.get(id)
}
