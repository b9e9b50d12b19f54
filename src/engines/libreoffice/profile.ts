import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

type Setting = readonly [path: string, name: string, value: string | number | boolean]

const [NEVER, HIGHEST] = [2, 3]

/** No macros, no links, nothing from outside, no questions, nothing kept for a next time. */
const SETTINGS: readonly Setting[] = [
  ['Office.Common/Security/Scripting', 'DisableMacrosExecution', true],
  ['Office.Common/Security/Scripting', 'MacroSecurityLevel', HIGHEST],
  ['Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', true],
  ['Office.Writer/Content/Update', 'Link', NEVER],
  ['Office.Calc/Content/Update', 'Link', NEVER],
  ['Office.Java/VirtualMachine', 'Enable', false],
  ['Office.Recovery/AutoSave', 'Enabled', false],
  ['Office.Recovery/RecoveryInfo', 'Enabled', false],
  ['Office.Common/Misc', 'FirstRun', false],
  ['Office.Common/Misc', 'UseLocking', false],
  ['Office.Common/Misc', 'UseOpenCL', false],
  ['Setup/Office', 'ooSetupInstCompleted', true],
  ['Setup/L10N', 'ooLocale', 'en-US'],
]

/** Writes the profile of a new office into an empty folder, so that its first start is like any other. */
export const writeProfile = async (folder: string, programs: string): Promise<void> => {
  const buildId = await readBuildId(programs)
  const settings: Setting[] = [...SETTINGS, ['Setup/Office', 'LastCompatibilityCheckID', buildId]]
  const extensions = join(folder, 'user/extensions')
  await mkdir(join(folder, 'tmp'), { recursive: true })
  for (const kind of ['shared', 'bundled']) {
    await mkdir(join(extensions, kind), { recursive: true })
    await writeFile(join(extensions, kind, 'lastsynchronized'), '1')
  }
  await writeFile(join(extensions, 'buildid'), buildId)
  await writeFile(join(folder, 'user/registrymodifications.xcu'), writeSettings(settings))
}

const writeSettings = (settings: readonly Setting[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<oor:items xmlns:oor="http://openoffice.org/2001/registry">',
    ...settings.map(
      ([path, name, value]) =>
        `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
    ),
    '</oor:items>',
    '',
  ].join('\n')

/** With another one than its own an office starts twice. */
const readBuildId = async (programs: string): Promise<string> => {
  const text = await readFile(join(programs, 'versionrc'), 'utf8').catch(() => '')
  return /^buildid=([\w():.-]+)$/m.exec(text)?.[1] ?? ''
}
