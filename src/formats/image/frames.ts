import { join } from 'node:path'
import { type Artifact, type Context, defineCapability } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import { FFMPEG } from '../../engines/ffmpeg-frames.ts'
import type { PictureInput, Sharp } from '../../engines/sharp.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { type ImageFacts, readFacts } from './facts.ts'
import { readFrames } from './read-frames.ts'
import { warnShortcomings } from './shortcomings.ts'
import { usePicture } from './use-picture.ts'
import { warnOnce } from './warnings.ts'

const MAX_FRAMES = 10_000

/** Fixed, so that the same picture always gives the same file. */
const PNG = { compressionLevel: 6, adaptiveFiltering: false, palette: false }

/** Every frame, page or size as a PNG. */
export const frames = defineCapability({
  id: 'image.frames',
  output: 'frames',
  defaultSelected: true,
  detail:
    'PNG of each frame of an animation as it is shown, each page of a TIFF, each size of an icon, each picture of a collection, or of the one picture; upright, in sRGB. frames.json lists them with sizes and times.',
  options: {
    maxFrames: {
      type: 'integer',
      min: 1,
      max: MAX_FRAMES,
      defaultValue: MAX_FRAMES,
      detail: 'Frames after this many are left out, with a warning.',
    },
  },
  tools: [FFMPEG],
  async *extract(source, { maxFrames }, jobContext) {
    const context = warnOnce(jobContext)
    const facts = await readFacts(source, context)
    await warnShortcomings(source, context)
    const wanted = Math.min(facts.frames, maxFrames)
    const index: object[] = []
    for await (const { number, picture, timeSeconds, durationSeconds } of readFrames(source, context, maxFrames)) {
      context.progress((number - 1) / wanted)
      const written = picture && (await writeFrame(picture, facts, number, context))
      if (!written) continue
      const { path, width, height, artifact } = written
      const times = timeSeconds === undefined ? {} : { timeSeconds, durationSeconds }
      index.push({ number, file: path, width, height, ...times })
      const provenance = timeSeconds === undefined ? { page: number } : { timeSeconds }
      yield { ...artifact, provenance }
    }
    if (index.length === 0) throw new JobFailure('extract.source_unreadable')
    if (index.length < wanted) {
      context.warn('image.frames_missing', `${wanted - index.length} of ${wanted} frames could not be decoded.`)
    }
    if (wanted < facts.frames) {
      context.warn('image.frames_limited', `The file has ${facts.frames} frames; the first ${wanted} were taken.`)
    }
    yield {
      path: 'frames/frames.json',
      mediaType: 'application/json',
      data: writeJsonFile({ frameCount: facts.frames, frames: index }),
    }
  },
})

type Written = { path: string; width: number; height: number; artifact: Artifact }

/** Writes one frame; undefined where it is beyond repair but others may not be. */
const writeFrame = async (
  picture: PictureInput,
  facts: ImageFacts,
  number: number,
  context: Context,
): Promise<Written | undefined> => {
  const path = `frames/frame-${String(number).padStart(4, '0')}.png`
  const file = join(context.scratch, `frame-${number}.png`)
  try {
    const { width, height } = await usePicture(picture, context, (image) =>
      keepDepth(image.autoOrient(), facts).png(PNG).toFile(file),
    )
    return { path, width, height, artifact: { path, mediaType: 'image/png', file } }
  } catch (error) {
    if (facts.frames > 1 && error instanceof JobFailure && error.code === 'extract.source_unreadable') return undefined
    throw error
  }
}

/** Sixteen bits stay sixteen bits. */
const keepDepth = (image: Sharp, { bitsPerChannel = 8, isGray, kind }: ImageFacts): Sharp => {
  const isDeep = bitsPerChannel === 16 && (kind === 'png' || kind === 'tiff')
  return isDeep ? image.toColourspace(isGray ? 'grey16' : 'rgb16') : image
}
