import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChecks } from './check.ts'
import { type Need, provideTools } from './provide-tools.ts'

const ROOT = join(import.meta.dirname, '..')

/** The part of Vitest's JSON report that is counted. */
type Report = {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}
type Count = { passed: number; failed: number }

const runVitest = async (args: readonly string[]): Promise<Count> => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-test-'))
  const reportPath = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`]
    const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...reporters, ...args]
    const child = spawn(process.execPath, vitest, { cwd: ROOT, stdio: 'inherit' })
    const [code] = (await once(child, 'exit')) as [number | null]
    return count(await readFile(reportPath, 'utf8').catch(() => undefined), code === 0)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const count = (text: string | undefined, succeeded: boolean): Count => {
  if (text === undefined) return { passed: 0, failed: succeeded ? 0 : 1 }
  const report = JSON.parse(text) as Report
  // A file that could not be loaded has no tests to count, and is one failure.
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.length,
  )
  const failed = report.numFailedTests + broken.length
  // An error outside of any test fails the run too.
  return { passed: report.numPassedTests, failed: failed === 0 && !succeeded ? 1 : failed }
}

/** Programs that are not ours, which the tests hold our output against. */
const program = (command: string, debianPackage: string, purpose: string): Need => ({
  ...{ name: command, command, versionArgs: ['--version'], debianPackage, purpose },
  neededBy: ['the tests'],
})
const TEST_TOOLS: readonly Need[] = [
  program('unzip', 'unzip', 'reads the results as a client would'),
  program('curl', 'curl', 'uploads as a client would'),
  program('pdftotext', 'poppler-utils', 'reads searchable PDFs'),
  program('epubcheck', 'epubcheck', 'checks the books that transcripts are written as'),
  program('chromium', 'chromium', 'opens the pages'),
  program('espeak-ng', 'espeak-ng', 'speaks what transcription is to write down'),
  {
    name: 'Liberation fonts',
    file: '/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf',
    debianPackage: 'fonts-liberation',
    purpose: 'letters for pages that OCR is to read',
    neededBy: ['the tests'],
  },
]

const args = process.argv.slice(2)
if ((process.env.QUARRY_SETUP ?? '') === '') provideTools(TEST_TOOLS)
// With arguments someone is after a few tests, not after a verdict on the whole.
const checks = args.length > 0 ? [] : await runChecks()
const tests = await runVitest(args)
const failed = tests.failed + checks.filter(({ passed }) => !passed).length
console.log(`${tests.passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
