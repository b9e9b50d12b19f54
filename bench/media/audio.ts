import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Capability, Context, Source } from '../../src/core/catalog.ts'
import audio from '../../src/formats/audio/format.ts'
import { childrenCpuSeconds } from './cpu.ts'

const ROUNDS = 3
const SECONDS = 300
const QUIET = ['-nostdin', '-v', 'error', '-y']

/** Five minutes of noise over tones in two channels, as hard to encode as music. */
const SOUND = [
  ...['-f', 'lavfi', '-i', `anoisesrc=color=pink:r=44100:a=0.3:d=${SECONDS}:seed=1`],
  ...['-f', 'lavfi', '-i', `sine=f=330:r=44100:d=${SECONDS}`],
  ...['-filter_complex', '[0][1]join=inputs=2:channel_layout=stereo[a]', '-map', '[a]'],
]
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  mp3: ['-b:a', '192k'],
  flac: ['-sample_fmt', 's16'],
  m4a: ['-b:a', '160k'],
  wav: [],
}

/** What is asked of each job, beside the default. */
const JOBS: Readonly<Record<string, readonly string[]>> = {
  default: audio.capabilities.filter(({ defaultSelected }) => defaultSelected).map(({ id }) => id),
  convert: ['audio.convert'],
  metadata: ['audio.metadata'],
  waveform: ['audio.waveform'],
  'metadata and waveform': ['audio.metadata', 'audio.waveform'],
}

const ownCpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

const runJob = async (file: string, extension: string, ids: readonly string[], folder: string): Promise<number> => {
  const source: Source = { path: file, name: `sound.${extension}`, extension, bytes: statSync(file).size }
  const capabilities = audio.capabilities.filter(({ id }) => ids.includes(id))
  const valuesOf = (id: string) => {
    const capability = capabilities.find((candidate) => candidate.id === id)
    return Object.fromEntries(
      Object.entries(capability?.options ?? {}).map(([name, spec]) => [name, spec.defaultValue]),
    )
  }
  const scratch = mkdtempSync(join(folder, 'job-'))
  const before = ownCpuSeconds() + childrenCpuSeconds()
  for (const { id, extract } of capabilities) {
    const context: Context = {
      ...{ signal: new AbortController().signal, selected: new Set(ids), optionsOf: valuesOf, scratch },
      ...{ progress: () => {}, warn: () => {} },
    }
    for await (const _ of extract(source, valuesOf(id) as Parameters<Capability['extract']>[1], context));
  }
  const cost = ownCpuSeconds() + childrenCpuSeconds() - before
  rmSync(scratch, { recursive: true })
  return cost
}

const decode = (file: string): number => {
  const before = childrenCpuSeconds()
  execFileSync('ffmpeg', [...QUIET, '-i', file, '-f', 'null', '-'])
  return childrenCpuSeconds() - before
}

/** CPU of jobs on five minutes of sound, and how many times that of decoding it and throwing it away. */
export const measureAudio = async (): Promise<Record<string, unknown>> => {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-bench-audio-'))
  mkdirSync(folder, { recursive: true })
  const report: Record<string, unknown> = {}
  for (const [extension, args] of Object.entries(SAMPLES)) {
    const file = join(folder, `sound.${extension}`)
    execFileSync('ffmpeg', [...QUIET, ...SOUND, ...args, file])
    const least = {
      decode: Number.POSITIVE_INFINITY,
      ...Object.fromEntries(Object.keys(JOBS).map((job) => [job, Number.POSITIVE_INFINITY])),
    } as Record<string, number>
    // In turns, so that what others do on the machine falls on all alike; the least of each counts.
    for (let round = 0; round < ROUNDS; round++) {
      least.decode = Math.min(least.decode as number, decode(file))
      for (const [job, ids] of Object.entries(JOBS)) {
        least[job] = Math.min(least[job] as number, await runJob(file, extension, ids, folder))
      }
    }
    report[extension] = Object.fromEntries(
      Object.entries(least).map(([job, cpuSeconds]) => [
        job,
        {
          cpuSeconds: Number(cpuSeconds.toFixed(2)),
          timesDecode: Number((cpuSeconds / (least.decode as number)).toFixed(2)),
        },
      ]),
    )
  }
  rmSync(folder, { recursive: true })
  return report
}

if (import.meta.main) {
  const report = await measureAudio()
  console.log(JSON.stringify(report, null, 2))
  writeFileSync(new URL('audio-report.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`)
}
