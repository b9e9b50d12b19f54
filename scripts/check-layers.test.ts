import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkLayers, readSources } from './check-layers.ts'

const check = (files: Record<string, string>): string[] => checkLayers(new Map(Object.entries(files)))

test('imports that go down the layers are right', () => {
  expect(
    check({
      'src/main.ts': "import { serve } from './serve.ts'\nimport { readConfig } from './config.ts'",
      'src/http/app.ts': "import { submitJob } from '../jobs/submit.ts'\nimport { z } from 'zod'",
      'src/jobs/submit.ts': "import { openBlobs } from '../storage/blobs.ts'\nimport pkg from '../../package.json'",
      'src/foundation.ts': "import type { Config } from './config.ts'\nimport { openBlobs } from './storage/blobs.ts'",
      'src/storage/blobs.ts': "import { newId } from '../core/ids.ts'",
      'src/formats/pdf/text.ts': "import { write } from '../shared/write.ts'",
      'src/formats/index.ts': "export const load = () => import('./pdf/text.ts')",
      'web/src/app.tsx':
        "import type { Me } from '../../src/http/web/contract.ts'\nimport { a } from '../../src/core/a.ts'",
      'packages/client/src/index.ts': "import { a } from './a.ts'",
      'src/core/ids.test.ts': "import { submitJob } from '../jobs/submit.ts'",
    }),
  ).toEqual([])
})

const WRONG: [string, string, string, string][] = [
  ['a static import', 'src/core/ids.ts', "import { a } from '../jobs/a.ts'", 'core may not import jobs'],
  ['a type', 'src/storage/pool.ts', "import type { A } from '../accounts/a.ts'", 'storage may not import accounts'],
  ['several lines', 'src/engines/sharp.ts', "import {\n  a,\n  b,\n} from '../formats/a.ts'", 'may not import formats'],
  ['an export', 'src/sandbox/pool.ts', 'export * from "../jobs/a.ts"', 'sandbox may not import jobs'],
  ['a side effect', 'src/jobs/a.ts', "import '../http/a.ts'", 'jobs may not import http'],
  ['a lazy import', 'src/jobs/a.ts', "const a = await import('../http/a.ts')", 'jobs may not import http'],
  ['a type in place', 'src/core/a.ts', "type A = import('../config.ts').Config", 'core may not import config.ts'],
  ['the command line', 'src/http/a.ts', "import { a } from '../cli/a.ts'", 'http may not import cli'],
  ['the server', 'src/cli/a.ts', "import { a } from '../http/a.ts'", 'cli may not import http'],
  ['another family', 'src/formats/pdf/a.ts', "import { a } from '../word/a.ts'", 'families do not import each other'],
  ['a family', 'src/formats/shared/a.ts', "import { a } from '../word/a.ts'", 'knows no family'],
  ['a test', 'src/core/a.ts', "import { a } from './b.test.ts'", 'nothing imports a test'],
  ['a script', 'src/core/a.ts', "import { a } from '../../scripts/a.ts'", 'nothing from outside src'],
  ['the service, for a page', 'web/src/a.tsx', "import { a } from '../../src/jobs/a.ts'", 'only core and the types'],
  [
    'a value of the contract',
    'web/src/a.tsx',
    "import { meSchema } from '../../src/http/web/contract.ts'",
    'import type',
  ],
  [
    'the service, for a package',
    'packages/client/src/a.ts',
    "import { a } from '../../../src/core/a.ts'",
    'nothing from outside',
  ],
  ['a new room', 'src/attic/a.ts', "import { a } from '../core/a.ts'", 'attic has no place in the layers'],
]
test.each(WRONG)('%s that goes up or across is caught', (_name, path, source, why) => {
  expect(check({ [path]: source })).toEqual([expect.stringContaining(why)])
})

test('a circle of imports is caught, also one of types', () => {
  expect(
    check({
      'src/core/a.ts': "import { b } from './b.ts'",
      'src/core/b.ts': "import type { C } from './c.ts'",
      'src/core/c.ts': "import { a } from './a.ts'",
    }),
  ).toEqual(['src/core/a.ts -> src/core/b.ts -> src/core/c.ts -> src/core/a.ts: a circle of imports'])
})

test('the service keeps its layers', () => {
  expect(checkLayers(readSources(join(import.meta.dirname, '..')))).toEqual([])
})
