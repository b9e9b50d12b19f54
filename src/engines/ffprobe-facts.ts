export type StreamKind = 'video' | 'audio' | 'subtitle' | 'data' | 'attachment'

/** Colour of a video stream, and what it says about high dynamic range. */
export type ColorFacts = {
  range?: string
  space?: string
  transfer?: string
  primaries?: string
  /** `hdr10`, `hlg`, `dolby-vision`, or undefined for standard range. */
  hdr?: 'hdr10' | 'hlg' | 'dolby-vision'
  masteringDisplay?: Readonly<Record<string, unknown>>
  contentLight?: Readonly<Record<string, unknown>>
}

export type StreamFacts = {
  index: number
  kind: StreamKind
  codec: string
  codecName?: string
  profile?: string
  bitRate?: number
  durationSeconds?: number
  startSeconds?: number
  language?: string
  title?: string
  isDefault: boolean
  isForced: boolean
  /** A cover or a thumbnail: one picture, not a film. */
  isAttachedPicture: boolean
  /** Every disposition that is set, such as `default`, `forced`, `hearing_impaired`. */
  dispositions: readonly string[]
  tags: Readonly<Record<string, string>>
  sampleRate?: number
  channels?: number
  channelLayout?: string
  bitsPerSample?: number
  width?: number
  height?: number
  /** Width of a pixel over its height. */
  sampleAspect?: number
  frameRate?: number
  averageFrameRate?: number
  frameCount?: number
  pixelFormat?: string
  fieldOrder?: string
  level?: number
  color?: ColorFacts
  /** Clockwise degrees that the decoded picture must be turned by: 0, 90, 180 or 270. */
  rotation?: number
  /** Mirrored left to right before it is turned. */
  isFlipped?: boolean
}

export type ChapterFacts = { startSeconds: number; endSeconds: number; title?: string }

export type MediaFacts = {
  /** Short names of the container, as the engine gives them: `mov,mp4,m4a,3gp,3g2,mj2`. */
  container: string
  containerName?: string
  /** As the container says; undefined where it is silent. `measureDuration` knows better. */
  declaredSeconds?: number
  startSeconds: number
  bitRate?: number
  tags: Readonly<Record<string, string>>
  chapters: readonly ChapterFacts[]
  streams: readonly StreamFacts[]
  /** What the program printed, without the name of the file on our disk. */
  raw: Readonly<Record<string, unknown>>
}
