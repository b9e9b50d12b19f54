import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { safePath, splitFileName } from '../../core/artifact-names.ts'
import {
  type Artifact,
  type Capability,
  type Catalog,
  type Context,
  findFormat,
  type Source,
} from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'

/** A source that is too large, or too dull, to lie in the case's folder. */
type MadeSource = { name: string; text?: string; hex?: string; repeat?: number }

/** `case.json`: what goes in and what must come out; the artifacts lie beside it under `expected/`. */
export type GoldenCase = {
  /** A file of the case's folder, or how to make one. */
  source: string | MadeSource
  /** Capabilities to run; all of the family unless told. */
  capabilities?: string[]
  /** Values by capability id; the rest are defaults. */
  options?: Record<string, Record<string, unknown>>
  /** Warnings as `capability code`. */
  warnings?: string[]
  failure?: { code: string; params: Record<string, unknown> }
}

/** What came out of a case. */
export type GoldenOutcome = {
  artifacts: Record<string, Buffer>
  warnings: string[]
  failure?: { code: string; params: Record<string, unknown> }
}

/** Runs the capabilities of a case in this process, one after the other, on one source. */
export const runGoldenCase = async (
  catalog: Catalog,
  folder: string,
  golden: GoldenCase,
  order: 'forward' | 'backward' = 'forward',
): Promise<GoldenOutcome> => {
  const scratch = await mkdtemp(join(tmpdir(), 'golden-'))
  try {
    const source = await openSource(folder, golden, scratch)
    const format = findFormat(catalog, source.extension)
    if (!format) throw new Error(`no family takes ${source.extension}`)
    const wanted = format.capabilities.filter(({ id }) => golden.capabilities?.includes(id) ?? true)
    const capabilities = order === 'forward' ? wanted : wanted.toReversed()
    const selected = new Set(wanted.map(({ id }) => id))
    const outcome: GoldenOutcome = { artifacts: {}, warnings: [] }
    for (const capability of capabilities) {
      await runCapability(
        capability,
        source,
        golden.options?.[capability.id] ?? {},
        selected,
        scratch,
        outcome,
        catalog,
      )
    }
    outcome.warnings.sort()
    return outcome
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

const openSource = async (folder: string, { source }: GoldenCase, scratch: string): Promise<Source> => {
  const name = typeof source === 'string' ? source : source.name
  const path = typeof source === 'string' ? join(folder, source) : join(scratch, safePath(name))
  if (typeof source !== 'string') {
    const once = source.hex === undefined ? Buffer.from(source.text ?? '') : Buffer.from(source.hex, 'hex')
    await writeFile(path, Buffer.alloc(once.length * (source.repeat ?? 1), once))
  }
  return { path, name, extension: splitFileName(name).extension, bytes: (await stat(path)).size }
}

const runCapability = async (
  capability: Capability,
  source: Source,
  given: Record<string, unknown>,
  selected: ReadonlySet<string>,
  scratch: string,
  outcome: GoldenOutcome,
  catalog: Catalog,
): Promise<void> => {
  const defaults = Object.entries(capability.options).map(([id, { defaultValue }]) => [id, defaultValue] as const)
  const options = { ...Object.fromEntries(defaults), ...given } as Parameters<Capability['extract']>[1]
  const context: Context = {
    signal: new AbortController().signal,
    selected,
    catalog,
    scratch,
    progress(fraction) {
      if (!(fraction >= 0 && fraction <= 1)) throw new Error(`${capability.id} reports a progress of ${fraction}`)
    },
    warn: (code) => outcome.warnings.push(`${capability.id} ${code}`),
  }
  try {
    for await (const artifact of capability.extract(source, options, context)) {
      if (outcome.artifacts[artifact.path]) throw new Error(`${artifact.path} comes twice`)
      outcome.artifacts[artifact.path] = await readArtifact(artifact)
    }
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error
    outcome.failure = { code: error.code, params: { ...error.params } }
  }
}

const readArtifact = async (artifact: Artifact): Promise<Buffer> => {
  if ('file' in artifact) return await readFile(artifact.file)
  if (typeof artifact.data === 'string' || artifact.data instanceof Uint8Array) return Buffer.from(artifact.data)
  const pieces: Buffer[] = []
  for await (const piece of artifact.data) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

/** The files under a folder by their path in it; none when there is no such folder. */
export const readFolder = async (folder: string): Promise<Record<string, Buffer>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    await Promise.all(files.sort().map(async (file) => [relative(folder, file), await readFile(file)] as const)),
  )
}
