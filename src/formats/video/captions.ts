import { mkdtemp, open, readFile, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Source } from '../../core/catalog.ts'
import { CONTAINERS, runFfmpeg } from '../../engines/ffmpeg.ts'
import type { StreamFacts } from '../../engines/ffprobe.ts'
import type { Media } from '../shared/media/read-media.ts'
import { type Cue, parseSrt } from './cues.ts'
import { findFilm, pictureProblem } from './picture.ts'

/** Codecs whose packets may carry captions beside the picture. */
const CARRIERS: ReadonlySet<string> = new Set(['h264', 'hevc', 'mpeg2video', 'mpeg1video'])

/** Head of a message with captions (ATSC A/53 part 4), and of those on a DVD. */
const MARKS = [Buffer.from('b5003147413934', 'hex'), Buffer.from('000001b2434301f8', 'hex')]
const LOOK_BYTES = 8 * 1_048_576

/** Closed captions in the pictures of the film; undefined where there are none. They cost a decoding of the film. */
export const takeCaptions = async (source: Source, media: Media, context: Context): Promise<Cue[] | undefined> => {
  const film = findFilm(media)
  if (!film || !CARRIERS.has(film.codec) || pictureProblem(film)) return undefined
  if (!(await hasMarks(source))) return undefined
  const cues = await decodeCaptions(source, film, media, context)
  return cues && cues.length > 0 ? cues : undefined
}

/** Looks for the head of a caption message at the start and in the middle of the file, without decoding. */
const hasMarks = async ({ path, bytes }: Source): Promise<boolean> => {
  const file = await open(path)
  try {
    const buffer = Buffer.allocUnsafe(Math.min(LOOK_BYTES, bytes))
    for (const position of new Set([0, Math.floor(bytes / 2)])) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
      const seen = buffer.subarray(0, bytesRead)
      if (MARKS.some((mark) => seen.includes(mark))) return true
    }
    return false
  } finally {
    await file.close()
  }
}

const decodeCaptions = async (
  source: Source,
  { index }: StreamFacts,
  { durationSeconds }: Media,
  context: Context,
): Promise<Cue[] | undefined> => {
  const folder = await mkdtemp(join(context.scratch, 'captions-'))
  // A filter description is no place for a path of unknown letters.
  await symlink(source.path, join(folder, 'input'))
  const guards = String.raw`protocol_whitelist=file\:format_whitelist=${CONTAINERS.join('\\,')}`
  await runFfmpeg(
    [
      ...['-f', 'lavfi', '-i', `movie=input:si=${index}:format_opts='${guards}'[out0+subcc]`],
      ...['-map', '0:s', '-c:s', 'srt', '-fflags', '+bitexact', '-f', 'srt', 'captions.srt'],
    ],
    {
      ...{ signal: context.signal, cwd: folder, durationSeconds },
      onProgress: (done) => context.progress(done * 0.9),
    },
  )
  const file = join(folder, 'captions.srt')
  const facts = await stat(file).catch(() => undefined)
  return facts && facts.size > 0 ? parseSrt(await readFile(file, 'utf8')) : undefined
}
