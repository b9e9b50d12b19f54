import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JobFailure } from '../core/errors.ts'
import { isRoot } from './isolation.ts'
import { PROJECT } from './launch.ts'
import {
  type ExtractHandlers,
  type Extraction,
  type Isolation,
  openSandbox,
  type SandboxLimits,
  type SandboxPool,
  type SandboxSettings,
} from './pool.ts'
import { isAlive, listPids } from './process-tree.ts'

/** For tests: the kinds of isolation that this machine can be asked for. */
export const ISOLATIONS: Isolation[] = isRoot() ? ['bubblewrap', 'user'] : ['bubblewrap', 'none']

const MEBIBYTE = 1_048_576
const LIMITS: SandboxLimits = {
  wallSeconds: 20,
  stallSeconds: 10,
  cpuSeconds: 15,
  memoryBytes: 160 * MEBIBYTE,
  outputBytes: 8 * MEBIBYTE,
  outputFiles: 200,
  openFiles: 256,
}

/** For tests: a sandbox on a folder of its own, and short ways to use it. */
export type TestSandbox = {
  pool: SandboxPool
  folder: string
  settings: SandboxSettings
  /** Writes a file of the `mischief` family and extracts it. */
  act(deed: Record<string, unknown>, more?: Act): Promise<Extraction>
  /** The same; answers the JSON of the first artifact and releases. */
  ask(deed: Record<string, unknown>, more?: Act): Promise<Record<string, unknown>>
  /** The same for a job that must fail. */
  fail(deed: Record<string, unknown>, more?: Act): Promise<JobFailure>
  writeInput(text: string, extension?: string): string
  /** Live processes of this sandbox's children, which are known by their users: only as root. */
  countProcesses(): number
  /** Folders of children. */
  listFolders(): string[]
  close(): Promise<void>
}
type Act = {
  owner?: string
  capabilities?: string[]
  limits?: Partial<SandboxLimits>
  handlers?: ExtractHandlers
  signal?: AbortSignal
}

const UIDS_PER_SANDBOX = 50
// Runs side by side should not meet, and the ids should not be new ones each time.
let nextUid = 100_000 + (process.ppid % 8) * 100_000 + Number(process.env.VITEST_POOL_ID ?? 0) * 5_000

/** For tests: opens a sandbox; every one has user ids of its own, by which its processes are found. */
export const openTestSandbox = async (
  changes: Partial<Omit<SandboxSettings, 'limits'>> & { limits?: Partial<SandboxLimits> } = {},
): Promise<TestSandbox> => {
  const root = mkdtempSync(join(tmpdir(), 'quarry-sandbox-'))
  // As a data folder that lets others pass through without a look.
  if (isRoot()) chmodSync(root, 0o711)
  const unprivilegedUid = nextUid
  nextUid += UIDS_PER_SANDBOX
  const settings: SandboxSettings = {
    folder: join(root, 'sandbox'),
    formatFolders: [join(PROJECT, 'test/formats')],
    isolation: 'auto',
    unprivilegedUid,
    unprivilegedGid: unprivilegedUid,
    maxChildren: 2,
    spares: 1,
    jobsPerChild: 100,
    idleSeconds: 60,
    ...changes,
    limits: { ...LIMITS, ...changes.limits },
  }
  const pool = await openSandbox(settings)
  let inputs = 0
  const sandbox: TestSandbox = {
    pool,
    folder: settings.folder,
    settings,
    writeInput(text, extension = 'mischief') {
      inputs += 1
      const path = join(root, `${inputs}.${extension}`)
      writeFileSync(path, text, { mode: 0o600 })
      return path
    },
    act(deed, { owner = 'account', capabilities = ['mischief.act'], limits = {}, handlers = {}, signal } = {}) {
      const text = JSON.stringify(deed)
      const request = {
        owner,
        extension: 'mischief',
        inputPath: sandbox.writeInput(text),
        name: 'test.mischief',
        bytes: Buffer.byteLength(text),
        capabilities: capabilities.map((id) => ({ id, values: {} })),
        limits,
      }
      return pool.extract(request, handlers, signal ?? new AbortController().signal)
    },
    async ask(deed, more) {
      const extraction = await sandbox.act(deed, more)
      const text = readFileSync(extraction.artifacts[0]?.file ?? '', 'utf8')
      await extraction.release()
      return JSON.parse(text) as Record<string, unknown>
    },
    async fail(deed, more) {
      const outcome = await sandbox.act(deed, more).then(
        () => new Error('it succeeded'),
        (error: Error) => error,
      )
      if (!(outcome instanceof JobFailure)) throw outcome
      return outcome
    },
    countProcesses: () =>
      listPids().filter((pid) => {
        const uid = statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid ?? -1
        return uid >= unprivilegedUid && uid < unprivilegedUid + UIDS_PER_SANDBOX && isAlive(pid)
      }).length,
    listFolders: () => readdirSync(settings.folder).flatMap((name) => readdirSync(join(settings.folder, name))),
    async close() {
      await pool.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
  return sandbox
}
