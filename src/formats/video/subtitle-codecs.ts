/** What becomes of a subtitle track: text that can be read out, or pictures that are kept as they are. */
export type SubtitleKind = {
  isText: boolean
  /** The container that holds the track as it is, and how its files are named; undefined where none does. */
  original?: { muxer: string; extension: string; mediaType: string }
}

const mks = { muxer: 'matroska', extension: 'mks', mediaType: 'video/x-matroska' }
const mp4 = { muxer: 'mp4', extension: 'mp4', mediaType: 'video/mp4' }
const srt = { muxer: 'srt', extension: 'original.srt', mediaType: 'application/x-subrip' }
const ass = { muxer: 'ass', extension: 'ass', mediaType: 'text/x-ssa' }

const KINDS: Readonly<Record<string, SubtitleKind>> = {
  subrip: { isText: true, original: srt },
  srt: { isText: true, original: srt },
  ass: { isText: true, original: ass },
  ssa: { isText: true, original: ass },
  webvtt: {
    isText: true,
    original: { muxer: 'webvtt', extension: 'original.vtt', mediaType: 'text/vtt; charset=utf-8' },
  },
  mov_text: { isText: true, original: mp4 },
  text: { isText: true, original: mks },
  eia_608: { isText: true, original: { muxer: 'mov', extension: 'mov', mediaType: 'video/quicktime' } },
  hdmv_pgs_subtitle: {
    isText: false,
    original: { muxer: 'sup', extension: 'sup', mediaType: 'application/octet-stream' },
  },
  dvd_subtitle: { isText: false, original: mks },
  dvb_subtitle: { isText: false, original: mks },
  dvb_teletext: { isText: false, original: { muxer: 'mpegts', extension: 'ts', mediaType: 'video/mp2t' } },
  xsub: { isText: false, original: { muxer: 'avi', extension: 'avi', mediaType: 'video/x-msvideo' } },
}

/** How a codec of subtitles is treated. */
export const subtitleKind = (codec: string): SubtitleKind => KINDS[codec] ?? { isText: true, original: mks }
