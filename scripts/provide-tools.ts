import { spawnSync } from 'node:child_process'
import type { Tool } from '../src/core/catalog.ts'
import { isInstalled, isOnPath } from '../src/engines/find-program.ts'

/** An outside program, and who asks for it. */
export type Need = Tool & { neededBy: readonly string[] }

/** Set-up speaks on stderr: stdout belongs to the program that is run. */
export const say = (message: string): boolean => process.stderr.write(`set-up: ${message}\n`)

/** Installs what is missing where it may, names what then still is, and returns that. */
export const provideTools = (needs: readonly Need[]): Need[] => {
  const absent = (): Need[] => needs.filter((tool) => !isInstalled(tool))
  if (absent().length > 0 && process.getuid?.() === 0 && isOnPath('apt-get')) install(absent())
  const missing = absent()
  if (missing.length > 0) report(missing)
  return missing
}

const packagesOf = (needs: readonly Need[]): string[] => [...new Set(needs.map(({ debianPackage }) => debianPackage))]

const runApt = (...args: string[]): boolean => {
  const { status, stdout, stderr, error } = spawnSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=120', ...args], {
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (status === 0) return true
  const said = error?.message ?? `${stdout}${stderr}`.trim().split('\n').slice(-3).join('\n')
  say(`apt-get ${args[0]} failed: ${said}`)
  return false
}

const install = (missing: readonly Need[]): void => {
  say('installing Debian packages; this can take some minutes (QUARRY_SETUP=npm leaves them out):')
  for (const { debianPackage, purpose } of missing) say(`  ${debianPackage}: ${purpose}`)
  runApt('update')
  const packages = packagesOf(missing)
  const options = ['install', '-y', '--no-install-recommends']
  if (runApt(...options, ...packages) || packages.length === 1) return
  // One package that cannot be had must not keep the others away.
  for (const name of packages) runApt(...options, name)
}

const report = (missing: readonly Need[]): void => {
  say('some outside programs are missing; everything that does not need them works:')
  for (const { name, neededBy, purpose } of missing) say(`  ${name} (${purpose}): ${neededBy.join(', ')}`)
  const sudo = process.getuid?.() === 0 ? '' : 'sudo '
  say(`to install them: ${sudo}apt-get install -y --no-install-recommends ${packagesOf(missing).join(' ')}`)
}
