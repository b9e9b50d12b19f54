import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { checkLedger } from '../accounts/check-ledger.ts'
import type { Tool } from '../core/catalog.ts'
import { VERSION } from '../core/version.ts'
import { createLog, type Foundation } from '../foundation.ts'
import { describeIsolation } from '../sandbox/isolation.ts'
import { SANDBOX_TOOLS } from '../sandbox/tools.ts'
import { createToolCheck, openCatalog, sandboxSettings } from '../wiring.ts'
import type { CommandResult } from './command.ts'
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

/** What is there, what is missing, and whether the books are right. */
export const diagnose = async (
  { config, database, blobs }: Foundation,
  { withLedger }: { withLedger: boolean },
): Promise<CommandResult> => {
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
  const ledger = withLedger ? await checkLedger(database) : null
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
}
