import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { defineCapability } from '../../core/catalog.ts'
import { FFMPEG } from '../../engines/ffmpeg.ts'
import { openPicture } from '../../engines/sharp.ts'
import { readMedia } from '../shared/media/read-media.ts'
import { drawAnimation } from './animation.ts'
import { findFrames } from './find-frames.ts'
import { findFilm, pictureProblem, shownSize } from './picture.ts'
import type { TakenFrame } from './take-frames.ts'

const FRAMES = 12

/** A poster and a few seconds that show what the film is. */
export const preview = defineCapability({
  id: 'video.preview',
  output: 'previews',
  defaultSelected: false,
  detail: 'A poster, which is the frame that shows most of those looked at, and a short animation of the whole film.',
  options: {
    format: { type: 'enum', allowedValues: ['webp', 'gif'], defaultValue: 'webp', detail: 'Format of the animation.' },
    width: { type: 'integer', min: 16, max: 1_920, defaultValue: 480, detail: 'Width of the animation in pixels.' },
  },
  tools: [FFMPEG],
  async *extract(source, { format, width }, context) {
    const media = await readMedia(source, context)
    const film = findFilm(media)
    const problem = film ? pictureProblem(film) : { code: 'video.no_film', detail: 'The file holds sound alone.' }
    if (!film || problem) return context.warn(problem?.code ?? '', problem?.detail ?? '')
    const size = shownSize(film)
    const { frames } = await findFrames(
      {
        ...{ path: source.path, film, durationSeconds: media.durationSeconds, size, format: 'jpg' },
        ...{ signal: context.signal, scratch: context.scratch, onProgress: (done) => context.progress(done * 0.8) },
      },
      { mode: 'evenly-spaced', intervalSeconds: 1, intervalFrames: 1, maxFrames: FRAMES },
    )
    const poster = await choosePoster(frames)
    if (!poster) return context.warn('video.film_unreadable', 'No frame could be decoded.')
    const animation = await drawAnimation(frames, shownSize(film, width), format)
    yield { path: `previews/preview.${format}`, mediaType: `image/${format}`, data: animation }
    const { file, timeSeconds } = poster
    yield { path: 'previews/poster.jpg', mediaType: 'image/jpeg', provenance: { timeSeconds }, file }
    for (const folder of new Set(frames.map(({ file: each }) => dirname(each)))) await rm(folder, { recursive: true })
  },
})

/** The frame with the most in it: fades, black and single colours have little. */
const choosePoster = async (frames: readonly TakenFrame[]): Promise<TakenFrame | undefined> => {
  let best: { frame: TakenFrame; score: number } | undefined
  for (const frame of frames) {
    const picture = await openPicture({ input: frame.file }, 'lenient')
    const { entropy, sharpness } = await picture.resize({ width: 320, withoutEnlargement: true }).stats()
    const score = entropy + Math.min(1, sharpness / 10)
    if (!best || score > best.score) best = { frame, score }
  }
  return best?.frame
}
