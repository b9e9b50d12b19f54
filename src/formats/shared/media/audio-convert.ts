import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { inputArgs, runFfmpeg } from '../../../engines/ffmpeg.ts'
import { probeMedia, type StreamFacts } from '../../../engines/ffprobe.ts'
import { type AudioTarget, chooseTargets } from './audio-encoders.ts'
import type { AudioFormat } from './audio-options.ts'
import { ALL_EXTRAS, type Extras, NO_EXTRAS, outputArgs } from './audio-output.ts'
import { type Media, readMedia } from './read-media.ts'

export type AudioWish = {
  /** The track, as the probe counts them. */
  streamIndex: number
  format: AudioFormat
  /** Share of the work that is done, 0 to 1; the context's progress unless told. */
  onProgress?: (fraction: number) => void
}

/** A track in a file of its own under the job's scratch folder. */
export type ConvertedAudio = {
  file: string
  extension: string
  mediaType: string
  /** Whether the packets are those of the source. */
  isCopy: boolean
}

/** A copy may be off by the delay of the encoder, by the last packet, and by what its container rounds. */
const TOLERANCE_SECONDS = 0.5
const TOLERANCE_SHARE = 0.01

/**
 * Writes one track of a source in a format. Packets are copied where the format takes them; tags, chapters and the
 * cover go along, and are left out where one of them is what makes it fail.
 */
export const convertAudio = async (
  source: Source,
  { streamIndex, format, onProgress = (fraction) => context.progress(fraction) }: AudioWish,
  context: Context,
): Promise<ConvertedAudio> => {
  const media = await readMedia(source, context)
  const stream = media.streams.find(({ index }) => index === streamIndex)
  if (stream?.kind !== 'audio') throw new Error(`stream ${streamIndex} is not audio`)
  const folder = await mkdtemp(join(context.scratch, 'audio-'))
  let lastWords = ''
  for (const target of chooseTargets(stream, format)) {
    const file = join(folder, `track.${target.container.extension}`)
    for (const extras of [ALL_EXTRAS, NO_EXTRAS]) {
      const attempt = { media, stream, target, extras, file }
      const problem = await tryTarget(source, attempt, onProgress, context)
      if (problem === undefined) {
        const { extension, mediaType } = target.container
        return { file, extension, mediaType, isCopy: target.isCopy }
      }
      lastWords = problem
      await rm(file, { force: true })
    }
  }
  throw new JobFailure('extract.engine_failed', {}, { cause: new Error(lastWords) })
}

type Attempt = { media: Media; stream: StreamFacts; target: AudioTarget; extras: Extras; file: string }

/** Why it did not work; undefined where it did. */
const tryTarget = async (
  source: Source,
  { media, stream, target, extras, file }: Attempt,
  onProgress: (fraction: number) => void,
  context: Context,
): Promise<string | undefined> => {
  const { code, stderr } = await runFfmpeg(
    [...inputArgs(source.path, { threads: 1 }), ...outputArgs(media, stream, target, extras), file],
    { signal: context.signal, cwd: context.scratch, durationSeconds: media.durationSeconds, onProgress },
  ).catch((error: unknown) => {
    // An encoder that fell over may stand with other settings.
    if (!(error instanceof JobFailure) || error.code !== 'extract.engine_failed') throw error
    return { code: 1, stderr: String(error.cause) }
  })
  if (code !== 0) return stderr || `ffmpeg ended with ${code}`
  const written = await probeMedia(file, context).catch(() => undefined)
  const sound = written?.streams.find(({ kind }) => kind === 'audio')
  if (!written || !sound) return stderr || 'nothing was written'
  if (!target.isCopy) return undefined
  const expected = expectedSeconds(media, stream)
  const found = written.declaredSeconds ?? expected
  const isRight = Math.abs(found - expected) <= Math.max(TOLERANCE_SECONDS, expected * TOLERANCE_SHARE)
  return isRight ? undefined : `the copy lasts ${found} s instead of ${expected} s`
}

/** How long a track is: its own word for it, unless that is at odds with what was measured. */
const expectedSeconds = ({ durationSeconds, streams }: Media, stream: StreamFacts): number => {
  const isOnly = streams.every(({ index, kind }) => index === stream.index || kind !== 'audio')
  return isOnly && !streams.some(({ kind, isAttachedPicture }) => kind === 'video' && !isAttachedPicture)
    ? durationSeconds
    : (stream.durationSeconds ?? durationSeconds)
}
