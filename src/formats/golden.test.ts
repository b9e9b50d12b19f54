import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadCatalog } from './index.ts'
import { type GoldenCase, type GoldenOutcome, readFolder, runGoldenCase } from './shared/golden-case.ts'

// `UPDATE_GOLDEN=1 npx vitest run src/formats/golden.test.ts` writes what comes out as what is expected; read the diff.
const isUpdate = process.env.UPDATE_GOLDEN === '1'
const families = readdirSync(import.meta.dirname).filter((name) =>
  existsSync(join(import.meta.dirname, name, 'golden')),
)
const catalog = await loadCatalog()

describe.each(families)('golden cases of %s', (family) => {
  const root = join(import.meta.dirname, family, 'golden')
  const names = readdirSync(root).filter((name) => existsSync(join(root, name, 'case.json')))
  it.each(names)('%s', async (name) => {
    const folder = join(root, name)
    const golden = JSON.parse(await readFile(join(folder, 'case.json'), 'utf8')) as GoldenCase
    const outcome = await runGoldenCase(catalog, folder, golden)
    if (isUpdate) return await update(folder, golden, outcome)
    const expected = await readFolder(join(folder, 'expected'))
    expect(Object.keys(outcome.artifacts).sort()).toEqual(Object.keys(expected).sort())
    for (const [path, content] of Object.entries(expected)) {
      expect(outcome.artifacts[path]?.toString(), path).toBe(content.toString())
    }
    expect(outcome.warnings).toEqual(golden.warnings ?? [])
    expect(outcome.failure).toEqual(golden.failure)
    // Capabilities share what they read; in which order they ask for it must not matter.
    expect(await runGoldenCase(catalog, folder, golden, 'backward')).toEqual(outcome)
  })
})

const update = async (folder: string, golden: GoldenCase, outcome: GoldenOutcome): Promise<void> => {
  const { warnings: _warnings, failure: _failure, ...given } = golden
  const written: GoldenCase = {
    ...given,
    ...(outcome.warnings.length > 0 ? { warnings: outcome.warnings } : {}),
    ...(outcome.failure ? { failure: outcome.failure } : {}),
  }
  await writeFile(join(folder, 'case.json'), `${JSON.stringify(written, null, 2)}\n`)
  await rm(join(folder, 'expected'), { recursive: true, force: true })
  for (const [path, content] of Object.entries(outcome.artifacts)) {
    const file = join(folder, 'expected', path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
}
