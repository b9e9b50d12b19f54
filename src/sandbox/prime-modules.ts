import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Imports what children import, so that Node leaves the compiled code behind; opens no client's file. */
export const primeModules = async (formatFolders: readonly string[]): Promise<void> => {
  const sources = join(import.meta.dirname, '..')
  for (const name of ['core', 'formats', 'engines', 'transcripts']) await importAll(join(sources, name))
  for (const folder of formatFolders) await importAll(folder)
}

const importAll = async (folder: string): Promise<void> => {
  if (!existsSync(folder)) return
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts') || name.includes('golden/')) continue
    // A module that wants a tool which is not here fails for its own jobs only.
    await import(pathToFileURL(join(folder, name)).href).catch(() => {})
  }
}
