import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { type Context, defineCapability, type OptionValues, type Source } from '../../core/catalog.ts'
import { FFMPEG } from '../../engines/ffmpeg.ts'
import { FFPROBE } from '../../engines/ffprobe.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { AUDIO_FORMAT } from '../shared/media/audio-options.ts'
import { cutSegments, type SegmentFile } from './cut-segments.ts'
import { findChapters } from './find-chapters.ts'
import { listen } from './listen.ts'
import { cutAtChapters, cutAtSilences, cutEvenly, limitSegments, type Segment } from './plan-segments.ts'
import { readSound, type Sound } from './read-sound.ts'
import { round } from './round.ts'
import { SILENCE_OPTIONS } from './silence-options.ts'

const MAX_SEGMENTS = 1_000

const OPTIONS = {
  segmentMode: {
    type: 'enum',
    allowedValues: ['auto', 'chapters', 'silence', 'fixed'],
    defaultValue: 'auto',
    detail: 'Where to cut. auto: at chapters where the file has them, else at silence.',
  },
  audioFormat: AUDIO_FORMAT,
  segmentSeconds: {
    type: 'number',
    min: 1,
    max: 86_400,
    defaultValue: 600,
    detail: 'Length of the parts where the mode is fixed.',
  },
  minSegmentSeconds: {
    type: 'number',
    min: 0,
    max: 86_400,
    defaultValue: 10,
    detail: 'At silence: a part that would be shorter goes on to the next silence.',
  },
  maxSegmentSeconds: {
    type: 'number',
    min: 1,
    max: 86_400,
    defaultValue: 1_800,
    detail: 'At silence: a part that would be longer is also cut where there is none.',
  },
  ...SILENCE_OPTIONS,
} as const
type Options = OptionValues<typeof OPTIONS>

/** The sound in parts. */
export const segments = defineCapability({
  id: 'audio.segments',
  output: 'segments',
  defaultSelected: false,
  detail: 'The sound cut at chapters, at silence or at equal lengths, and a list of the parts with their times.',
  options: OPTIONS,
  tools: [FFMPEG, FFPROBE],
  async *extract(source, options, context) {
    const sound = await readSound(source, context)
    const { mode, planned } = await plan(source, sound, options, context)
    if (planned.length === 0) return
    const kept = limitSegments(planned, MAX_SEGMENTS)
    if (kept.length < planned.length) {
      context.warn(
        'audio.segments_limited',
        `Of ${planned.length} parts the last ${planned.length - kept.length + 1} are one.`,
      )
    }
    const folder = await mkdtemp(join(context.scratch, 'segments-'))
    const cut = { sound, segments: kept, format: options.audioFormat, folder }
    const listed: object[] = []
    for await (const segment of cutSegments(source, cut, context)) {
      const path = segmentPath(segment, kept.length)
      const { startSeconds, endSeconds, title, file, mediaType } = segment
      listed.push({
        number: segment.number,
        path,
        startSeconds: round(startSeconds),
        endSeconds: round(endSeconds),
        durationSeconds: round(endSeconds - startSeconds),
        title,
      })
      yield { path, mediaType, provenance: { timeSeconds: round(startSeconds) }, file }
    }
    yield {
      path: 'segments/segments.json',
      mediaType: 'application/json',
      data: writeJsonFile({ mode, durationSeconds: round(sound.media.durationSeconds), segments: listed }),
    }
  },
})

type Plan = { mode: string; planned: Segment[] }

const plan = async (source: Source, sound: Sound, options: Options, context: Context): Promise<Plan> => {
  const { media } = sound
  const { segmentMode, segmentSeconds, minSegmentSeconds, maxSegmentSeconds, ...rule } = options
  if (segmentMode === 'fixed') return { mode: 'fixed', planned: cutEvenly(segmentSeconds, media.durationSeconds) }
  const chapters = segmentMode === 'silence' ? [] : await findChapters(source, media, context)
  if (chapters.length > 0) return { mode: 'chapters', planned: cutAtChapters(chapters, media.durationSeconds) }
  if (segmentMode === 'chapters') {
    context.warn('audio.no_chapters', 'The file has no chapters to cut it at.')
    return { mode: 'chapters', planned: [] }
  }
  const heard = await listen(source, { silence: rule }, context)
  if (!heard?.silences) {
    context.warn('audio.undecodable', `The sound (${sound.track.codec}) could not be decoded to find silence.`)
    return { mode: 'silence', planned: [] }
  }
  const lengths = { minSeconds: minSegmentSeconds, maxSeconds: Math.max(maxSegmentSeconds, minSegmentSeconds) }
  return { mode: 'silence', planned: cutAtSilences(heard.silences, media.durationSeconds, lengths) }
}

/** `segments/007-the-title.mp3`: in order by name, whatever the titles. */
const segmentPath = ({ number, title = '', extension }: SegmentFile, count: number): string => {
  const digits = Math.max(3, String(count).length)
  const name = title
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  return `segments/${String(number).padStart(digits, '0')}${name === '' ? '' : `-${name}`}.${extension}`
}
