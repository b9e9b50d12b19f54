import { mendText } from './mend-text.ts'
import type { FoundTags, NativeTag } from './tags.ts'

/** Names of the tag reader that are not good names. All others stay. */
const NAMES: Readonly<Record<string, string>> = {
  albumartist: 'albumArtist',
  albumartists: 'albumArtists',
  originaldate: 'originalDate',
  originalyear: 'originalYear',
  releasedate: 'releaseDate',
  albumsort: 'albumSort',
  titlesort: 'titleSort',
  artistsort: 'artistSort',
  albumartistsort: 'albumArtistSort',
  composersort: 'composerSort',
  djmixer: 'djMixer',
  discsubtitle: 'discSubtitle',
  catalognumber: 'catalogNumber',
  releasestatus: 'releaseStatus',
  releasetype: 'releaseType',
  releasecountry: 'releaseCountry',
  encodedby: 'encodedBy',
  encodersettings: 'encoderSettings',
  podcasturl: 'podcastUrl',
  originalalbum: 'originalAlbum',
  originalartist: 'originalArtist',
  stik: 'mediaKind',
  musicbrainz_recordingid: 'musicbrainzRecordingId',
  musicbrainz_trackid: 'musicbrainzTrackId',
  musicbrainz_albumid: 'musicbrainzAlbumId',
  musicbrainz_artistid: 'musicbrainzArtistId',
  musicbrainz_albumartistid: 'musicbrainzAlbumArtistId',
  musicbrainz_releasegroupid: 'musicbrainzReleaseGroupId',
  musicbrainz_workid: 'musicbrainzWorkId',
  musicbrainz_trmid: 'musicbrainzTrmId',
  musicbrainz_discid: 'musicbrainzDiscId',
}

/** Told in places of their own, or said again by others. */
const ELSEWHERE = /^(?:track|disk|movementIndex|lyrics|picture|totaltracks|totaldiscs|replaygain_.*)$/

const KINDS: Readonly<Record<string, string>> = {
  exif: 'RIFF INFO',
  iTunes: 'MP4',
  vorbis: 'Vorbis comments',
  matroska: 'Matroska',
  asf: 'ASF',
}

const MAX_TAGS_OF_A_KIND = 2_000
const MAX_CHARACTERS = 65_536
const MAX_DEPTH = 6
const MAX_ITEMS = 1_000

/** Title, artist and so on by one name each, whatever the kind of tags. What the probe found fills what is missing. */
export const nameTags = ({ common }: FoundTags, probed: Readonly<Record<string, string>>): Record<string, unknown> => {
  const named = new Map<string, unknown>(namedByProbe(probed))
  for (const [name, value] of Object.entries(common)) {
    const said = name === 'comment' ? (value as Comment[]).filter(isForPeople) : value
    if (!ELSEWHERE.test(name) && !isEmpty(said)) named.set(toName(name), toPlain(said))
  }
  const count = (name: string, of: string, value: unknown) => {
    const { no, of: total } = (value ?? {}) as { no?: number | null; of?: number | null }
    if (no) named.set(name, no)
    if (total) named.set(of, total)
  }
  count('trackNumber', 'trackTotal', common.track)
  count('discNumber', 'discTotal', common.disk)
  count('movementNumber', 'movementTotal', common.movementIndex)
  return Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)))
}

type Comment = { descriptor?: string }

/** A program keeps its notes about gaps and volume among the comments; they stay among the tags as they are. */
const isForPeople = ({ descriptor = '' }: Comment): boolean => !/^iTun/.test(descriptor)

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.every(isEmpty))

const toName = (name: string): string =>
  NAMES[name] ?? name.replace(/[_:]([a-z])/g, (_, letter) => letter.toUpperCase())

/** Tags of the probe that mean the same in every container. */
const PROBED: Readonly<Record<string, string>> = {
  title: 'title',
  artist: 'artist',
  album: 'album',
  album_artist: 'albumArtist',
  copyright: 'copyright',
  date: 'date',
  encoded_by: 'encodedBy',
}
const PROBED_LISTS: Readonly<Record<string, string>> = { genre: 'genre', composer: 'composer', publisher: 'publisher' }

