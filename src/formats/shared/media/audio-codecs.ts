import type { StreamFacts } from '../../../engines/ffprobe.ts'

/** A file format that sound is written in. */
export type AudioContainer = {
  /** As ffmpeg calls it. */
  muxer: string
  extension: string
  mediaType: string
  /** Whether a picture can be put into it. */
  takesCover?: boolean
  /** Whether its tags belong to the track instead of the file. */
  tagsOnTrack?: boolean
  more?: readonly string[]
}

export const AUDIO_CONTAINERS = {
  mp3: { muxer: 'mp3', extension: 'mp3', mediaType: 'audio/mpeg', takesCover: true },
  // The index goes to the front, so that players can start before they have all.
  m4a: {
    muxer: 'ipod',
    extension: 'm4a',
    mediaType: 'audio/mp4',
    takesCover: true,
    more: ['-movflags', '+faststart'],
  },
  flac: { muxer: 'flac', extension: 'flac', mediaType: 'audio/flac', takesCover: true },
  // Above 4 GiB the sizes of plain WAV do not suffice.
  wav: { muxer: 'wav', extension: 'wav', mediaType: 'audio/wav', more: ['-rf64', 'auto'] },
  ogg: { muxer: 'ogg', extension: 'ogg', mediaType: 'audio/ogg', tagsOnTrack: true },
  opus: { muxer: 'opus', extension: 'opus', mediaType: 'audio/ogg', tagsOnTrack: true },
  spx: { muxer: 'spx', extension: 'spx', mediaType: 'audio/ogg', tagsOnTrack: true },
  mp2: { muxer: 'mp2', extension: 'mp2', mediaType: 'audio/mpeg' },
  ac3: { muxer: 'ac3', extension: 'ac3', mediaType: 'audio/ac3' },
  eac3: { muxer: 'eac3', extension: 'eac3', mediaType: 'audio/eac3' },
  dts: { muxer: 'dts', extension: 'dts', mediaType: 'audio/vnd.dts' },
  wma: { muxer: 'asf', extension: 'wma', mediaType: 'audio/x-ms-wma' },
  amr: { muxer: 'amr', extension: 'amr', mediaType: 'audio/amr' },
  aiff: { muxer: 'aiff', extension: 'aiff', mediaType: 'audio/aiff', more: ['-write_id3v2', '1'] },
  wv: { muxer: 'wv', extension: 'wv', mediaType: 'audio/x-wavpack' },
  tta: { muxer: 'tta', extension: 'tta', mediaType: 'audio/x-tta' },
  caf: { muxer: 'caf', extension: 'caf', mediaType: 'audio/x-caf' },
  mka: { muxer: 'matroska', extension: 'mka', mediaType: 'audio/x-matroska' },
} as const satisfies Record<string, AudioContainer>
export type AudioContainerName = keyof typeof AUDIO_CONTAINERS

/** Where a codec is at home. */
const HOMES: Readonly<Record<string, AudioContainerName>> = {
  mp3: 'mp3',
  mp2: 'mp2',
  aac: 'm4a',
  alac: 'm4a',
  flac: 'flac',
  vorbis: 'ogg',
  opus: 'opus',
  speex: 'spx',
  ac3: 'ac3',
  eac3: 'eac3',
  dts: 'dts',
  wmav1: 'wma',
  wmav2: 'wma',
  wmapro: 'wma',
  wmalossless: 'wma',
  wmavoice: 'wma',
  amr_nb: 'amr',
  amr_wb: 'amr',
  wavpack: 'wv',
  tta: 'tta',
  pcm_u8: 'wav',
  pcm_s16le: 'wav',
  pcm_s24le: 'wav',
  pcm_s32le: 'wav',
  pcm_f32le: 'wav',
  pcm_f64le: 'wav',
  pcm_alaw: 'wav',
  pcm_mulaw: 'wav',
  adpcm_ima_wav: 'wav',
  adpcm_ms: 'wav',
  gsm_ms: 'wav',
  pcm_s8: 'aiff',
  pcm_s16be: 'aiff',
  pcm_s24be: 'aiff',
  pcm_s32be: 'aiff',
  adpcm_ima_qt: 'caf',
}

/** The containers that a codec may go into as it is, the most fitting first. */
export const homesOf = (codec: string): AudioContainerName[] => [...new Set([HOMES[codec] ?? 'mka', 'mka'] as const)]

const LOSSLESS: ReadonlySet<string> = new Set([
  ...['flac', 'alac', 'wavpack', 'ape', 'tta', 'truehd', 'mlp', 'wmalossless', 'mp4als', 'shorten', 'tak', 'ralf'],
])

/** Whether decoding gives what the encoder was given. */
export const isLossless = ({ codec, profile = '' }: StreamFacts): boolean =>
  LOSSLESS.has(codec) ||
  (codec.startsWith('pcm_') && codec !== 'pcm_alaw' && codec !== 'pcm_mulaw') ||
  (codec === 'dts' && profile.startsWith('DTS-HD MA'))

/** Lossy codecs that about every player knows. */
export const isWidelyPlayed = ({ codec }: StreamFacts): boolean => ['mp3', 'aac', 'opus', 'vorbis'].includes(codec)

/** Whether samples have more than 16 bits that are worth keeping; a lossy codec has no such bits. */
export const isDeep = (stream: StreamFacts): boolean =>
  isLossless(stream) && ((stream.bitsPerSample ?? 16) > 16 || /^pcm_[fs](?:24|32|64)/.test(stream.codec))
