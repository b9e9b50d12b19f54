import { countAvifPictures } from './avif.ts'
import { type Bytes, openBytes, readLatin1 } from './bytes.ts'
import { countListedPages } from './epub.ts'
import { countGifFrames } from './gif.ts'
import { isLengthGuessed } from './guessed-length.ts'
import { countIconSizes } from './ico.ts'
import { measureDuration } from './media.ts'
import { measureOffice } from './office.ts'
import { measureOpenDocument } from './opendocument.ts'
import { countPdfPages } from './pdf.ts'
import { countPngFrames } from './png.ts'
import { countTiffPages } from './tiff.ts'
import { countWebpFrames } from './webp.ts'
import { openZip } from './zip.ts'

/** What was found out about a file, named as in the body of an estimate. */
export type Measures = {
  durationSeconds?: number
  pageCount?: number
  slideCount?: number
  sheetCount?: number
  frameCount?: number
}

type FrameCounter = (bytes: Bytes) => Promise<number | undefined>

/** Pictures whose frames are counted, by how the file begins. */
const PICTURES: readonly [RegExp, FrameCounter][] = [
  [/^89504e470d0a1a0a/, countPngFrames],
  [/^47494638(?:37|39)61/, countGifFrames],
  [/^52494646.{8}57454250/, countWebpFrames],
  [/^(?:49492[ab]00|4d4d002[ab])/, countTiffPages],
  [/^0000(?:01|02)00(?!0000)/, countIconSizes],
  [/^.{8}66747970/, countAvifPictures],
]
const HEAD_BYTES = 16

/**
 * Measures a file in the browser, from a few pieces of it. What cannot be told with certainty is left out: then the
 * service measures.
 */
export const measure = async (file: Blob, category: string, signal: AbortSignal): Promise<Measures> => {
  try {
    const bytes = openBytes(file, signal)
    if (category === 'audio' || category === 'video') {
      const seconds = await measureDuration(file, signal)
      const isGuessed = seconds !== undefined && (await isLengthGuessed(bytes, seconds))
      return withCount('durationSeconds', isGuessed ? undefined : seconds)
    }
    const head = readLatin1(await bytes.read(0, Math.min(HEAD_BYTES, file.size)))
    if (category === 'image') {
      const count = PICTURES.find(([mark]) => mark.test(toHex(head)))?.[1]
      return withCount('frameCount', await count?.(bytes))
    }
    if (head.startsWith('%PDF-')) return withCount('pageCount', await countPdfPages(bytes))
    return head.startsWith('PK') ? await measurePackage(file, signal) : {}
  } catch {
    // Damaged, encrypted, or of a kind that is not read here.
    return {}
  }
}

const measurePackage = async (file: Blob, signal: AbortSignal): Promise<Measures> => {
  const zip = await openZip(file, signal)
  if (!zip) return {}
  if (zip.names.has('content.xml')) return await measureOpenDocument(zip)
  if (zip.names.has('META-INF/container.xml')) return withCount('pageCount', await countListedPages(zip))
  return zip.names.has('_rels/.rels') ? await measureOffice(zip) : {}
}

const toHex = (text: string): string =>
  [...text].map((character) => character.charCodeAt(0).toString(16).padStart(2, '0')).join('')

const withCount = (field: keyof Measures, count: number | undefined): Measures =>
  count === undefined ? {} : { [field]: count }
