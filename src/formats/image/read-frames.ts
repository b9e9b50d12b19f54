import { open, rm } from 'node:fs/promises'
import type { Context, Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import type { PictureInput } from '../../engines/sharp.ts'
import { extractFrame, readLayout } from './apng.ts'
import { readSequenceFrames } from './avif-sequence.ts'
import { createCanvas } from './canvas.ts'
import { type ImageFacts, readFacts } from './facts.ts'
import { iconPicture, readIcon } from './ico.ts'
import { decodeByMagick, isMagickKind } from './magick-pictures.ts'
import { readMainPicture } from './main-picture.ts'
import { readTiffPages } from './tiff-pages.ts'
import { usePicture } from './use-picture.ts'

/** A picture of the file in its place; `picture` can be read until the next frame is asked for, or is broken. */
export type Frame = {
  /** From 1. */
  number: number
  picture: PictureInput | undefined
  /** When an animation shows it, and for how long. */
  timeSeconds?: number
  durationSeconds?: number
}

/** Pixels of the frames of an animation that are decoded together: they depend on those before them. */
const WINDOW_PIXELS = 16_000_000

/** Every frame of an animation as it is shown, page of a document, size of an icon or picture of a collection. */
export async function* readFrames(source: Source, context: Context, maxFrames: number): AsyncGenerator<Frame> {
  const facts = await readFacts(source, context)
  const durations = facts.animation?.frameDurationsSeconds
  let number = 0
  let timeSeconds = 0
  for await (const picture of readPictures(source, context, facts, Math.min(facts.frames, maxFrames))) {
    const durationSeconds = durations?.[number]
    number += 1
    if (durationSeconds === undefined) yield { number, picture }
    else {
      yield { number, picture, timeSeconds, durationSeconds }
      // Sums of tenths and hundredths drift in the last digits.
      timeSeconds = Math.round((timeSeconds + durationSeconds) * 1e6) / 1e6
    }
  }
}

type Pictures = AsyncIterable<PictureInput | undefined> | Iterable<PictureInput | undefined>

const readPictures = async function* (
  source: Source,
  context: Context,
  facts: ImageFacts,
  count: number,
): AsyncGenerator<PictureInput | undefined> {
  yield* await choosePictures(source, context, facts, count)
}

const choosePictures = async (
  source: Source,
  context: Context,
  { kind, frames, width, height, pages }: ImageFacts,
  count: number,
): Promise<Pictures> => {
  const window = Math.max(1, Math.floor(WINDOW_PIXELS / (width * height)))
  if (kind === 'ico') return (await readIcon(source, context)).slice(0, count).map(iconPicture)
  if (frames === 1) return [await readMainPicture(source, context)]
  if (kind === 'png') return readApngPictures(source, context, count)
  if (kind === 'avifs') return readSequenceFrames(source, context, count)
  if (kind === 'gif' || kind === 'webp') return readAnimationPictures(source, context, count, window)
  if (isMagickKind(kind)) return readMagickPictures(source, context, count, window)
  if (kind === 'tiff') return readTiffPages(source, context, count)
  const shown = pages ?? Array.from({ length: count }, (_, page) => page)
  return shown.slice(0, count).map((page) => ({ input: source.path, options: { page } }))
}

/** Decodes some pictures at once; where one is broken, each by itself. */
async function* readMagickPictures(
  source: Source,
  context: Context,
  count: number,
  window: number,
): AsyncGenerator<PictureInput | undefined> {
  const decode = (first: number, wanted: number) =>
    decodeByMagick(source, context, { first, count: wanted, name: 'frame' }).catch(skipUnreadable)
  for (let first = 0; first < count; first += window) {
    const wanted = Math.min(window, count - first)
    const files = await decode(first, wanted)
    for (let index = 0; index < wanted; index++) {
      const input = files ? files[index] : (await decode(first + index, 1))?.[0]
      yield input === undefined ? undefined : { input }
      if (input !== undefined) await rm(input)
    }
  }
}

/** Decodes some frames at once, stacked on each other, and cuts them apart; where one is broken, each by itself. */
async function* readAnimationPictures(
  source: Source,
  context: Context,
  count: number,
  window: number,
): AsyncGenerator<PictureInput | undefined> {
  for (let page = 0; page < count; page += window) {
    const pages = Math.min(window, count - page)
    const stack = { input: source.path, options: { page, pages } }
    const found = await usePicture(stack, context, (image) =>
      image.ensureAlpha().raw().toBuffer({ resolveWithObject: true }),
    ).catch(skipUnreadable)
    if (!found && pages > 1) {
      for (let index = 0; index < pages; index++) yield { input: source.path, options: { page: page + index } }
    } else if (!found) yield undefined
    else yield* cutApart(found.data, found.info.width, found.info.height / pages)
  }
}

function* cutApart(stack: Buffer, width: number, height: number): Generator<PictureInput> {
  const frameBytes = width * height * 4
  for (let at = 0; at < stack.length; at += frameBytes) {
    yield { input: stack.subarray(at, at + frameBytes), options: { raw: { width, height, channels: 4 } } }
  }
}

async function* readApngPictures(
  source: Source,
  context: Context,
  count: number,
): AsyncGenerator<PictureInput | undefined> {
  const layout = await readLayout(source, context)
  const { width, height } = layout
  const canvas = createCanvas(width, height)
  const file = await open(source.path)
  try {
    for (const [index, frame] of layout.frames.slice(0, count).entries()) {
      const png = await extractFrame(file, layout, frame)
      const drawn = await usePicture({ input: png }, context, (image) =>
        image.toColourspace('srgb').ensureAlpha().raw().toBuffer(),
      ).catch(skipUnreadable)
      const dispose = index === 0 && frame.dispose === 'restore' ? 'clear' : frame.dispose
      const before = dispose === 'restore' ? canvas.copy(frame) : undefined
      if (drawn) canvas.draw(frame, drawn, frame.isBlended ? 'blend' : 'replace')
      yield drawn && { input: canvas.pixels, options: { raw: { width, height, channels: 4 } } }
      if (before) canvas.draw(frame, before, 'replace')
      if (dispose === 'clear') canvas.clear(frame)
    }
  } finally {
    await file.close()
  }
}

const skipUnreadable = (error: unknown): undefined => {
  if (!(error instanceof JobFailure) || error.code !== 'extract.source_unreadable') throw error
}
