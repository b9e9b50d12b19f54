import type { Context, Source } from '../../core/catalog.ts'
import { readMedia } from '../shared/media/read-media.ts'
import { type FoundFrames, findFrames } from './find-frames.ts'
import type { FrameOptions } from './frame-options.ts'
import { findFilm, pictureProblem, shownSize } from './picture.ts'

/** Takes the frames that the options ask for. */
export const takeFrames = async (source: Source, options: FrameOptions, context: Context): Promise<FoundFrames> => {
  const media = await readMedia(source, context)
  const film = findFilm(media)
  if (!film || pictureProblem(film)) return { frames: [], isLimited: false, stderr: '' }
  const size = shownSize(film, options.width)
  return findFrames(
    {
      ...{ path: source.path, film, durationSeconds: media.durationSeconds, size, format: options.format },
      ...{ signal: context.signal, scratch: context.scratch, onProgress: (done) => context.progress(done * 0.9) },
    },
    {
      mode: options.frameMode,
      intervalSeconds: options.frameIntervalSeconds,
      intervalFrames: options.frameIntervalFrames,
      maxFrames: options.maxExtractedFrames,
    },
  )
}
