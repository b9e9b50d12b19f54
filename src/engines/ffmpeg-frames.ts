import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tool } from '../core/catalog.ts'
import { JobFailure } from '../core/errors.ts'
import { FFMPEG as PROGRAM } from './ffmpeg.ts'
import { ProgramFailure, type ProgramResult, runProgram } from './run-program.ts'

/** The program, as families of pictures declare it. */
export const FFMPEG = { ...PROGRAM, purpose: 'decodes animated AVIF images', optional: true } as const satisfies Tool

/** An image sequence in the container of MP4: what it holds, from its packets. */
export type Sequence = {
  width: number
  height: number
  hasAlpha: boolean
  bitsPerChannel: number
  /** How long each frame is shown. */
  frameDurationsSeconds: readonly number[]
}

export type FfmpegJob = { signal: AbortSignal; scratch: string; maxPixels: number }

const TIMEOUT_MS = 120_000
const MAX_LISTING_BYTES = 32 * 1_048_576
const MAX_MESSAGE_BYTES = 65_536

/** Nothing but the one file, the one container and the one codec. */
const guard = ({ maxPixels }: FfmpegJob): string[] => [
  ...['-v', 'error', '-protocol_whitelist', 'file', '-format_whitelist', 'mov,mp4,m4a,3gp,3g2,mj2'],
  ...['-codec_whitelist', 'libdav1d,libaom-av1,av1', '-max_pixels', String(maxPixels)],
]

type Listing = {
  packets?: { stream_index?: number; duration_time?: string }[]
  streams?: { index?: number; codec_name?: string; width?: number; height?: number; pix_fmt?: string }[]
}

/** Counts and measures the frames of an animated AVIF. */
export const describeSequence = async (path: string, job: FfmpegJob): Promise<Sequence> => {
  const entries = 'stream=index,codec_name,width,height,pix_fmt:packet=stream_index,duration_time'
  const args = [...guard(job), '-select_streams', 'v', '-show_packets', '-show_streams', '-show_entries', entries]
  const { stdout } = await run('ffprobe', [...args, '-of', 'json', path], job, MAX_LISTING_BYTES)
  const { packets = [], streams = [] } = parseListing(stdout.toString())
  const [picture, ...others] = streams.filter(({ codec_name }) => codec_name === 'av1')
  if (!picture?.width || !picture.height) throw new JobFailure('extract.source_unreadable')
  const own = packets.filter(({ stream_index }) => stream_index === picture.index)
  const isAlphaOf = (other: typeof picture): boolean =>
    other.width === picture.width &&
    other.height === picture.height &&
    packets.filter(({ stream_index }) => stream_index === other.index).length === own.length
  return {
    width: picture.width,
    height: picture.height,
    hasAlpha: others.length === 1 && others.every(isAlphaOf),
    bitsPerChannel: Number(/p(\d\d)(?:le|be)$/.exec(picture.pix_fmt ?? '')?.[1] ?? 8),
    frameDurationsSeconds: own.map(({ duration_time }) => Number(duration_time ?? 0) || 0),
  }
}

const parseListing = (json: string): Listing => {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new JobFailure('extract.source_unreadable', {}, { cause })
  }
}

/** Decodes `count` frames of an animated AVIF from frame `first` on into PNG files in an empty folder; their paths in order. */
export const decodeSequence = async (
  path: string,
  { hasAlpha }: Sequence,
  { first, count, folder }: { first: number; count: number; folder: string },
  job: FfmpegJob,
): Promise<string[]> => {
  const select = `select=gte(n\\,${first})`
  const filter = hasAlpha ? `[0:v:1]format=gray[a];[0:v:0][a]alphamerge,${select}` : `[0:v:0]${select}`
  await run(
    FFMPEG.command,
    [
      ...['-nostdin', '-threads', '1', ...guard(job), '-i', path, '-filter_complex', filter],
      ...['-fps_mode', 'passthrough', '-frames:v', String(count), '-compression_level', '1'],
      ...['-pix_fmt', hasAlpha ? 'rgba' : 'rgb24', '-f', 'image2', join(folder, '%06d.png')],
    ],
    job,
    MAX_MESSAGE_BYTES,
  )
  return (await readdir(folder)).sort().map((name) => join(folder, name))
}

const run = async (
  command: string,
  args: readonly string[],
  { signal, scratch }: FfmpegJob,
  maxOutputBytes: number,
): Promise<ProgramResult> => {
  try {
    return await runProgram(command, args, { signal, timeoutMs: TIMEOUT_MS, maxOutputBytes, cwd: scratch })
  } catch (cause) {
    if (!(cause instanceof ProgramFailure)) throw cause
    switch (cause.reason) {
      case 'timed_out':
        throw new JobFailure('extract.timed_out', { limit: 'decode_seconds', allowed: TIMEOUT_MS / 1000 }, { cause })
      case 'too_much_output':
        throw new JobFailure('extract.limit_exceeded', { limit: 'frames' }, { cause })
      default:
        throw new JobFailure('extract.engine_failed', {}, { cause })
    }
  }
}
