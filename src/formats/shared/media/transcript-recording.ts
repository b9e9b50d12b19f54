import { mkdtemp, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { FFMPEG, inputArgs, runFfmpeg } from '../../../engines/ffmpeg.ts'
import { streamProgram } from '../../../engines/stream-program.ts'
import type { Recording } from '../../../transcripts/make-transcript.ts'
import { mainTrack } from './audio-tracks.ts'
import { readMedia } from './read-media.ts'

const SAMPLE_RATE = 16_000
const DECODER_MEMORY_BYTES = 1024 * 1_048_576
/** Enough for speech, and what every provider takes. */
const PART_KILOBITS = 64
const CODECS = { mp3: ['-c:a', 'libmp3lame', '-b:a', `${PART_KILOBITS}k`], wav: ['-c:a', 'pcm_s16le'] } as const

/** The sound of a source as speech recognition wants it; a file without any is `transcribe.no_audio`. */
export const openRecording = async (source: Source, context: Context): Promise<Recording> => {
  const media = await readMedia(source, context)
  const track = mainTrack(media)
  if (!track || media.durationSeconds <= 0) throw new JobFailure('transcribe.no_audio')
  const oneChannel = ['-map', `0:${track.index}`, '-vn', '-sn', '-dn', '-ac', '1', '-ar', String(SAMPLE_RATE)]
  const folder = await mkdtemp(join(context.scratch, 'speech-'))
  let parts = 0
  return {
    durationSeconds: media.durationSeconds,
    readSound: () =>
      streamProgram(
        FFMPEG.command,
        [
          ...['-nostdin', '-hide_banner', '-v', 'error', ...inputArgs(source.path, { threads: 1 })],
          // Where packets are missing there was silence: without it all later words would come too early.
          ...[...oneChannel, '-af', 'aresample=async=1:first_pts=0', '-f', 's16le', 'pipe:1'],
        ],
        { signal: context.signal, cwd: folder, maxMemoryBytes: DECODER_MEMORY_BYTES },
      ),
    partBytesPerSecond: (PART_KILOBITS * 1000) / 8,
    async writePart(startSeconds, endSeconds, kind) {
      parts += 1
      const path = join(folder, `part-${parts}.${kind}`)
      const durationSeconds = endSeconds - startSeconds
      const range = ['-t', durationSeconds.toFixed(3)]
      const { stderr } = await runFfmpeg(
        [
          ...inputArgs(source.path, { threads: 1, seekSeconds: startSeconds }),
          ...[...oneChannel, ...range, ...CODECS[kind], '-map_metadata', '-1', path],
        ],
        { signal: context.signal, cwd: folder, durationSeconds, onProgress: () => context.progress(0) },
      )
      const written = await stat(path).catch(() => undefined)
      if (!written?.size) throw new JobFailure('extract.engine_failed', {}, { cause: new Error(stderr) })
      return { path, mediaType: kind === 'mp3' ? 'audio/mpeg' : 'audio/wav' }
    },
  }
}
