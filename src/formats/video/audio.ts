import { defineCapability } from '../../core/catalog.ts'
import { FFMPEG } from '../../engines/ffmpeg.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { SOUND_OPTIONS } from '../shared/media/audio-tracks.ts'
import { takeSoundBesideFilm } from './side-by-side.ts'
import { trackName } from './track-name.ts'

/** The sound of the film. */
export const audio = defineCapability({
  id: 'video.audio',
  output: 'audio',
  defaultSelected: true,
  detail: 'The sound track, or every one of them, in a file of its own.',
  options: SOUND_OPTIONS,
  tools: [FFMPEG],
  async *extract(source, options, context) {
    const tracks = await takeSoundBesideFilm(source, options, context)
    if (tracks.length === 0) return context.warn('video.no_audio', 'The file has no sound.')
    for (const [i, { stream, audio: converted, isOnly }] of tracks.entries()) {
      if (!converted) {
        const detail = `The audio track at index ${stream.index} (${stream.codec}) could not be converted.`
        context.warn('video.audio_unreadable', detail)
        continue
      }
      const { file, extension, mediaType } = converted
      const path = artifactPath(source, 'audio', extension)
      const provenance = { part: `stream ${stream.index}` }
      yield { path: isOnly ? path : withTrack(path, trackName(stream, i + 1)), mediaType, provenance, file }
    }
  },
})

const withTrack = (path: string, track: string): string => path.replace(/(\.[^./]+)$/, `.${track}$1`)
