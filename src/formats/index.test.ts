import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadCatalog } from './index.ts'

it('loads every family, and those of other folders', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'families-'))
  try {
    await mkdir(join(folder, 'stone'))
    await writeFile(
      join(folder, 'stone', 'format.ts'),
      `export default { name: 'stone', category: 'stone', pool: 'document', extensions: ['stone'], mimeTypes: {}, accepts: [],
        price: [{ metric: 'megabytes', per: 5 }],
        capabilities: [{ id: 'stone.text', output: 'text', defaultSelected: true, options: {}, async *extract() {} }] }`,
    )
    const catalog = await loadCatalog([folder])
    expect(catalog.formats.map(({ name }) => name)).toEqual(expect.arrayContaining(['data', 'text', 'stone']))
    expect(catalog.byExtension.get('stone')?.name).toBe('stone')
    expect(catalog.byExtension.get('csv')?.name).toBe('data')
    expect(catalog.byExtension.get('py')?.name).toBe('text')
  } finally {
    await rm(folder, { recursive: true })
  }
})
