import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Engine } from '../../core/catalog.ts'

const require = createRequire(import.meta.url)

/** Names an npm package with its installed version, without loading it. */
export const packageEngine = (name: string): Engine => {
  // Asking for `name/package.json` fails where a package closes its exports, so the folder is found by walking up.
  let folder = dirname(require.resolve(name))
  while (folder !== dirname(folder)) {
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest)) {
      const { name: found, version } = JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string; version?: string }
      if (found === name && version) return { name, version }
    }
    folder = dirname(folder)
  }
  throw new Error(`The version of ${name} is not known`)
}
