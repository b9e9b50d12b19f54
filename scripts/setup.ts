import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Catalog } from '../src/core/catalog.ts'
import { loadCatalog } from '../src/formats/index.ts'
import { SANDBOX_TOOLS } from '../src/sandbox/tools.ts'
import { provideModels } from './provide-models.ts'
import { type Need, provideTools, say } from './provide-tools.ts'

/** Lists everything that the service needs from outside, once. */
const collectNeeds = (catalog: Catalog): Need[] => {
  const asked = [
    ...SANDBOX_TOOLS.map((tool) => ({ tool, by: 'the sandbox' })),
    ...catalog.formats.flatMap((format) => [
      ...(format.tools ?? []).map((tool) => ({ tool, by: format.name })),
      ...format.capabilities.flatMap(({ id, tools }) => (tools ?? []).map((tool) => ({ tool, by: id }))),
    ]),
  ]
  return [...Map.groupBy(asked, ({ tool }) => tool.name).values()].flatMap((group) =>
    group.slice(0, 1).map(({ tool }) => ({ ...tool, neededBy: [...new Set(group.map(({ by }) => by))] })),
  )
}

const remember = (missing: readonly Need[]): void => {
  const stamp = JSON.parse(process.env.QUARRY_TOOLS_STAMP ?? 'null') as { path: string; hash: string } | null
  if (stamp === null) return
  try {
    mkdirSync(dirname(stamp.path), { recursive: true })
    writeFileSync(stamp.path, `${JSON.stringify({ hash: stamp.hash, missing })}\n`)
  } catch {
    // It only saves the next start from looking again; an image may be read-only.
  }
}

const missing = [...provideTools(collectNeeds(await loadCatalog())), ...(await provideModels())]
if (missing.length === 0 && !process.argv.includes('--automatic')) say('everything is in place.')
remember(missing)
