import { type Context, defineCapability, type Source } from '../../core/catalog.ts'
import { FFMPEG } from '../../engines/ffmpeg.ts'
import { FFPROBE } from '../../engines/ffprobe.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { describeChapter, describeFile, describePicture, describeSilence, describeTrack } from './describe-sound.ts'
import { describeReplayGain, listLyrics, listNativeTags, nameTags } from './describe-tags.ts'
import { findChapters } from './find-chapters.ts'
import { flattenXml } from './flatten-xml.ts'
import { listen, type SilenceRule } from './listen.ts'
import { readPictures } from './pictures.ts'
import { readSound } from './read-sound.ts'
import { readTags } from './read-tags.ts'
import { SILENCE_OPTIONS } from './silence-options.ts'
import type { FoundTags, NativeTag } from './tags.ts'
import { readWaveChunks } from './wave-chunks.ts'

/** Everything that the file says about itself, and what can be measured. */
export const metadata = defineCapability({
  id: 'audio.metadata',
  output: 'metadata',
  defaultSelected: true,
  detail:
    'JSON: container, tracks, tags by common names and all tags by kind, pictures, chapters, lyrics, replay gain, loudness (EBU R 128), true peak and silence; and the raw probe.',
  options: {
    analysis: {
      type: 'boolean',
      defaultValue: true,
      detail: 'Whether the sound is decoded to measure loudness, true peak and silence.',
    },
    ...SILENCE_OPTIONS,
  },
  tools: [FFMPEG, FFPROBE],
  async *extract(source, { analysis, ...rule }, context) {
    const { media, track } = await readSound(source, context)
    const tags = await readTags(source, context)
    const native = await listTags(source, tags, context)
    // Of what the tag reader does not know, the probe has read the tags.
    if (tags.problem !== undefined && Object.keys(native).length === 0 && Object.keys(media.tags).length > 0) {
      context.warn('audio.tags_incomplete', 'Some tags of the file could not be read.')
    }
    const chapters = await findChapters(source, media, context)
    const replayGain = describeReplayGain(tags)
    const lyrics = listLyrics(tags)
    yield {
      path: artifactPath(source, 'metadata', 'json'),
      mediaType: 'application/json',
      data: writeJsonFile({
        ...describeFile(source, media),
        tracks: media.streams.filter(({ kind }) => kind === 'audio').map(describeTrack),
        tags: nameTags(tags, { ...track.tags, ...media.tags }),
        pictures: (await readPictures(source, context)).map(describePicture),
        chapters: chapters.map(describeChapter),
        ...(lyrics.length > 0 ? { lyrics } : {}),
        ...(replayGain ? { replayGain } : {}),
        ...(analysis ? await analyze(source, track.codec, rule, context) : {}),
        nativeTags: native,
      }),
    }
    yield { path: 'metadata/probe.json', mediaType: 'application/json', data: writeJsonFile(media.raw) }
  },
})

const analyze = async (source: Source, codec: string, rule: SilenceRule, context: Context): Promise<object> => {
  const heard = await listen(source, { loudness: true, silence: rule }, context)
  if (!heard) {
    context.warn('audio.undecodable', `The sound (${codec}) could not be decoded, so it was not measured.`)
    return {}
  }
  return { loudness: heard.loudness, silence: describeSilence(heard, rule) }
}

/** All tags by kind, with those of WAV chunks that the tag reader passes over. */
const listTags = async (source: Source, tags: FoundTags, context: Context): Promise<Record<string, NativeTag[]>> => {
  const native = listNativeTags(tags)
  const { ixml, axml, codingHistory } = (await readWaveChunks(source, context)) ?? {}
  return {
    ...native,
    ...(codingHistory && {
      'BWF bext': [...(native['BWF bext'] ?? []), { id: 'codingHistory', value: codingHistory }],
    }),
    ...(ixml && { iXML: await flattenXml(ixml) }),
    ...(axml && { aXML: await flattenXml(axml) }),
  }
}
