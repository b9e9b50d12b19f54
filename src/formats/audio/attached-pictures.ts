import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Source } from '../../core/catalog.ts'
import { inputArgs, runFfmpeg } from '../../engines/ffmpeg.ts'
import { readMedia } from '../shared/media/read-media.ts'
import type { Picture } from './tags.ts'

const MAX_PICTURES = 20
const MAX_PICTURE_BYTES = 64 * 1_048_576

/** Pictures that a container keeps as tracks of their own, as they are. */
export const attachedPictures = async (source: Source, context: Context): Promise<Picture[]> => {
  const { streams } = await readMedia(source, context)
  const tracks = streams.filter(({ isAttachedPicture }) => isAttachedPicture).slice(0, MAX_PICTURES)
  const pictures: Picture[] = []
  for (const { index, codec, tags, title } of tracks) {
    const folder = await mkdtemp(join(context.scratch, 'picture-'))
    const file = join(folder, 'picture')
    await runFfmpeg(
      [
        ...inputArgs(source.path, { threads: 1 }),
        ...[
          '-map',
          `0:${index}`,
          '-c',
          'copy',
          '-frames:v',
          '1',
          '-fs',
          String(MAX_PICTURE_BYTES),
          '-f',
          'rawvideo',
          file,
        ],
      ],
      { signal: context.signal, cwd: folder, durationSeconds: 0 },
    )
    const bytes = (await stat(file).catch(() => undefined))?.size ?? 0
    if (bytes > 0 && bytes < MAX_PICTURE_BYTES) {
      const description = title ?? tags.filename
      pictures.push({
        data: await readFile(file),
        mediaType: `image/${codec}`,
        kind: tags.comment ?? 'Cover (front)',
        ...(description === undefined ? {} : { description }),
      })
    }
    await rm(folder, { recursive: true, force: true })
  }
  return pictures
}
