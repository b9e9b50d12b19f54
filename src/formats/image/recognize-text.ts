import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Source } from '../../core/catalog.ts'
import { type PictureInput, readHeader } from '../../engines/sharp.ts'
import { hasContent } from '../shared/document/has-content.ts'
import type { DocumentModel } from '../shared/document/model.ts'
import { createAssembler } from '../shared/layout/assemble.ts'
import { type OcrSettings, recognizeImage } from '../shared/ocr/recognize.ts'
import { perSource } from '../shared/per-source.ts'
import { type ImageFacts, readFacts } from './facts.ts'
import type { ImageKind } from './kinds.ts'
import { readMainPicture } from './main-picture.ts'
import { type Frame, readFrames } from './read-frames.ts'
import { usePicture } from './use-picture.ts'
import { warnOnce } from './warnings.ts'

type Reading = { document: DocumentModel; warnings: readonly (readonly [code: string, detail: string])[] }

/** Kinds whose pictures are pages; of an animation or an icon one picture says all. */
const PAGED: ReadonlySet<ImageKind> = new Set<ImageKind>(['tiff', 'avif', 'heif'])
/** More is scaled down: letters do not become clearer by being larger. */
const MAX_READ_PIXELS = 40_000_000
const READING_SHARE = 0.95

/** The text in the pictures of a file, read once for all capabilities that ask for the same; undefined where there is none. */
export const recognizeText = async (
  source: Source,
  settings: OcrSettings,
  context: Context,
): Promise<DocumentModel | undefined> => {
  const { document, warnings } = await recognizeOnce(source, context, JSON.stringify(settings))
  for (const [code, detail] of warnings) context.warn(code, detail)
  if (hasContent(document)) return document
  context.warn('capability.nothing_found', 'No text was found in the image.')
  return undefined
}

const recognizeOnce = perSource(async (source, context, key): Promise<Reading> => {
  const settings = JSON.parse(key) as OcrSettings
  const warnings: (readonly [string, string])[] = []
  // Every capability that shares this reading gives its warnings, not only the one that came first.
  const quiet = warnOnce({ ...context, warn: (code, detail) => warnings.push([code, detail]) })
  const facts = await readFacts(source, context)
  const assembler = createAssembler()
  const pageCount = PAGED.has(facts.kind) ? facts.frames : 1
  for await (const { number, picture } of readPages(source, quiet, facts)) {
    quiet.progress((READING_SHARE * (number - 1)) / pageCount)
    if (!picture) quiet.warn('image.frames_missing', `Page ${number} could not be decoded.`)
    else assembler.add({ ...(await recognizePicture(picture, facts, settings, quiet)), number })
  }
  return { document: assembler.finish(), warnings }
})

async function* readPages(source: Source, context: Context, { kind, frames }: ImageFacts): AsyncGenerator<Frame> {
  if (PAGED.has(kind)) yield* readFrames(source, context, frames)
  else yield { number: 1, picture: await readMainPicture(source, context) }
}

/** Reads a picture from a file of its own: upright, whole as far as it goes, and cheap to open more than once. */
const recognizePicture = async (picture: PictureInput, facts: ImageFacts, settings: OcrSettings, context: Context) => {
  const path = join(context.scratch, 'ocr-picture.tif')
  const { width, height } = await readHeader(picture)
  const scale = Math.min(1, Math.sqrt(MAX_READ_PIXELS / (width * height)))
  await usePicture(picture, context, (image) => {
    const longest = Math.floor(Math.max(width, height) * scale)
    const sized = image
      .autoOrient()
      .resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true })
    return sized.tiff({ compression: 'none' }).toFile(path)
  })
  try {
    const dpi = facts.density && facts.density * scale
    const { content } = await recognizeImage({ path, ...(dpi ? { dpi } : {}) }, settings, context)
    return content
  } finally {
    await rm(path, { force: true })
  }
}
