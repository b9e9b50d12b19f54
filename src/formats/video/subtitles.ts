import { type Artifact, defineCapability, type Source } from '../../core/catalog.ts'
import { FFMPEG } from '../../engines/ffmpeg.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { readMedia } from '../shared/media/read-media.ts'
import { takeCaptions } from './captions.ts'
import { type Cue, writeSrt, writeVtt } from './cues.ts'
import { subtitleKind } from './subtitle-codecs.ts'
import { takeSubtitles } from './subtitle-tracks.ts'
import { trackName } from './track-name.ts'

/** Subtitles and captions. */
export const subtitles = defineCapability({
  id: 'video.subtitles',
  output: 'subtitles',
  defaultSelected: true,
  detail:
    'Every subtitle track as SubRip and WebVTT and as it is; tracks made of pictures as they are; closed captions that travel with the picture.',
  options: {},
  tools: [FFMPEG],
  async *extract(source, _options, context) {
    const media = await readMedia(source, context)
    const tracks = await takeSubtitles(source, media, context)
    for (const [i, { stream, cues, original }] of tracks.entries()) {
      const name = trackName(stream, i + 1)
      const provenance = { part: `stream ${stream.index}` }
      if (cues && cues.length > 0) yield* writeText(source, name, cues, provenance)
      if (original) {
        const { extension = '', mediaType = '' } = subtitleKind(stream.codec).original ?? {}
        yield { path: artifactPath(source, 'subtitles', `${name}.${extension}`), mediaType, provenance, file: original }
      }
      if (!original && !cues) {
        const detail = `The subtitle track at index ${stream.index} (${stream.codec}) could not be read.`
        context.warn('video.subtitles_unreadable', detail)
      } else if (cues?.length === 0) {
        context.warn('video.subtitles_empty', `The subtitle track at index ${stream.index} holds no text.`)
      }
    }
    const captions = await takeCaptions(source, media, context)
    if (captions) yield* writeText(source, 'captions', captions, { part: 'closed captions' })
    if (tracks.length === 0 && !captions) context.warn('video.no_subtitles', 'The file has no subtitles.')
  },
})

function* writeText(
  source: Source,
  name: string,
  cues: readonly Cue[],
  provenance: NonNullable<Artifact['provenance']>,
): Iterable<Artifact> {
  yield {
    path: artifactPath(source, 'subtitles', `${name}.srt`),
    mediaType: 'application/x-subrip; charset=utf-8',
    provenance,
    data: writeSrt(cues),
  }
  yield {
    path: artifactPath(source, 'subtitles', `${name}.vtt`),
    mediaType: 'text/vtt; charset=utf-8',
    provenance,
    data: writeVtt(cues),
  }
}
