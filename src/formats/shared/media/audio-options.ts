/** Formats that sound can be had in; `original` is the stream as it is, `best` the lossless or least lossy one. */
export const AUDIO_FORMAT = {
  type: 'enum',
  allowedValues: ['mp3', 'wav', 'm4a', 'original', 'best'],
  defaultValue: 'mp3',
  detail: 'original: the stream as it is, without loss. best: as it is where players know it, else FLAC.',
} as const
export type AudioFormat = (typeof AUDIO_FORMAT.allowedValues)[number]
