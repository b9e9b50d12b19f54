import { posix } from 'node:path'
import { uniquePaths } from '../../core/artifact-names.ts'
import type { Context, Source } from '../../core/catalog.ts'
import type { DocumentImage } from '../shared/document/model.ts'
import { mediaTypeOfPart } from '../shared/ooxml/media.ts'
import { type OdfPackage, openOdf } from './package/open-package.ts'
import type { OdfDocument } from './reader/read-document.ts'

/** A picture inside an OpenDocument file. */
export type Picture = { part: string; path: string; mediaType: string; bytes: number }

const MAX_PICTURES = 20_000
const MAX_PICTURE_BYTES = 256 * 1024 ** 2
/** Pictures that programs make of the document or of what is in it, and of their own buttons. */
const MADE = /^(?:Thumbnails|ObjectReplacements|Configurations2?|META-INF)\//i

/** The pictures of a file with the paths that the result holds them under; the same on every call. */
export const listPictures = (file: OdfPackage, { inside }: OdfDocument): Picture[] => {
  const givePath = uniquePaths()
  const parts = [...file.parts, ...[...inside].map(([name, { length }]) => ({ name, bytes: length }))]
  return parts
    .filter(({ name, bytes }) => bytes > 0 && !MADE.test(name) && isPicture(name))
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
    .slice(0, MAX_PICTURES)
    .map(({ name, bytes }) => ({
      part: name,
      path: givePath(`images/${posix.basename(name)}`),
      mediaType: mediaTypeOfPart(name),
      bytes,
    }))
}

const isPicture = (name: string): boolean => {
  const type = mediaTypeOfPart(name)
  return type.startsWith('image/') || (/^Pictures\//i.test(name) && !/^(?:audio|video)\//.test(type))
}

/** Runs with the file open and its pictures listed. */
export async function* withPictures<T>(
  source: Source,
  password: string,
  document: OdfDocument,
  context: Context,
  use: (pictures: Picture[], read: (picture: Picture) => Promise<Buffer>) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const file = await openOdf(source, password, context)
  try {
    yield* use(
      listPictures(file, document),
      async ({ part }) => document.inside.get(part) ?? (await file.read(part, MAX_PICTURE_BYTES)),
    )
  } finally {
    file.close()
  }
}

/** Gives images their paths in the result. */
export const withPaths = (images: readonly DocumentImage[], pictures: readonly Picture[]): DocumentImage[] => {
  const paths = new Map(pictures.map(({ part, path }) => [part, path]))
  return images.map((image) => {
    const path = paths.get(image.id)
    return path === undefined ? image : { ...image, path }
  })
}
