import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Tool } from '../core/catalog.ts'
import { JobFailure } from '../core/errors.ts'
import { ProgramFailure, type ProgramResult, runProgram } from './run-program.ts'

/** The program, as families declare it. */
export const FFMPEG = {
  name: 'ffmpeg',
  command: 'ffmpeg',
  versionArgs: ['-version'],
  debianPackage: 'ffmpeg',
  purpose: 'decodes and converts audio and video',
} as const satisfies Tool

/**
 * Containers that hold their content themselves. Playlists, scripts, session descriptions and subtitle indexes, which
 * name other files, are not among them, nor are images and text drawn as pictures.
 */
export const CONTAINERS = [
  ...[
    'mov',
    'mp4',
    'm4a',
    '3gp',
    '3g2',
    'mj2',
    'matroska',
    'webm',
    'avi',
    'asf',
    'flv',
    'mpeg',
    'mpegts',
    'ogg',
    'mxf',
  ],
  ...[
    'mp3',
    'wav',
    'w64',
    'aac',
    'flac',
    'aiff',
    'amr',
    'ac3',
    'eac3',
    'dts',
    'truehd',
    'caf',
    'mpegvideo',
    'ape',
    'wv',
  ],
  ...['tta', 'au'],
]

/** More pixels in one frame than this are not decoded. */
export const MAX_FRAME_PIXELS = 50_000_000

/** Settings for opening a file of a stranger: this one file, known containers, frames of a sane size. */
export const GUARDS = [
  ...['-protocol_whitelist', 'file', '-format_whitelist', CONTAINERS.join(',')],
  ...['-max_pixels', String(MAX_FRAME_PIXELS)],
] as const

/** A path as the programs take it: never an option, never another protocol, whatever folder they run in. */
export const inputName = (path: string): string => `file:${resolve(path)}`

/** More threads cost memory per frame in flight and bring little. */
export const DECODER_THREADS = Math.min(4, availableParallelism())

export type InputOptions = {
  /** Where to start, from the beginning of the file. */
  seekSeconds?: number
  /** Decoder threads of this input. */
  threads?: number
  /** More options of the input, such as `-skip_frame`. */
  more?: readonly string[]
}

/** Arguments that open `path` as the next input. Damaged packets are passed over, not fatal. */
export const inputArgs = (
  path: string,
  { seekSeconds = 0, threads = DECODER_THREADS, more = [] }: InputOptions = {},
): string[] => [
  ...GUARDS,
  ...['-threads', String(threads)],
  ...(seekSeconds > 0 ? ['-ss', seekSeconds.toFixed(6)] : []),
  ...more,
  ...['-i', inputName(path)],
]

export type FfmpegOptions = {
  signal: AbortSignal
  /** The folder of relative output names: the job's scratch folder or one in it. */
  cwd: string
  /** Length of what is read, for the time limit and for progress. */
  durationSeconds: number
  /** Share of `durationSeconds` that is done, 0 to 1; also called when it has not grown, as a sign of life. */
  onProgress?: (fraction: number) => void
  /** Takes what is written to `pipe:1`; without it the output is collected. */
  onOutput?: (chunk: Buffer) => void
  maxOutputBytes?: number
  /** How much slower than playing it the work may be. */
  slowness?: number
}

const MIN_TIMEOUT_SECONDS = 120
const MAX_TIMEOUT_SECONDS = 7_200
const MAX_OUTPUT_BYTES = 1_048_576

/** The time that work on so much sound or picture may take. */
export const timeLimitMs = (durationSeconds: number, slowness = 4): number =>
  Math.min(MAX_TIMEOUT_SECONDS, MIN_TIMEOUT_SECONDS + durationSeconds * slowness) * 1_000

/**
 * Runs ffmpeg with inputs from `inputArgs` and outputs of the caller. Any exit code is an answer, for some outputs may
 * be right when others are not: `stderr` has its last errors. Rejects with a `JobFailure` where it did not end by itself.
 */
export const runFfmpeg = async (
  args: readonly string[],
  { signal, cwd, durationSeconds, onProgress, onOutput, maxOutputBytes = MAX_OUTPUT_BYTES, slowness }: FfmpegOptions,
): Promise<ProgramResult> => {
  const timeoutMs = timeLimitMs(durationSeconds, slowness)
  const report = onProgress ? ['-progress', 'pipe:3', '-stats_period', '0.5'] : []
  const onReport = onProgress && readProgress(durationSeconds, onProgress)
  try {
    return await runProgram(FFMPEG.command, ['-nostdin', '-hide_banner', '-v', 'error', '-y', ...report, ...args], {
      ...{ signal, timeoutMs, maxOutputBytes, cwd },
      ...(onOutput && { onOutput }),
      ...(onReport && { onReport }),
    })
  } catch (error) {
    throw toMediaFailure(error, timeoutMs)
  }
}

/** What a program that did not end by itself means for the job. */
export const toMediaFailure = (error: unknown, timeoutMs: number): unknown => {
  if (!(error instanceof ProgramFailure)) return error
  const more = { cause: error }
  switch (error.reason) {
    case 'timed_out':
      return new JobFailure('extract.timed_out', { limit: 'engine_seconds', allowed: timeoutMs / 1_000 }, more)
    case 'too_much_output':
      return new JobFailure('extract.limit_exceeded', { limit: 'engine_output' }, more)
    default:
      return new JobFailure('extract.engine_failed', {}, more)
  }
}

/** Reads `-progress` lines: `out_time_us=1500000`, `N/A` before the first output. */
export const readProgress = (
  durationSeconds: number,
  onProgress: (fraction: number) => void,
): ((chunk: Buffer) => void) => {
  let rest = ''
  let done = 0
  return (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [key, value] = line.split('=')
      if (key === 'out_time_us' && durationSeconds > 0) {
        const fraction = Number(value) / 1e6 / durationSeconds
        if (fraction > done) done = Math.min(1, fraction)
      } else if (key === 'progress') onProgress(done)
    }
  }
}
