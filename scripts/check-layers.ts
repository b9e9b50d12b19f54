import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What each room of `src/` may import besides itself; a file directly in `src/` is a room of its own. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  engines: ['core'],
  transcripts: ['engines', 'core'],
  formats: ['transcripts', 'engines', 'core'],
  'config.ts': ['core'],
  storage: ['core'],
  sandbox: ['formats', 'transcripts', 'engines', 'core'],
  accounts: ['storage', 'core'],
  jobs: ['sandbox', 'accounts', 'storage', 'core'],
  http: ['jobs', 'sandbox', 'accounts', 'storage', 'config.ts', 'core'],
  // What every process opens: database and blobs; then catalog, queue and sandbox.
  'foundation.ts': ['storage', 'config.ts', 'core'],
  'transcription.ts': ['transcripts', 'engines', 'config.ts', 'core'],
  'wiring.ts': ['transcription.ts', 'foundation.ts', 'jobs', 'sandbox', 'formats', 'engines', 'config.ts', 'core'],
  cli: ['wiring.ts', 'foundation.ts', 'jobs', 'sandbox', 'accounts', 'config.ts', 'core'],
  'serve.ts': [
    'http',
    'wiring.ts',
    'foundation.ts',
    'transcription.ts',
    'jobs',
    'sandbox',
    'accounts',
    'config.ts',
    'core',
  ],
  'main.ts': ['serve.ts', 'cli', 'config.ts'],
}

/** What the pages and the service say to each other: the pages take the types, and nothing that runs. */
const PAGES_MAY_TYPE = ['src/http/web/contract.ts', 'src/http/schemas.ts', 'src/jobs/records.ts']

/** Folders of `src/formats/` that are not families: every family may use `shared`, and `index.ts` knows them all. */
const SHARED = 'shared'

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*(['"])(\.{1,2}\/[^'"]+)\1/g
const TYPE_IMPORT = /\bimport type [^'"]*(['"])(\.{1,2}\/[^'"]+)\1/g
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path)

/** Says what is wrong with the imports of these files, given as path from the root of the repository and content. */
export const checkLayers = (files: ReadonlyMap<string, string>): string[] => {
  const imports = new Map([...files].map(([path, source]) => [path, findImports(path, source)]))
  const wrong = [...imports].flatMap(([path, targets]) =>
    // A test may reach for whatever it needs to build its scene.
    isTest(path)
      ? []
      : targets.flatMap((target) =>
          judge(path, target, files.get(path) ?? '').map((why) => `${path} -> ${target}: ${why}`),
        ),
  )
  return [...wrong, ...findCycles(imports).map((cycle) => `${cycle.join(' -> ')}: a circle of imports`)]
}

/** Type-only and lazy imports count like the others: they tie two rooms together just as well. */
const findImports = (path: string, source: string, pattern = IMPORT): string[] => [
  ...new Set([...source.matchAll(pattern)].map(([, , specifier = '']) => normalize(join(dirname(path), specifier)))),
]

const judge = (path: string, target: string, source: string): string[] => {
  const [house = ''] = path.split('/')
  if (house === 'packages') return target.startsWith('packages/') ? [] : ['packages import nothing from outside']
  if (house === 'web') return judgePage(path, target, source)
  return judgeService(path, target)
}

const judgePage = (path: string, target: string, source: string): string[] => {
  if (!target.startsWith('src/') || target.startsWith('src/core/')) return []
  if (!PAGES_MAY_TYPE.includes(target)) return ['pages import from src only core and the types of the contract']
  const typed = findImports(path, source, TYPE_IMPORT).includes(target)
  return typed ? [] : ['pages take only types from the contract: import type']
}

const judgeService = (path: string, target: string): string[] => {
  const [, room = '', family = ''] = path.split('/')
  const [top, targetRoom = '', targetFamily = ''] = target.split('/')
  if (target.endsWith('.json')) return []
  if (top !== 'src') return ['src imports nothing from outside src']
  if (isTest(target)) return ['nothing imports a test']
  if (room !== targetRoom) {
    const allowed = MAY_IMPORT[room]
    if (allowed === undefined) return [`${room} has no place in the layers; give it one in scripts/check-layers.ts`]
    return allowed.includes(targetRoom) ? [] : [`${room} may not import ${targetRoom}`]
  }
  const crosses = room === 'formats' && family !== targetFamily
  if (!crosses || family.endsWith('.ts') || targetFamily === SHARED) return []
  return [family === SHARED ? 'what families share knows no family' : 'families do not import each other']
}

/** One circle for each knot of files that reach each other. */
const findCycles = (imports: ReadonlyMap<string, readonly string[]>): string[][] => {
  const done = new Set<string>()
  const trail: string[] = []
  const cycles: string[][] = []
  const visit = (path: string): void => {
    const start = trail.indexOf(path)
    if (start >= 0) {
      cycles.push([...trail.slice(start), path])
      return
    }
    if (done.has(path)) return
    trail.push(path)
    for (const target of imports.get(path) ?? []) visit(target)
    trail.pop()
    done.add(path)
  }
  for (const path of imports.keys()) visit(path)
  return cycles
}

/** Reads every TypeScript file of the service, the pages and the packages. */
export const readSources = (root: string): Map<string, string> =>
  new Map(
    globSync(['src/**/*.ts', 'web/src/**/*.{ts,tsx}', 'packages/*/src/**/*.ts'], { cwd: root }).map((path) => [
      path,
      readFileSync(join(root, path), 'utf8'),
    ]),
  )

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = checkLayers(readSources(process.cwd()))
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
