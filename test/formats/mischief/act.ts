import { type ChildProcess, spawn } from 'node:child_process'
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Artifact, type Context, defineCapability, type Source } from '../../../src/core/catalog.ts'
import { isJobFailureCode, JobFailure } from '../../../src/core/errors.ts'
import type { OutsideQuestion } from '../../../src/core/outside.ts'
import { keepResident, listResidents, residentsFolder } from '../../../src/engines/residents.ts'

/** What a `.mischief` file says: `do` names the deed, the rest is for it. */
type Deed = {
  do: string
  /** Does the deed in the probe instead. */
  inProbe?: boolean
  path?: string
  text?: string
  port?: number
  seconds?: number
  steps?: number
  megabytes?: number
  files?: number
}

const readDeed = async (source: Source): Promise<Deed> => JSON.parse(await readFile(source.path, 'utf8')) as Deed

/** The probe: pages are as many as the file says. */
export const probe = async (source: Source, context: Context) => {
  const deed = await readDeed(source)
  if (deed.inProbe) for await (const _ of perform(deed, source, context)) break
  return { pages: deed.steps ?? 1 }
}

/** Performs the deed. */
export const act = defineCapability({
  id: 'mischief.act',
  output: 'text',
  defaultSelected: true,
  options: {},
  async *extract(source, _options, context) {
    yield* perform(await readDeed(source), source, context)
  },
})

/** Behaves, beside one that does not. */
export const more = defineCapability({
  id: 'mischief.more',
  output: 'text',
  defaultSelected: false,
  options: {},
  async *extract() {
    yield text('text/more.txt', 'more\n')
  },
})

const question = ({ seconds = 0 }: Deed): OutsideQuestion => ({
  ...{ kind: 'transcribe', provider: 'somebody', mediaType: 'audio/mpeg' },
  ...{ durationSeconds: seconds, language: 'auto', speakers: true },
})
const TRANSCRIBED = {
  ...{ provider: 'somebody', model: 'm', mode: 'fast', language: 'en', durationSeconds: 1, speakerCount: null },
}

const text = (path: string, data: string): Artifact => ({ path, mediaType: 'text/plain; charset=utf-8', data })
const report = (facts: unknown): Artifact => ({
  path: 'metadata/report.json',
  mediaType: 'application/json',
  data: JSON.stringify(facts),
})