const namedByProbe = ({ language, ...tags }: Readonly<Record<string, string>>): [string, unknown][] => {
  const [trackNumber, trackTotal] = (tags.track ?? '').split('/').map(Number)
  return [
    ...Object.entries(PROBED).flatMap(([from, to]): [string, unknown][] => (tags[from] ? [[to, tags[from]]] : [])),
    // The tag reader gives lists of these, so they are lists wherever they come from.
    ...Object.entries(PROBED_LISTS).flatMap(([from, to]): [string, unknown][] =>
      tags[from] ? [[to, [tags[from]]]] : [],
    ),
    ...(language && language !== 'und' ? [['language', language] as [string, unknown]] : []),
    ...(tags.comment ? [['comment', [{ text: tags.comment }]] as [string, unknown]] : []),
    ...(trackNumber ? [['trackNumber', trackNumber] as [string, unknown]] : []),
    ...(trackTotal ? [['trackTotal', trackTotal] as [string, unknown]] : []),
  ]
}

/** All tags as they are in the file, by kind and in their order. */
export const listNativeTags = ({ native }: FoundTags): Record<string, NativeTag[]> => {
  const kinds = new Map<string, NativeTag[]>()
  for (const [type, tags] of Object.entries(native)) {
    for (const { id, value } of tags) {
      const isBroadcast = type === 'exif' && id.startsWith('bext.')
      const kind = isBroadcast ? 'BWF bext' : (KINDS[type] ?? type)
      const listed = kinds.get(kind) ?? []
      kinds.set(kind, listed)
      if (listed.length < MAX_TAGS_OF_A_KIND) {
        listed.push({ id: isBroadcast ? id.slice('bext.'.length) : id, value: toPlain(value) })
      }
    }
  }
  return Object.fromEntries([...kinds].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A value as JSON can hold it: of bytes only how many there are. */
const toPlain = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return mendText(value.slice(0, MAX_CHARACTERS))
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (ArrayBuffer.isView(value)) return { bytes: value.byteLength }
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return null
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => toPlain(item, depth + 1))
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined && typeof inner !== 'function')
  return Object.fromEntries(entries.slice(0, MAX_ITEMS).map(([key, inner]) => [key, toPlain(inner, depth + 1)]))
}

export type Lyrics = {
  language?: string
  description?: string
  text: string
  lines?: { timeSeconds: number; text: string }[]
}

type FoundLyrics = {
  language?: string
  descriptor?: string
  text?: string
  timeStampFormat?: number
  syncText?: { text?: string; timestamp?: number }[]
}
/** Times may also count frames of the encoded sound, which say nothing without the sound. */
const MILLISECONDS = 2

/** Words of a song, with their times where the file has them. */
export const listLyrics = ({ common }: FoundTags): Lyrics[] =>
  ((common.lyrics as FoundLyrics[] | undefined) ?? []).flatMap(
    ({ language, descriptor, text, timeStampFormat, syncText = [] }) => {
      const words = syncText.map((line) => line.text ?? '')
      const isTimed = timeStampFormat === MILLISECONDS && syncText.some(({ timestamp }) => timestamp !== undefined)
      const whole = mendText((text || words.join('\n')).slice(0, MAX_CHARACTERS))
      if (whole.trim() === '') return []
      return [
        {
          ...(language ? { language } : {}),
          ...(descriptor ? { description: descriptor } : {}),
          text: whole,
          ...(isTimed
            ? {
                lines: syncText.map((line) => ({
                  timeSeconds: (line.timestamp ?? 0) / 1_000,
                  text: mendText(line.text ?? ''),
                })),
              }
            : {}),
        },
      ]
    },
  )

type Ratio = { dB?: number; ratio?: number }

/** Loudness corrections that the file itself asks for; undefined where it asks for none. */
export const describeReplayGain = ({ common, native, ...rest }: FoundTags): object | undefined => {
  const ratio = (name: string) => common[`replaygain_${name}`] as Ratio | undefined
  const trackGainDb = ratio('track_gain')?.dB ?? readR128(native, 'R128_TRACK_GAIN') ?? rest.trackGainDb
  const albumGainDb = ratio('album_gain')?.dB ?? readR128(native, 'R128_ALBUM_GAIN') ?? rest.albumGainDb
  const trackPeak = ratio('track_peak')?.ratio ?? rest.trackPeak
  const albumPeak = ratio('album_peak')?.ratio
  const found = { trackGainDb, trackPeak, albumGainDb, albumPeak }
  const given = Object.entries(found).filter(([, value]) => Number.isFinite(value))
  return given.length > 0 ? Object.fromEntries(given) : undefined
}

/** Opus keeps its gain in 256ths of a decibel. */
const readR128 = (native: FoundTags['native'], id: string): number | undefined => {
  const value = Number(native.vorbis?.find((tag) => tag.id === id)?.value ?? Number.NaN)
  return Number.isFinite(value) ? value / 256 : undefined
}
