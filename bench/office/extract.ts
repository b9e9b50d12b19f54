import { mkdtempSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Capability, type Catalog, type Context, findFormat, type Source } from '../../src/core/catalog.ts'

const scratch = mkdtempSync(join(tmpdir(), 'quarry-bench-office-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
const context: Context = {
  signal: new AbortController().signal,
  selected: new Set(),
  scratch,
  progress: () => {},
  warn: () => {},
}

type Values = Readonly<Record<string, unknown>>
const optionsOf = ({ options }: Capability, given: Values): never =>
  Object.fromEntries(Object.entries(options).map(([id, { defaultValue }]) => [id, given[id] ?? defaultValue])) as never

/** What one capability of a family makes of a file, with default options unless told: all artifacts as one text. */
export const extractText = async (
  catalog: Catalog,
  path: string,
  output: string,
  given: Values = {},
): Promise<string> => {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  const source: Source = { path, name: basename(path), extension, bytes: (await stat(path)).size }
  const capability = findFormat(catalog, extension)?.capabilities.find((candidate) => candidate.output === output)
  if (!capability) throw new Error(`nothing makes ${output} of ${extension}`)
  let text = ''
  for await (const artifact of capability.extract(source, optionsOf(capability, given), context)) {
    if (!('data' in artifact)) continue
    if (typeof artifact.data === 'string') text += artifact.data
    else if (artifact.data instanceof Uint8Array) text += Buffer.from(artifact.data).toString()
    else for await (const piece of artifact.data) text += piece.toString()
  }
  return text
}
