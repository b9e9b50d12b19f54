import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { splitFileName } from '../../core/artifact-names.ts'
import type { Context, Format, SharedValues, Source } from '../../core/catalog.ts'

/** What came out of one capability, for tests: text by path, and the codes of warnings. */
export type CapabilityOutcome = { artifacts: Record<string, string>; warnings: string[] }

const useFile = async <T>(
  name: string,
  content: string | Buffer,
  use: (source: Source, context: Context, warnings: string[]) => Promise<T>,
): Promise<T> => {
  const scratch = await mkdtemp(join(tmpdir(), 'capability-'))
  const warnings: string[] = []
  const context: Context = {
    signal: new AbortController().signal,
    selected: new Set(),
    scratch,
    progress: () => undefined,
    warn: (code) => warnings.push(code),
  }
  try {
    const path = join(scratch, 'source')
    await writeFile(path, content)
    const source = { path, name, extension: splitFileName(name).extension, bytes: Buffer.byteLength(content) }
    return await use(source, context, warnings)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Runs one capability of a family on a file in memory, for tests. */
export const runCapability = (
  format: Format,
  id: string,
  name: string,
  content: string | Buffer,
  given: Record<string, unknown> = {},
): Promise<CapabilityOutcome> =>
  useFile(name, content, async (source, context, warnings) => {
    const capability = format.capabilities.find((each) => each.id === id)
    if (!capability) throw new Error(`there is no ${id}`)
    const defaults = Object.entries(capability.options).map(([key, { defaultValue }]) => [key, defaultValue])
    const options = { ...Object.fromEntries(defaults), ...given }
    const artifacts: Record<string, string> = {}
    for await (const artifact of capability.extract(source, options, context)) {
      if ('file' in artifact) continue
      const pieces: Buffer[] = []
      const data =
        typeof artifact.data === 'string' || artifact.data instanceof Uint8Array ? [artifact.data] : artifact.data
      for await (const piece of data) pieces.push(Buffer.from(piece))
      artifacts[artifact.path] = Buffer.concat(pieces).toString()
    }
    return { artifacts, warnings }
  })

/** Runs the probe of a family on a file in memory, for tests. */
export const runProbe = (
  format: Format,
  name: string,
  content: string | Buffer,
  shared: SharedValues = {},
): Promise<object | undefined> =>
  useFile(name, content, async (source, context) => await format.probe?.(source, context, shared))
