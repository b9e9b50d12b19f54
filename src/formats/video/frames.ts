import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { defineCapability } from '../../core/catalog.ts'
import { FFMPEG } from '../../engines/ffmpeg.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { readMedia } from '../shared/media/read-media.ts'
import { formatFileClock } from './clock.ts'
import { findComplaint } from './complaint.ts'
import { drawContactSheet } from './contact-sheet.ts'
import type { FoundFrames } from './find-frames.ts'
import { FRAME_OPTIONS } from './frame-options.ts'
import { findFilm, pictureProblem, shownSize } from './picture.ts'
import { takeFilmBesideSound } from './side-by-side.ts'
import { rememberFrames } from './written-frames.ts'

const MEDIA_TYPES = { jpg: 'image/jpeg', png: 'image/png' } as const

/** Pictures of the film. */
export const frames = defineCapability({
  id: 'video.frames',
  output: 'frames',
  defaultSelected: true,
  detail:
    'Pictures of the film, upright and with square pixels, named by their times; a contact sheet, and frames.json with the exact times.',
  options: FRAME_OPTIONS,
  tools: [FFMPEG],
  async *extract(source, options, context) {
    const media = await readMedia(source, context)
    const film = findFilm(media)
    const problem = film ? pictureProblem(film) : { code: 'video.no_film', detail: 'The file holds sound alone.' }
    if (!film || problem) return context.warn(problem?.code ?? '', problem?.detail ?? '')
    const found = await takeFilmBesideSound(source, options, context)
    const size = shownSize(film, options.width)
    if (found.frames.length === 0) {
      return context.warn(
        'video.film_unreadable',
        `No frame could be decoded. ${findComplaint(found.stderr, film) ?? ''}`.trim(),
      )
    }
    if (found.isLimited) {
      const detail = `The film has more frames of this kind; the first ${found.frames.length} were taken.`
      context.warn('video.frames_limited', detail)
    }
    const complaint = findComplaint(found.stderr, film)
    if (complaint) context.warn('video.film_damaged', `The film is damaged in part. ${complaint}`)
    context.progress(0.95)
    const sheet = await drawContactSheet(found.frames, size)
    const listed = name(found, options.format)
    rememberFrames(source, listed)
    for (const { path, file, timeSeconds } of listed) {
      yield { path, mediaType: MEDIA_TYPES[options.format], provenance: { timeSeconds }, file }
    }
    yield { path: 'frames/contact-sheet.jpg', mediaType: MEDIA_TYPES.jpg, data: sheet }
    yield {
      path: 'frames/frames.json',
      mediaType: 'application/json',
      data: writeJsonFile({
        ...{ frameMode: options.frameMode, frameCount: listed.length, ...size },
        frames: listed.map(({ file: _, path, ...frame }, i) => ({ number: i + 1, file: path, ...frame })),
      }),
    }
    for (const folder of new Set(listed.map(({ file }) => dirname(file)))) await rm(folder, { recursive: true })
  },
})

const name = ({ frames: taken }: FoundFrames, format: string) => {
  const digits = Math.max(4, String(taken.length).length)
  return taken.map((frame, i) => ({
    ...frame,
    path: `frames/frame-${String(i + 1).padStart(digits, '0')}-${formatFileClock(frame.timeSeconds)}.${format}`,
  }))
}
