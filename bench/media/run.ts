import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { childrenCpuSeconds } from './cpu.ts'
import { measureLarge } from './large.ts'
import { makeSamples, type Sample } from './samples.ts'

const ROUNDS = 3

type JobCost = {
  cpuSeconds: number
  nodeSeconds: number
  engineSeconds: number
  wallSeconds: number
  artifacts: number
}

/** CPU of jobs against that of decoding the same film and throwing it away, and against the bare commands. */
export const run = async (): Promise<void> => {
  const samples = makeSamples()
  const long = samples.find(({ name }) => name === '5 minutes') as Sample
  const jobs: Record<string, unknown> = {}
  for (const sample of samples) if (sample !== long) jobs[sample.name] = measureDefaultJob(sample)
  const report = { cores: cpus().length, defaultJob: jobs, sparse: measureSparse(long), large: await measureLarge() }
  console.log(JSON.stringify(report, null, 2))
  writeFileSync(new URL('report.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`)
}

/** The least of several rounds: what others do on the machine only ever adds. */
const least = <T>(measure: () => T, cost: (measured: T) => number): T => {
  const rounds = Array.from({ length: ROUNDS }, measure)
  return rounds.reduce((best, round) => (cost(round) < cost(best) ? round : best))
}

const cpuOf = (command: string, args: readonly string[]): number => {
  const before = childrenCpuSeconds()
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  return childrenCpuSeconds() - before
}

const leastCpu = (measure: () => number): number => least(measure, (seconds) => seconds)

const round = (value: number): number => Number(value.toFixed(3))

const runJob = ({ file }: Sample, options: Record<string, unknown> = {}): JobCost =>
  least(
    () => {
      const script = fileURLToPath(new URL('extract-one.ts', import.meta.url))
      return JSON.parse(
        execFileSync(process.execPath, [script, file, JSON.stringify(options)], { encoding: 'utf8' }),
      ) as JobCost
    },
    ({ cpuSeconds }) => cpuSeconds,
  )

const QUIET = ['-nostdin', '-v', 'error', '-y']

const decodeAll = ({ file }: Sample): number =>
  leastCpu(() => cpuOf('ffmpeg', [...QUIET, '-i', file, '-f', 'null', '-']))

const measureDefaultJob = (sample: Sample) => {
  const decode = decodeAll(sample)
  const job = runJob(sample)
  const bare = measureBare(sample)
  return {
    seconds: sample.seconds,
    megabitsPerSecond: sample.megabitsPerSecond,
    cpuSeconds: { decodeToNull: round(decode), job: round(job.cpuSeconds), bareCommands: round(bare) },
    jobOverDecode: round(job.cpuSeconds / decode),
    jobOverBareCommands: round(job.cpuSeconds / bare),
    inNodeSeconds: round(job.nodeSeconds),
    wallSeconds: round(job.wallSeconds),
    artifacts: job.artifacts,
  }
}

/** What somebody would type to get the same: a probe, a picture a second, a sheet of them, the sound as mp3. */
const measureBare = ({ file }: Sample): number => {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-bench-media-'))
  const pictures = join(folder, '%06d.jpg')
  const select = String.raw`select=isnan(prev_selected_t)+gte(t-prev_selected_t\,1)`
  try {
    return leastCpu(
      () =>
        cpuOf('ffprobe', ['-v', 'error', '-show_format', '-show_streams', '-show_chapters', '-of', 'json', file]) +
        cpuOf('ffmpeg', [
          ...[...QUIET, '-i', file, '-an', '-vf', select, '-fps_mode', 'passthrough', '-q:v', '3', pictures],
        ]) +
        cpuOf('ffmpeg', [
          ...QUIET,
          '-i',
          pictures,
          '-vf',
          'scale=256:-2,tile=8x8',
          '-frames:v',
          '1',
          join(folder, 'sheet.jpg'),
        ]) +
        cpuOf('ffmpeg', [...QUIET, '-i', file, '-vn', '-q:a', '2', join(folder, 'sound.mp3')]),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Frames far apart out of a long film, which must not cost the decoding of all of it. */
const measureSparse = (sample: Sample) => {
  const decode = decodeAll(sample)
  const measure = (options: Record<string, unknown>) => {
    const { cpuSeconds, artifacts } = runJob(sample, { 'video.frames': options })
    return { cpuSeconds: round(cpuSeconds), share: round(cpuSeconds / decode), artifacts }
  }
  return {
    seconds: sample.seconds,
    decodeToNullCpuSeconds: round(decode),
    'evenly-spaced, 20 frames': measure({ frameMode: 'evenly-spaced', maxExtractedFrames: 20 }),
    keyframes: measure({ frameMode: 'keyframes' }),
    'every 10 seconds': measure({ frameIntervalSeconds: 10 }),
  }
}
