import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Capability, type Catalog, type Context, findFormat, type Source } from '../../src/core/catalog.ts'

const context: Context = {
  signal: new AbortController().signal,
  selected: new Set(),
  scratch: '',
  progress: () => {},
  warn: () => {},
}

const optionsOf = ({ options }: Capability): never =>
  Object.fromEntries(Object.entries(options).map(([id, { defaultValue }]) => [id, defaultValue])) as never

/** What one capability of a family makes of a file, with default options: all artifacts as one text. */
export const extractText = async (catalog: Catalog, path: string, output: string): Promise<string> => {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  const source: Source = { path, name: basename(path), extension, bytes: (await stat(path)).size }
  const capability = findFormat(catalog, extension)?.capabilities.find((candidate) => candidate.output === output)
  if (!capability) throw new Error(`nothing makes ${output} of ${extension}`)
  let text = ''
  for await (const artifact of capability.extract(source, optionsOf(capability), context)) {
    if (!('data' in artifact)) continue
    if (typeof artifact.data === 'string') text += artifact.data
    else if (artifact.data instanceof Uint8Array) text += Buffer.from(artifact.data).toString()
    else for await (const piece of artifact.data) text += piece.toString()
  }
  return text
}
