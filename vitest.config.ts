import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const globalSetup = 'test/global-setup.ts'

const LONG = /golden\.test|\/test\/(faults|browser|jobs)\//

/** What takes long begins first, so that nothing long is left to run alone at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const [long = [], short = []] = [true, false].map((isLong) =>
      sorted.filter(({ moduleId }) => LONG.test(moduleId) === isLong),
    )
    return [...long, ...short]
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'web/src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: existsSync(new URL(globalSetup, import.meta.url)) ? [globalSetup] : [],
    // Processes, not threads: tests signal, kill and change the user of what they run.
    pool: 'forks',
    sequence: { sequencer: LongFirst },
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 90_000,
    teardownTimeout: 20_000,
  },
})
