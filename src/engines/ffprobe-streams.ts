import type { ColorFacts, StreamFacts, StreamKind } from './ffprobe-facts.ts'
import { toNumber, toRatio, toTags } from './ffprobe-values.ts'

type Raw = Record<string, unknown>

const KINDS: ReadonlySet<string> = new Set(['video', 'audio', 'subtitle', 'data', 'attachment'])

const text = (value: unknown): string | undefined =>
  value === undefined || value === null || value === '' || value === 'unknown' ? undefined : String(value)

/** One stream of ffprobe's listing. */
export const readStream = (raw: Raw): StreamFacts => {
  const kind = KINDS.has(String(raw.codec_type)) ? (raw.codec_type as StreamKind) : 'data'
  const tags = toTags(raw.tags)
  const dispositions = Object.entries((raw.disposition as Raw | undefined) ?? {})
    .filter(([, value]) => value === 1)
    .map(([name]) => name)
  const { language, title } = tags
  return dropUndefined({
    index: toNumber(raw.index) ?? 0,
    kind,
    codec: text(raw.codec_name) ?? 'unknown',
    codecName: text(raw.codec_long_name),
    profile: text(raw.profile),
    bitRate: toNumber(raw.bit_rate) ?? toNumber(tags.bps),
    durationSeconds: toNumber(raw.duration) ?? clockSeconds(tags.duration),
    startSeconds: toNumber(raw.start_time),
    language: language === 'und' ? undefined : text(language),
    title: text(title) ?? (GENERIC_HANDLER.test(tags.handler_name ?? '') ? undefined : text(tags.handler_name)),
    isDefault: dispositions.includes('default'),
    isForced: dispositions.includes('forced'),
    isAttachedPicture: dispositions.includes('attached_pic'),
    dispositions,
    tags,
    ...(kind === 'audio' && {
      sampleRate: toNumber(raw.sample_rate),
      channels: toNumber(raw.channels),
      channelLayout: text(raw.channel_layout),
      bitsPerSample: toNumber(raw.bits_per_raw_sample) ?? (toNumber(raw.bits_per_sample) || undefined),
    }),
    ...(kind === 'video' && readPicture(raw)),
    ...(kind === 'subtitle' && { width: toNumber(raw.width), height: toNumber(raw.height) }),
  }) as StreamFacts
}

const readPicture = (raw: Raw): Partial<StreamFacts> =>
  dropUndefined({
    width: toNumber(raw.width),
    height: toNumber(raw.height),
    sampleAspect: toRatio(raw.sample_aspect_ratio),
    frameRate: toRatio(raw.r_frame_rate),
    averageFrameRate: toRatio(raw.avg_frame_rate),
    frameCount: toNumber(raw.nb_frames),
    pixelFormat: text(raw.pix_fmt),
    fieldOrder: text(raw.field_order),
    level: toNumber(raw.level),
    bitsPerSample: toNumber(raw.bits_per_raw_sample),
    color: readColor(raw),
    ...readOrientation(sideData(raw, 'Display Matrix')?.displaymatrix),
  })

const sideData = (raw: Raw, type: string): Raw | undefined =>
  ((raw.side_data_list as Raw[] | undefined) ?? []).find(({ side_data_type }) => side_data_type === type)

const readColor = (raw: Raw): ColorFacts => {
  const transfer = text(raw.color_transfer)
  const isDolby = sideData(raw, 'DOVI configuration record') !== undefined
  const hdr =
    transfer === 'smpte2084' ? 'hdr10' : transfer === 'arib-std-b67' ? 'hlg' : isDolby ? 'dolby-vision' : undefined
  return dropUndefined({
    range: text(raw.color_range),
    space: text(raw.color_space),
    transfer,
    primaries: text(raw.color_primaries),
    hdr,
    masteringDisplay: withoutType(sideData(raw, 'Mastering display metadata')),
    contentLight: withoutType(sideData(raw, 'Content light level metadata')),
  })
}

const withoutType = (data: Raw | undefined): Raw | undefined => {
  if (!data) return undefined
  const { side_data_type: _, ...rest } = data
  return rest
}

/** Turning and mirroring out of a display matrix as ffprobe prints it: rows of hexadecimal places and three numbers. */
export const readOrientation = (matrix: unknown): { rotation?: number; isFlipped?: boolean } => {
  const rows = String(matrix ?? '')
    .trim()
    .split('\n')
    .map((row) =>
      row
        .replace(/^[0-9a-f]+:/i, '')
        .trim()
        .split(/\s+/)
        .map(Number),
    )
  const [[a = 0, b = 0] = [], [c = 0, d = 0] = []] = rows
  const determinant = a * d - b * c
  if (!Number.isFinite(determinant) || determinant === 0) return {}
  const isFlipped = determinant < 0
  // A mirrored picture is mirrored first, so its first row points the other way.
  const degrees = (Math.atan2(b, isFlipped ? -a : a) * (isFlipped ? -180 : 180)) / Math.PI
  const rotation = (((Math.round(degrees / 90) * 90) % 360) + 360) % 360
  return { ...(rotation !== 0 && { rotation }), ...(isFlipped && { isFlipped }) }
}

/** Names that writers give to every track say nothing about this one. */
const GENERIC_HANDLER = /handler?\b|media file|by google|^core media|^(?:video|audio|sound|subtitle)s?$/i

/** `00:01:02.500000000`, as Matroska's statistics tags write it. */
const clockSeconds = (clock: string | undefined): number | undefined => {
  const found = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(clock ?? '')
  return found ? Number(found[1]) * 3600 + Number(found[2]) * 60 + Number(found[3]) : undefined
}

const dropUndefined = <T extends object>(record: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as never
