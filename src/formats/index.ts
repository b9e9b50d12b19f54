import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildCatalog, type Catalog, type Format } from '../core/catalog.ts'

/**
 * Reads every family's declaration: the folders beside this file that have a `format.ts`, and those inside each of
 * `folders` (absolute paths). Declarations import their parsers lazily, so this is cheap.
 */
export const loadCatalog = async (folders: readonly string[] = []): Promise<Catalog> => {
  const files = (await Promise.all([import.meta.dirname, ...folders].map(listDeclarations))).flat()
  const formats = await Promise.all(files.map(importFormat))
  return buildCatalog(formats)
}

const listDeclarations = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
    .map((entry) => join(folder, entry.name, 'format.ts'))
    .filter((file) => existsSync(file))
    .sort()
}

const importFormat = async (file: string): Promise<Format> => {
  const { default: format } = (await import(pathToFileURL(file).href)) as { default?: Format }
  if (!format?.name) throw new Error(`${file} has no default export made by defineFormat`)
  return format
}
