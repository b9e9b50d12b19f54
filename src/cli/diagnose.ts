import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { checkLedger } from '../accounts/check-ledger.ts'
import { describeConfig } from '../config.ts'
import type { Tool } from '../core/catalog.ts'
import { VERSION } from '../core/version.ts'
import { describeIsolation } from '../sandbox/isolation.ts'
import { SANDBOX_TOOLS } from '../sandbox/tools.ts'
import { createLog, createToolCheck, openCatalog, sandboxSettings } from '../wiring.ts'
import type { Command } from './command.ts'
import { table } from './print.ts'

const run = promisify(execFile)

const findVersion = async (tool: Tool): Promise<string | null> => {
  if ('file' in tool) return 'installed'
  try {
    const { stdout, stderr } = await run(tool.command, [...tool.versionArgs], { timeout: 10_000 })
    return (stdout || stderr).split('\n')[0]?.trim() ?? ''
  } catch {
    return null
  }
}

/** Every setting with its value, default and meaning. */
export const configCommand: Command = {
  args: '',
  detail: 'every setting, its value and meaning',
  needsFoundation: false,
  run: async () => {
    const settings = describeConfig()
    return { value: settings, text: table(settings.map(({ setting, value, detail }) => ({ setting, value, detail }))) }
  },
}

/** What is there, what is missing, and whether the books are right. */
export const doctorCommand: Command = {
  args: '[--ledger]',
  detail: 'engines, isolation, database; with --ledger, the books',
  needsFoundation: true,
  run: async ({ flags, config, foundation: { database, blobs } }) => {
    const catalog = await openCatalog(config)
    const hasTool = createToolCheck()
    const wanted = [
      ...SANDBOX_TOOLS,
      ...catalog.formats.flatMap((format) => [
        ...(format.tools ?? []),
        ...format.capabilities.flatMap((c) => c.tools ?? []),
      ]),
    ]
    const tools = await Promise.all(
      [...new Map(wanted.map((tool) => [tool.name, tool])).values()].map(async (tool) => ({
        tool: tool.name,
        version: hasTool(tool) ? await findVersion(tool) : null,
        debianPackage: tool.debianPackage,
        optional: tool.optional ?? false,
        purpose: tool.purpose,
      })),
    )
    const engines = catalog.formats.flatMap((format) =>
      (format.engines ?? []).map((engine) => ({ family: format.name, ...engine })),
    )
    const isolation = await describeIsolation(sandboxSettings(config, createLog(config), { children: 1 }))
    const [server] = await database.query<{ version: string }>('show server_version')
    await blobs.check()
    const ledger = flags.ledger ? await checkLedger(database) : null
    const missing = tools.filter((tool) => tool.version === null)
    const value = {
      version: VERSION,
      node: process.versions.node,
      database: { version: server ? Object.values(server)[0] : null, embedded: config.databaseUrl === '' },
      blobs: config.s3Bucket ? 's3' : 'filesystem',
      isolation,
      tools,
      missing: missing.map((tool) => tool.debianPackage),
      engines,
      ledger: ledger === null ? null : { ok: ledger.length === 0, problems: ledger },
    }
    const parts = [
      `Quarry ${VERSION}, Node ${value.node}, PostgreSQL ${value.database.version} (${value.database.embedded ? 'embedded' : 'external'}), blobs: ${value.blobs}`,
      ...isolation.lines,
      '',
      table(tools),
      '',
      table(engines),
      ...(missing.length > 0 ? ['', `Missing: ${value.missing.join(' ')}`] : []),
      ...(ledger === null
        ? []
        : ['', ledger.length === 0 ? 'ledger: every invariant holds' : `ledger: ${JSON.stringify(ledger, null, 2)}`]),
    ]
    return {
      value,
      text: parts.join('\n'),
      ok: isolation.ok && missing.every(({ optional }) => optional) && (ledger?.length ?? 0) === 0,
    }
  },
}
