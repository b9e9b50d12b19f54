import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { splitFileName } from '../../core/artifact-names.ts'
import type { Artifact, Capability, Context, Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import format from './format.ts'

const run = promisify(execFile)

/** A folder for the files of one test, and what makes them. */
export type Lab = {
  folder: string
  path(name: string): string
  make(args: readonly string[]): Promise<void>
  close(): Promise<void>
}

export const openLab = async (): Promise<Lab> => {
  const folder = await mkdtemp(join(tmpdir(), 'video-'))
  return {
    folder,
    path: (name) => join(folder, name),
    make: async (args) => {
      await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], { cwd: folder })
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** What ffprobe prints about a file, as JSON. */
export const askFfprobe = async (path: string, args: readonly string[]) => {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-of', 'json', ...args, path], { maxBuffer: 1e8 })
  return JSON.parse(stdout)
}

export type Outcome = {
  artifacts: Map<string, Buffer>
  provenance: Map<string, Artifact['provenance']>
  warnings: string[]
  failures: string[]
  progress: number[]
}

/** Runs capabilities of the family on a file as the sandbox would, one after the other. */
export const extractVideo = async (
  path: string,
  given: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  signal: AbortSignal = new AbortController().signal,
): Promise<Outcome> => {
  const scratch = await mkdtemp(join(tmpdir(), 'scratch-'))
  const name = path.split('/').at(-1) ?? ''
  const source: Source = { path, name, extension: splitFileName(name).extension, bytes: (await stat(path)).size }
  const outcome: Outcome = { artifacts: new Map(), provenance: new Map(), warnings: [], failures: [], progress: [] }
  const valuesOf = (id: string) => {
    const options = format.capabilities.find((capability) => capability.id === id)?.options
    if (!options || !given[id]) return undefined
    const defaults = Object.entries(options).map(([option, { defaultValue }]) => [option, defaultValue] as const)
    return { ...Object.fromEntries(defaults), ...given[id] } as Parameters<Capability['extract']>[1]
  }
  try {
    for (const capability of format.capabilities) {
      const values = valuesOf(capability.id)
      if (!values) continue
      const context: Context = {
        signal,
        selected: new Set(Object.keys(given)),
        optionsOf: valuesOf,
        scratch,
        progress: (fraction) => outcome.progress.push(fraction),
        warn: (code) => outcome.warnings.push(`${capability.id} ${code}`),
      }
      try {
        for await (const artifact of capability.extract(source, values, context)) {
          const data = 'file' in artifact ? await readFile(artifact.file) : Buffer.from(artifact.data as string)
          outcome.artifacts.set(artifact.path, data)
          outcome.provenance.set(artifact.path, artifact.provenance)
        }
      } catch (error) {
        if (!(error instanceof JobFailure)) throw error
        outcome.failures.push(`${capability.id} ${error.code}`)
      }
    }
    return outcome
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
