import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import type { Capability, Context, Source } from '../../core/catalog.ts'

/** Samples that tests make with ffmpeg itself, and what came of them. */
export type Bench = {
  folder: string
  /** Makes a file with ffmpeg; arguments are those between its inputs and the name. */
  make(name: string, ...args: readonly string[]): Source
  /** Takes bytes as a file. */
  put(name: string, bytes: Uint8Array | string): Source
  run(capability: Capability, source: Source, run?: RunOptions): Promise<Outcome>
  close(): void
}

export type RunOptions = {
  options?: Record<string, unknown>
  selected?: readonly string[]
  optionsOf?: Context['optionsOf']
  signal?: AbortSignal
}

export type Outcome = {
  /** Files on disk by their path in the result. */
  files: Record<string, string>
  warnings: string[]
}

/** Two tones, one to a channel. */
export const TONES = ['-f', 'lavfi', '-i', 'aevalsrc=0.4*sin(440*2*PI*t)|0.3*sin(660*2*PI*t):d=1.5:s=44100']

export const openBench = (): Bench => {
  const folder = mkdtempSync(join(tmpdir(), 'audio-test-'))
  const open = (name: string): Source => {
    const path = join(folder, name)
    return { path, name, extension: extname(name).slice(1), bytes: statSync(path).size }
  }
  let runs = 0
  return {
    folder,
    make(name, ...args) {
      execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args, join(folder, name)])
      return open(name)
    },
    put(name, bytes) {
      writeFileSync(join(folder, name), bytes)
      return open(name)
    },
    async run(capability, source, { options = {}, selected, optionsOf, signal } = {}) {
      runs += 1
      const scratch = join(folder, `scratch-${runs}`)
      mkdirSync(scratch)
      const warnings: string[] = []
      const context: Context = {
        signal: signal ?? new AbortController().signal,
        selected: new Set(selected ?? [capability.id]),
        scratch,
        progress: () => {},
        warn: (code) => warnings.push(code),
        ...(optionsOf && { optionsOf }),
      }
      const defaults = Object.entries(capability.options).map(([id, { defaultValue }]) => [id, defaultValue])
      const values = { ...Object.fromEntries(defaults), ...options }
      const files: Record<string, string> = {}
      for await (const artifact of capability.extract(source, values as never, context)) {
        if ('file' in artifact) {
          files[artifact.path] = artifact.file
          continue
        }
        const file = join(folder, `out-${runs}`, artifact.path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, artifact.data as string | Uint8Array)
        files[artifact.path] = file
      }
      return { files, warnings }
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

type Probed = {
  format: { duration: string; format_name: string; tags?: Record<string, string> }
  streams: {
    codec_type: string
    codec_name: string
    channels?: number
    sample_rate?: string
    bits_per_raw_sample?: string
    duration?: string
    tags?: Record<string, string>
  }[]
  chapters: { start_time: string; end_time: string; tags?: Record<string, string> }[]
}

/** What ffprobe says of a file, without a word of ours. */
export const ffprobe = (file: string): Probed =>
  JSON.parse(
    execFileSync('ffprobe', [
      ...['-v', 'error', '-show_format', '-show_streams', '-show_chapters', '-of', 'json', file],
    ]).toString(),
  )

/** The only value of a record. */
export const only = <T>(record: Readonly<Record<string, T>>): T => {
  const [value, ...more] = Object.values(record)
  if (value === undefined || more.length > 0) throw new Error(`not one but ${Object.keys(record).length}`)
  return value
}
