import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import { inputArgs, runFfmpeg } from '../../engines/ffmpeg.ts'
import { type AudioTarget, chooseTargets } from '../shared/media/audio-encoders.ts'
import type { AudioFormat } from '../shared/media/audio-options.ts'
import { NO_EXTRAS, outputArgs } from '../shared/media/audio-output.ts'
import type { Segment } from './plan-segments.ts'
import type { Sound } from './read-sound.ts'

/** A part in a file of its own. */
export type SegmentFile = Segment & { number: number; file: string; extension: string; mediaType: string }

/** Outputs of one process: each has an encoder of its own, and together they share one reading of the source. */
const BATCH = 16
/** Codecs whose header says how long the whole is: a copied part would still say so. */
const KNOWS_ITS_END: ReadonlySet<string> = new Set(['flac', 'wavpack', 'tta', 'ape'])
/** The last packet of a part may begin in it and end after it. */
const SLACK_SECONDS = 0.5

export type Cut = { sound: Sound; segments: readonly Segment[]; format: AudioFormat; folder: string }

/** Cuts a source into parts, some at a time; packets are copied where the format takes them. */
export async function* cutSegments(
  source: Source,
  { sound, segments, format, folder }: Cut,
  context: Context,
): AsyncGenerator<SegmentFile> {
  const targets = chooseTargets(sound.track, format).filter(
    ({ isCopy }) => !isCopy || !KNOWS_ITS_END.has(sound.track.codec),
  )
  let chosen = 0
  for (let first = 0; first < segments.length; first += BATCH) {
    const batch = segments.slice(first, first + BATCH)
    const report = (fraction: number) => context.progress((first + fraction * batch.length) / segments.length)
    for (; ; chosen++) {
      const target = targets[chosen]
      if (!target) throw new JobFailure('extract.engine_failed')
      const files = await cutBatch(source, { sound, batch, first, target, folder }, report, context)
      if (files) {
        yield* files
        break
      }
      // Only what has not been handed out may be written in another way.
      if (first > 0) throw new JobFailure('extract.engine_failed')
    }
  }
}

type Batch = { sound: Sound; batch: readonly Segment[]; first: number; target: AudioTarget; folder: string }

/** The files of a batch; undefined where one could not be written. */
const cutBatch = async (
  source: Source,
  { sound: { media, track }, batch, first, target, folder }: Batch,
  report: (fraction: number) => void,
  context: Context,
): Promise<SegmentFile[] | undefined> => {
  const { extension, mediaType } = target.container
  const fromSeconds = batch[0]?.startSeconds ?? 0
  const lengthSeconds = (batch.at(-1)?.endSeconds ?? 0) - fromSeconds
  const files = batch.map((segment, i) => {
    const number = first + i + 1
    return { ...segment, number, file: join(folder, `${number}.${extension}`), extension, mediaType }
  })
  const outputs = files.flatMap(({ startSeconds, endSeconds, title, number, file }) => [
    ...outputArgs(media, track, target, NO_EXTRAS, {
      fromSeconds: startSeconds - fromSeconds,
      lengthSeconds: endSeconds - startSeconds,
    }),
    ...segmentTags(target, title, number),
    file,
  ])
  const { code } = await runFfmpeg(
    [...inputArgs(source.path, { threads: 1, seekSeconds: fromSeconds, more: limitOf(lengthSeconds) }), ...outputs],
    { signal: context.signal, cwd: folder, durationSeconds: lengthSeconds, onProgress: report },
  )
  const sizes = await Promise.all(files.map(({ file }) => stat(file).catch(() => undefined)))
  if (code === 0 && sizes.every((found) => found && found.size > 0)) return files
  await Promise.all(files.map(({ file }) => rm(file, { force: true })))
  return undefined
}

const limitOf = (lengthSeconds: number): string[] => ['-t', (lengthSeconds + SLACK_SECONDS).toFixed(6)]

const segmentTags = ({ container }: AudioTarget, title: string | undefined, number: number): string[] => {
  const specifier = container.tagsOnTrack ? ':s:a:0' : ''
  const tags = [...(title ? [`title=${title}`] : []), `track=${number}`]
  return tags.flatMap((tag) => [`-metadata${specifier}`, tag])
}
