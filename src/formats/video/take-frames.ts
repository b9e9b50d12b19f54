import { mkdtemp, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DECODER_THREADS, inputArgs, runFfmpeg } from '../../engines/ffmpeg.ts'
import type { StreamFacts } from '../../engines/ffprobe.ts'
import { readFrameReport, reportFilters } from './frame-report.ts'
import { pictureFilters, type Size } from './picture.ts'

/** A frame in a file of the scratch folder, with its true time from the beginning. */
export type TakenFrame = { timeSeconds: number; file: string; sceneScore?: number }

/** What frames are taken from, and what they become. */
export type FrameJob = {
  path: string
  film: StreamFacts
  durationSeconds: number
  size: Size
  format: 'jpg' | 'png'
  signal: AbortSignal
  scratch: string
  onProgress: (fraction: number) => void
}

export type Taken = { frames: TakenFrame[]; stderr: string }

/** The same picture always gives the same file: one thread, no version of the encoder in it. */
const ENCODERS = {
  jpg: ['-c:v', 'mjpeg', '-q:v', '3', '-pix_fmt', 'yuvj420p'],
  png: ['-c:v', 'png', '-compression_level', '4', '-pred', 'mixed', '-pix_fmt', 'rgb24'],
} as const

const outputArgs = (format: FrameJob['format'], count: number): string[] => [
  ...['-fps_mode', 'passthrough', '-frames:v', String(count), ...ENCODERS[format]],
  ...['-threads', '1', '-flags:v', '+bitexact', '-fflags', '+bitexact', '-map_metadata', '-1', '-f', 'image2'],
]

const chain = (job: FrameJob, select: string | undefined, label: string): string =>
  [...(select ? [`select='${select}'`] : []), ...reportFilters(label), ...pictureFilters(job.film, job.size)].join(',')

/** Frames this large are decoded by fewer threads: each holds several of them. */
const LARGE_FRAME_PIXELS = 9_000_000

const threadsFor = ({ film: { width = 0, height = 0 } }: FrameJob): number =>
  width * height > LARGE_FRAME_PIXELS ? 1 : DECODER_THREADS

/** Turning comes later and only for chosen frames. */
const UNTURNED = ['-noautorotate']

/** Decodes from the beginning and keeps the frames for which `select` is true, at most `maxFrames`. */
export const scanFrames = async (
  job: FrameJob,
  { select, keyframesOnly, maxFrames }: { select: string; keyframesOnly: boolean; maxFrames: number },
): Promise<Taken> => {
  const folder = await mkdtemp(join(job.scratch, 'frames-'))
  const times: { timeSeconds: number; sceneScore?: number }[] = []
  const report = readFrameReport(({ microseconds, facts }) => {
    const score = Number(facts['lavfi.scene_score'])
    times.push({ timeSeconds: microseconds / 1e6, ...(Number.isFinite(score) && { sceneScore: score }) })
  })
  const more = [...UNTURNED, ...(keyframesOnly ? ['-skip_frame', 'nokey'] : [])]
  const { stderr } = await runFfmpeg(
    [
      ...inputArgs(job.path, { threads: threadsFor(job), more }),
      ...['-map', `0:${job.film.index}`, '-vf', chain(job, keyframesOnly ? undefined : select, 'scan')],
      ...outputArgs(job.format, maxFrames),
      `%06d.${job.format}`,
    ],
    {
      ...{ signal: job.signal, cwd: folder, durationSeconds: job.durationSeconds, onProgress: job.onProgress },
      ...{ onOutput: report, maxOutputBytes: 64 * 1_048_576 },
    },
  )
  report.end()
  const frames: TakenFrame[] = []
  for (const [i, time] of times.entries()) {
    const file = join(folder, `${String(i + 1).padStart(6, '0')}.${job.format}`)
    // The last one may have been chosen when enough were written.
    if (await isFile(file)) frames.push({ ...time, file })
  }
  return { frames, stderr }
}

export type SeekWish = {
  targets: readonly number[]
  /** The last key frame at or before the target, for the cost of one frame, instead of the first frame at or after it. */
  keyframes?: boolean
}

/** Decoders that are open at once in one process. */
const BATCH = 20

/** Jumps to each target and takes one frame there; undefined where there is none. Answers come in the order of targets. */
export const seekFrames = async (
  job: FrameJob,
  { targets, keyframes = false }: SeekWish,
): Promise<{ frames: (TakenFrame | undefined)[]; stderr: string }> => {
  const folder = await mkdtemp(join(job.scratch, 'frames-'))
  const frames: (TakenFrame | undefined)[] = targets.map(() => undefined)
  const more = [...UNTURNED, ...(keyframes ? ['-noaccurate_seek', '-skip_frame', 'nokey'] : [])]
  let lastWords = ''
  for (let first = 0; first < targets.length; first += BATCH) {
    const batch = targets.slice(first, first + BATCH)
    const times = new Map<number, number>()
    const report = readFrameReport(({ microseconds, facts }) => {
      const i = Number(facts.quarry)
      if (!times.has(i)) times.set(i, Math.max(0, microseconds / 1e6))
    })
    const { stderr } = await runFfmpeg(
      [
        // Times as they are in the file, not from where it was jumped to: those would be rounded.
        ...['-copyts', '-start_at_zero'],
        ...batch.flatMap((seekSeconds) => inputArgs(job.path, { seekSeconds, threads: 1, more })),
        ...batch.flatMap((_, i) => [
          ...['-map', `${i}:${job.film.index}`, '-vf', chain(job, undefined, String(i))],
          ...outputArgs(job.format, 1),
          ...['-update', '1', `batch-${i}.${job.format}`],
        ]),
      ],
      {
        ...{ signal: job.signal, cwd: folder, durationSeconds: job.durationSeconds, onOutput: report },
        onProgress: () => job.onProgress(first / targets.length),
      },
    )
    report.end()
    if (stderr) lastWords = stderr
    for (const [i, timeSeconds] of times) {
      const made = join(folder, `batch-${i}.${job.format}`)
      if (!(await isFile(made))) continue
      const file = join(folder, `${first + i}.${job.format}`)
      await rename(made, file)
      frames[first + i] = { timeSeconds, file }
    }
    job.onProgress(Math.min(1, (first + batch.length) / targets.length))
  }
  return { frames, stderr: lastWords }
}

const isFile = async (path: string): Promise<boolean> => {
  const facts = await stat(path).catch(() => undefined)
  return facts !== undefined && facts.size > 0
}
