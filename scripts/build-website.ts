import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'web', 'dist')
const COMPRESSED = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt'])
const MIN_BYTES = 1024

/** Builds the pages into `web/dist`, each file also compressed once and for all. */
const buildWebsite = async (): Promise<void> => {
  await build({ configFile: join(ROOT, 'web', 'vite.config.ts'), logLevel: 'warn' })
  for (const name of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
    const path = join(DIST, name)
    if (!COMPRESSED.has(extname(name)) || statSync(path).size < MIN_BYTES) continue
    const content = readFileSync(path)
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params: quality }))
  }
}

await buildWebsite()
