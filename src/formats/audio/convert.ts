import { defineCapability } from '../../core/catalog.ts'
import { FFMPEG } from '../../engines/ffmpeg.ts'
import { FFPROBE } from '../../engines/ffprobe.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { convertTracks, SOUND_OPTIONS } from '../shared/media/audio-tracks.ts'
import { readSound } from './read-sound.ts'

/** The sound in another format, with its tags, chapters and cover. */
export const convert = defineCapability({
  id: 'audio.convert',
  output: 'audio',
  defaultSelected: true,
  detail:
    'The sound in a common format, with tags, chapters and cover. What is in that format already is not encoded anew.',
  options: SOUND_OPTIONS,
  tools: [FFMPEG, FFPROBE],
  async *extract(source, options, context) {
    await readSound(source, context)
    const tracks = await convertTracks(source, options, context)
    for (const [i, { stream, audio, isOnly }] of tracks.entries()) {
      if (!audio) {
        const detail = `The audio track at index ${stream.index} (${stream.codec}) could not be converted.`
        context.warn('audio.undecodable', detail)
        continue
      }
      const { file, extension, mediaType } = audio
      const name = isOnly ? extension : `track-${String(i + 1).padStart(2, '0')}.${extension}`
      yield {
        path: artifactPath(source, 'audio', name),
        mediaType,
        provenance: { part: `stream ${stream.index}` },
        file,
      }
    }
  },
})
