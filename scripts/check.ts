import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkLayers, readSources } from './check-layers.ts'

const ROOT = join(import.meta.dirname, '..')

/** One kind of check on the code itself, and what it complains about. */
export type CheckResult = { name: string; passed: boolean; output: string }

/** Checks types, style and layers; says the outcome of each on stderr as it comes. */
export const runChecks = (): Promise<CheckResult[]> =>
  Promise.all([
    runTool('types', 'typescript/bin/tsc', ['--noEmit', '-p', '.']),
    runTool('types of the pages', 'typescript/bin/tsc', ['--noEmit', '-p', 'web']),
    runTool('style', '@biomejs/biome/bin/biome', ['check', '--colors=off']),
    Promise.resolve(checkLayers(readSources(ROOT))).then((problems) =>
      tell({ name: 'layers', passed: problems.length === 0, output: problems.join('\n') }),
    ),
  ])

const runTool = async (name: string, path: string, args: readonly string[]): Promise<CheckResult> => {
  const child = spawn(process.execPath, [join(ROOT, 'node_modules', path), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { promise: exit, resolve } = Promise.withResolvers<number | null>()
  child.on('close', resolve)
  const [stdout, stderr] = await Promise.all([child.stdout, child.stderr].map((stream) => stream.toArray()))
  const output = Buffer.concat([...(stdout ?? []), ...(stderr ?? [])]).toString()
  return tell({ name, passed: (await exit) === 0, output })
}

const tell = (result: CheckResult): CheckResult => {
  process.stderr.write(`check: ${result.name} ${result.passed ? 'passed' : `failed\n${result.output.trim()}`}\n`)
  return result
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const results = await runChecks()
  process.exitCode = results.every(({ passed }) => passed) ? 0 : 1
}