async function* perform(deed: Deed, source: Source, context: Context): AsyncGenerator<Artifact> {
  const outFolder = dirname(context.scratch)
  const seconds = deed.seconds ?? 0
  const steps = deed.steps ?? 1
  switch (deed.do) {
    case 'ok':
      yield text('text/ok.txt', deed.text ?? 'ok\n')
      return
    case 'nothing':
      return
    case 'warn':
      context.warn('mischief.partial', 'Some of it is missing.')
      yield text('text/ok.txt', 'ok\n')
      return
    case 'slow':
      for (let step = 0; step < steps; step++) {
        await sleep((seconds * 1000) / steps)
        context.progress((step + 1) / steps)
      }
      yield text('text/slow.txt', 'slow\n')
      return
    case 'spin':
      // Busy, and telling so: only a limit on CPU or wall time can end it.
      for (;;) context.progress(0.5)
    case 'stall':
      await sleep(3_600_000)
      return
    case 'hang':
      for (;;);
    case 'crash':
      process.abort()
      return
    case 'exit':
      process.exit(deed.steps ?? 0)
      return
    case 'throw':
      throw new Error(`broken at ${source.path}`)
    case 'throw-later':
      setImmediate(() => {
        throw new Error('broken later')
      })
      await sleep(3_600_000)
      return
    case 'eat-heap': {
      const kept: unknown[] = []
      for (;;) kept.push({ text: String(kept.length).repeat(100), at: kept.length })
    }
    case 'eat-memory': {
      const kept: Buffer[] = []
      for (;;) {
        kept.push(Buffer.alloc(8 * 1_048_576, kept.length))
        context.progress(0.1)
        await sleep(5)
      }
    }
    case 'eat-memory-at-once':
      yield report({ bytes: Buffer.alloc((deed.megabytes ?? 0) * 1_048_576, 1).length })
      return
    case 'eat-memory-in-grandchild':
      startNode('const kept = []; setInterval(() => kept.push(Buffer.alloc(8 << 20, 1)), 5)')
      for (;;) {
        await sleep(50)
        context.progress(0.1)
      }
    case 'fill-disk':
      yield { path: 'text/full.bin', mediaType: 'application/octet-stream', data: endless() }
      return
    case 'fill-scratch':
      for (let file = 0; ; file++) {
        writeFileSync(join(context.scratch, String(file)), Buffer.alloc(1_048_576, 1))
        context.progress(0.1)
        await sleep(2)
      }
    case 'fill-one-file': {
      mkdirSync(join(context.scratch, 'one'))
      const megabyte = Buffer.alloc(1_048_576, 1)
      for (;;) writeFileSync(join(context.scratch, 'one/big'), megabyte, { flag: 'a' })
    }
    case 'many-files':
      for (let file = 0; file < (deed.files ?? Number.POSITIVE_INFINITY); file++)
        yield text('text/same.txt', `${file}\n`)
      return
    case 'many-scratch-files':
      for (let file = 0; ; file++) {
        writeFileSync(join(context.scratch, String(file)), '')
        if (file % 100 === 0) await sleep(1)
      }
    case 'deep-folders':
      process.chdir(context.scratch)
      for (let depth = 0; depth < 60; depth++) {
        mkdirSync('d'.repeat(200))
        process.chdir('d'.repeat(200))
      }
      writeFileSync('deep', 'deep')
      process.chdir('/')
      if (seconds > 0) await sleep(seconds * 1000)
      yield text('text/ok.txt', 'ok\n')
      return
    case 'closed-folder':
      mkdirSync(join(context.scratch, 'closed'), { mode: 0o000 })
      yield text('text/ok.txt', 'ok\n')
      return
    case 'grandchild': {
      const pid = startNode('setInterval(() => {}, 1e6)').pid ?? 0
      yield report({ pid, namespacePids: readStatus('NSpid', pid) })
      if (seconds > 0) await sleep(seconds * 1000)
      return
    }
    case 'resident':
      keepResident(startNode('setInterval(() => {}, 1e6)'), [])
      writeFileSync(join(residentsFolder() ?? '', 'profile'), 'kept')
      yield report({})
      return
    case 'find-residents':
      yield report({
        alive: listResidents().filter((pid) => attempt(() => process.kill(pid, 0)) === true).length,
        profile: attempt(() => readFileSync(join(residentsFolder() ?? '', 'profile'), 'utf8')),
      })
      return
    case 'leave-in-residents-folder':
      writeFileSync(join(residentsFolder() ?? '', 'left'), 'left')
      yield report({})
      return
    case 'escaped-grandchild':
      startNode(`require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'],
        { detached: true, stdio: 'ignore' }).unref()`)
      await sleep(300 + seconds * 1000)
      yield report({})
      return
    case 'read-path':
      yield report({ text: attempt(() => readFileSync(deed.path ?? '', 'utf8')) })
      return
    case 'list-path':
      yield report({ entries: attempt(() => lstatSync(deed.path ?? '').mode) })
      return
    case 'write-path':
      yield report({ written: attempt(() => writeFileSync(deed.path ?? '', 'mischief')) })
      return
    case 'write-source':
      yield report({ written: attempt(() => writeFileSync(source.path, 'mischief')) })
      return
    case 'connect':
      yield report({ connected: await tryConnect(deed.port ?? 0) })
      return
    case 'who':
      yield report({
        uid: process.getuid?.(),
        gid: process.getgid?.(),
        groups: process.getgroups?.(),
        status: readFileSync('/proc/self/status', 'utf8'),
        interfaces: readFileSync('/proc/net/dev', 'utf8'),
        environment: process.env,
        limits: readFileSync('/proc/self/limits', 'utf8'),
        pids: readStatus('NSpid', process.pid),
      })
      return
    case 'symlink-out':
      symlinkSync(deed.path ?? '/etc/passwd', join(outFolder, '7'))
      say({ type: 'artifact', file: '7', path: 'a', mediaType: 'a/b', capabilityId: 'mischief.act', provenance: {} })
      yield text('text/ok.txt', 'ok\n')
      return
    case 'symlink-artifact':
      symlinkSync(deed.path ?? '/etc/passwd', join(context.scratch, 'link'))
      yield { path: 'text/link.txt', mediaType: 'text/plain', file: join(context.scratch, 'link') }
      return
    case 'file-artifact':
      writeFileSync(join(context.scratch, 'made.txt'), deed.text ?? 'made\n')
      yield { path: '../../text/made.txt', mediaType: 'text/plain', file: join(context.scratch, 'made.txt') }
      return
    case 'say':
      writeSync(3, deed.text ?? '')
      await sleep(seconds * 1000)
      yield text('text/ok.txt', 'ok\n')
      return
    case 'flood': {
      const line = `${JSON.stringify({ type: 'progress', percent: 1, phase: 'mischief.act' })}\n`.repeat(500)
      for (;;) {
        try {
          writeSync(3, line)
        } catch {
          // The pipe is full.
        }
      }
    }
    case 'ask-outside': {
      const answers: unknown[] = []
      for (let i = 0; i < (deed.files ?? 1); i += 1) {
        const file = join(context.scratch, 'question')
        if (deed.path) symlinkSync(deed.path, file)
        else writeFileSync(file, deed.text ?? '')
        answers.push(await context.outside?.ask(question(deed), file))
      }
      context.outside?.report({ ...TRANSCRIBED, segmentCount: answers.length })
      yield report({ answers, offer: context.outside?.offer })
      return
    }
    case 'leave-files':
      writeFileSync(join(context.scratch, 'left'), 'left')
      if (deed.path) writeFileSync(deed.path, 'left')
      yield text('text/ok.txt', 'ok\n')
      return
    case 'find-files':
      yield report({
        scratch: attempt(() => readFileSync(join(context.scratch, 'left'), 'utf8')),
        path: attempt(() => readFileSync(deed.path ?? '', 'utf8')),
        memory: (globalThis as { remembered?: string }).remembered ?? null,
      })
      return
    case 'remember':
      ;(globalThis as { remembered?: string }).remembered = deed.text ?? ''
      yield report({ pid: readStatus('NSpid', process.pid) })
      return
  }
  const code = deed.do.replace(/^fail:/, '')
  if (isJobFailureCode(code)) throw new JobFailure(code)
  throw new Error(`${deed.do} is not a deed`)
}

const say = (message: unknown) => writeSync(3, `${JSON.stringify(message)}\n`)

const startNode = (script: string): ChildProcess => {
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
  child.unref()
  return child
}

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield Buffer.alloc(65_536, 1)
}

/** The result, or the code of the error: both are what a test wants to know. */
const attempt = <T>(work: () => T): T | string => {
  try {
    return work() ?? 'done'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

const readStatus = (field: string, pid: number): string =>
  new RegExp(`^${field}:\\s+(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? ''

const tryConnect = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve('connected'))
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'))
  })
