import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Source } from '../../core/catalog.ts'
import { inputArgs, runFfmpeg } from '../../engines/ffmpeg.ts'
import { perSource } from '../shared/per-source.ts'
import { type Loudness, readLoudness } from './loudness.ts'
import { createPeakCounter, type Peaks } from './peaks.ts'
import type { TimeRange } from './plan-segments.ts'
import { readSound } from './read-sound.ts'

/** What counts as silence. */
export type SilenceRule = { silenceLevelDb: number; minSilenceSeconds: number }

/** What of a sound is to be measured. */
export type Wanted = { loudness?: boolean; silence?: SilenceRule; peaks?: boolean }

/** What came of decoding a sound once. */
export type Heard = {
  loudness?: Loudness
  silences?: TimeRange[]
  peaks?: Peaks
  /** Length of what could be decoded. */
  seconds: number
}

type Analysis = { analysis: boolean } & SilenceRule

/**
 * Decodes a source and measures it. Capabilities that are selected together share one pass: whoever is first also
 * measures what the others will ask for. Undefined where nothing could be decoded.
 */
export const listen = (source: Source, asked: Wanted, context: Context): Promise<Heard | undefined> => {
  const metadata = context.optionsOf?.('audio.metadata') as Analysis | undefined
  const segments = context.optionsOf?.('audio.segments') as SilenceRule | undefined
  const forMetadata = metadata?.analysis ? metadata : undefined
  const silence = asked.silence ?? forMetadata ?? segments
  const wanted: Wanted = {
    loudness: asked.loudness === true || forMetadata !== undefined,
    ...(silence && { silence: pickRule(silence) }),
    peaks: asked.peaks === true || context.selected.has('audio.waveform'),
  }
  return listenOnce(source, context, JSON.stringify(wanted))
}

const pickRule = ({ silenceLevelDb, minSilenceSeconds }: SilenceRule): SilenceRule => ({
  silenceLevelDb,
  minSilenceSeconds,
})

const BYTES_PER_SAMPLE = 2
const STARTS = 'starts.txt'
const ENDS = 'ends.txt'

const listenOnce = perSource(async (source, context, key): Promise<Heard | undefined> => {
  const { loudness, silence, peaks } = JSON.parse(key) as Wanted
  const { media, track } = await readSound(source, context)
  const folder = await mkdtemp(join(context.scratch, 'listen-'))
  const { sampleRate = 44_100, channels = 2 } = track
  const counter = peaks ? createPeakCounter(channels) : undefined
  const filters = [
    ...(silence
      ? [
          `silencedetect=noise=${silence.silenceLevelDb}dB:d=${silence.minSilenceSeconds}`,
          `ametadata=mode=print:key=lavfi.silence_start:file=${STARTS}`,
          `ametadata=mode=print:key=lavfi.silence_end:file=${ENDS}`,
        ]
      : []),
    // The log of every tenth of a second is not asked for, only the summary.
    ...(loudness ? ['ebur128=peak=true+sample:framelog=verbose'] : []),
  ]
  let bytes = 0
  const { code, stderr } = await runFfmpeg(
    [
      ...inputArgs(source.path, { threads: 1 }),
      ...['-v', 'info', '-nostats', '-map', `0:${track.index}`],
      ...['-af', [...filters, 'asetpts=N/SR/TB'].join(',')],
      ...['-c:a', 'pcm_s16le', '-f', 's16le', 'pipe:1'],
    ],
    {
      signal: context.signal,
      cwd: folder,
      durationSeconds: media.durationSeconds,
      maxOutputBytes: Number.MAX_SAFE_INTEGER,
      onProgress: (fraction) => context.progress(fraction),
      onOutput: (chunk) => {
        bytes += chunk.length
        counter?.add(chunk)
      },
    },
  )
  const seconds = bytes / BYTES_PER_SAMPLE / channels / sampleRate
  if (code !== 0 || seconds === 0) return undefined
  const measured = loudness ? readLoudness(stderr) : undefined
  return {
    seconds,
    ...(measured && { loudness: measured }),
    ...(silence && { silences: pairSilences(await readTimes(folder, STARTS), await readTimes(folder, ENDS), seconds) }),
    ...(counter && { peaks: counter.finish() }),
  }
})

/** The values of the one key that `ametadata` printed into a file; none where it never came. */
const readTimes = async (folder: string, name: string): Promise<number[]> => {
  const text = await readFile(join(folder, name), 'latin1').catch(() => '')
  return [...text.matchAll(/^lavfi\.silence_(?:start|end)=(-?[\d.]+)/gm)].map(([, seconds]) =>
    Math.max(0, Number(seconds)),
  )
}

/** Silences from their starts and ends. The last may have no end: then it lasts until the end of the file. */
export const pairSilences = (starts: readonly number[], ends: readonly number[], totalSeconds: number): TimeRange[] =>
  starts.map((startSeconds, index) => ({ startSeconds, endSeconds: ends[index] ?? totalSeconds }))
