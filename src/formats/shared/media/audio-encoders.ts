import type { StreamFacts } from '../../../engines/ffprobe.ts'
import { AUDIO_CONTAINERS, type AudioContainer, homesOf, isDeep, isLossless, isWidelyPlayed } from './audio-codecs.ts'
import type { AudioFormat } from './audio-options.ts'

/** One way to write a track: as it is, or encoded anew. */
export type AudioTarget = {
  container: AudioContainer
  isCopy: boolean
  /** The encoder and its settings. */
  codecArgs: readonly string[]
  /** Filters before the encoder, for what it cannot take. */
  filters: readonly string[]
}

const copyTo = (container: AudioContainer): AudioTarget => ({
  container,
  isCopy: true,
  codecArgs: ['-c:a', 'copy'],
  filters: [],
})

/**
 * Below these rates the silence that an encoder puts before and after the sound grows to a tenth of a second and more;
 * above them bits are spent on what nobody hears.
 */
const RATES = [22_050, 24_000, 32_000, 44_100, 48_000]
const AAC_LAYOUTS: ReadonlySet<string> = new Set([
  'mono',
  'stereo',
  '3.0',
  '4.0',
  '5.0',
  '5.0(side)',
  '5.1',
  '5.1(side)',
])
const FLAC_MAX_CHANNELS = 8
/** Layouts of more channels than this have no names that the mixer could go by. */
const MAX_NAMED_CHANNELS = 8
const AAC_BITS_PER_CHANNEL = 96_000

/** The ways to write a track in a format, the best first; each next one is for when that before it cannot be had. */
export const chooseTargets = (stream: StreamFacts, format: AudioFormat): AudioTarget[] => {
  switch (format) {
    case 'mp3':
      return [...(stream.codec === 'mp3' ? [copyTo(AUDIO_CONTAINERS.mp3)] : []), ...orFromWholeNumbers(toMp3(stream))]
    case 'm4a':
      return [...(stream.codec === 'aac' ? [copyTo(AUDIO_CONTAINERS.m4a)] : []), ...orFromWholeNumbers(toAac(stream))]
    case 'wav':
      return [toWav(stream)]
    case 'original':
      return [...copies(stream), toFlac(stream)]
    case 'best':
      if (isLossless(stream)) return stream.codec === 'flac' ? [...copies(stream), toFlac(stream)] : [toFlac(stream)]
      return [...(isWidelyPlayed(stream) ? copies(stream) : []), ...orFromWholeNumbers(toAac(stream))]
  }
}

const copies = ({ codec }: StreamFacts): AudioTarget[] => homesOf(codec).map((name) => copyTo(AUDIO_CONTAINERS[name]))

/** Damaged samples that are no numbers bring encoders down; whole numbers are always numbers. */
const orFromWholeNumbers = (target: AudioTarget): AudioTarget[] => [
  target,
  { ...target, filters: ['aformat=sample_fmts=s16', ...target.filters] },
]

const toMp3 = (stream: StreamFacts): AudioTarget => ({
  container: AUDIO_CONTAINERS.mp3,
  isCopy: false,
  codecArgs: ['-c:a', 'libmp3lame', '-q:a', '2', ...rateArgs(stream)],
  // Of fewer frames than this makes, no player knows that it is MP3.
  filters: [...mixTo(stream, 2), 'apad=whole_dur=0.05'],
})

const toAac = (stream: StreamFacts): AudioTarget => {
  const { channels = 2, channelLayout = '' } = stream
  const written = channels <= 2 || AAC_LAYOUTS.has(channelLayout) ? channels : 2
  return {
    container: AUDIO_CONTAINERS.m4a,
    isCopy: false,
    codecArgs: ['-c:a', 'aac', '-b:a', String(written * AAC_BITS_PER_CHANNEL), ...rateArgs(stream)],
    filters: mixTo(stream, written),
  }
}

const toWav = (stream: StreamFacts): AudioTarget => ({
  container: AUDIO_CONTAINERS.wav,
  isCopy: false,
  codecArgs: ['-c:a', isDeep(stream) ? 'pcm_s24le' : 'pcm_s16le'],
  filters: [],
})

const toFlac = (stream: StreamFacts): AudioTarget => ({
  container: AUDIO_CONTAINERS.flac,
  isCopy: false,
  codecArgs: [
    ...['-c:a', 'flac', '-sample_fmt', isDeep(stream) ? 's32' : 's16'],
    ...(isDeep(stream) ? ['-bits_per_raw_sample', '24'] : []),
  ],
  filters: mixTo(stream, FLAC_MAX_CHANNELS),
})

/** A rate that the encoder takes and no sound is lost by: a multiple where there is one, or the next above. */
const rateArgs = ({ sampleRate = 44_100 }: StreamFacts): string[] => {
  if (RATES.includes(sampleRate)) return []
  const isMultiple = (rate: number) => rate > sampleRate && rate % sampleRate === 0
  return ['-ar', String(RATES.find(isMultiple) ?? RATES.find((rate) => rate > sampleRate) ?? RATES.at(-1))]
}

/** Mixes to stereo where there are more channels than fit: by their places, or evenly where those have no names. */
const mixTo = ({ channels = 2 }: StreamFacts, most: number): string[] => {
  // Some decoders do not name the places of two channels, and encoders want to know.
  if (channels <= 2) return [channels === 1 ? 'aformat=channel_layouts=mono' : 'aformat=channel_layouts=stereo']
  if (channels <= most) return []
  if (channels <= MAX_NAMED_CHANNELS) return ['aformat=channel_layouts=stereo']
  const sum = Array.from({ length: channels }, (_, channel) => `${(1 / channels).toFixed(6)}*c${channel}`).join('+')
  return [`pan=stereo|c0=${sum}|c1=${sum}`]
}
