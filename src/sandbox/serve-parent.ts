import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { listResidents } from '../engines/residents.ts'
import { loadCatalog } from '../formats/index.ts'
import { createAsker } from './ask-outside.ts'
import { toFailureMessage } from './failure-message.ts'
import { RESIDENTS_FOLDER } from './launch.ts'
import { createOutbox } from './outbox.ts'
import { createLineReader, PARENT_LINE_BYTES, type ParentMessage, PROTOCOL_FD } from './protocol.ts'
import { probeSource, runCapabilities } from './run-capabilities.ts'

type Places = { inFolder: string; outFolder: string }

/** Takes jobs from the parent, one at a time, until the parent is gone. */
export const serveParent = async (formatFolders: readonly string[], { inFolder, outFolder }: Places): Promise<void> => {
  const scratch = join(outFolder, 'scratch')
  const parent = new Socket({ fd: PROTOCOL_FD, readable: true, writable: true })
  const outbox = createOutbox((text, onSent) => parent.write(text, onSent))

  const asker = createAsker(outbox, { inFolder, outFolder })

  /** A job that ended badly is this process's last: nothing of it may reach the next one. */
  const fail = (error: unknown): void => {
    outbox.send(toFailureMessage(error))
    outbox.flush(() => process.exit(70))
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)

  preferForKilling()
  // A program that leaves files where it stands leaves them where they are wiped.
  process.chdir(outFolder)
  // Inside bubblewrap /tmp is this child's alone, but for what is mounted there; elsewhere TMPDIR is the scratch folder.
  const hasOwnTmp = outFolder === '/job/out'
  const mountedInTmp = new Set(hasOwnTmp ? readdirSync('/tmp') : [])
  const catalog = await loadCatalog(formatFolders)

  const takeMessage = async (message: ParentMessage): Promise<void> => {
    if (message.type === 'clean') {
      empty(outFolder, new Set([RESIDENTS_FOLDER]))
      if (listResidents().length === 0) empty(join(outFolder, RESIDENTS_FOLDER))
      mkdirSync(scratch, { mode: 0o700 })
      outbox.send({ type: 'clean' })
      return outbox.flush()
    }
    if (message.type === 'answer') return asker.take(message)
    const { name, extension, bytes } = message
    const format = catalog.byExtension.get(extension)
    if (!format) throw new Error(`no family takes ${extension}`)
    const source = { path: join(inFolder, `source.${extension}`), name, extension, bytes }
    const folders = { out: outFolder, scratch }
    if (message.type === 'probe') await probeSource(format, source, message.shared, folders, outbox)
    else
      await runCapabilities(format, source, message, {
        folders,
        outbox,
        catalog,
        outside: asker.outside(message.outside),
      })
    // After the answer is on its way; the next message waits until this is done.
    if (hasOwnTmp) empty('/tmp', mountedInTmp)
  }

  const readChunk = createLineReader(PARENT_LINE_BYTES, (line) => {
    takeMessage(JSON.parse(line) as ParentMessage).catch(fail)
  })
  parent.on('data', readChunk)
  parent.on('close', () => process.exit(0))
  parent.on('error', () => process.exit(0))
  outbox.send({ type: 'ready' })
  outbox.flush()
}

/** Where memory runs out for the whole machine, the kernel should take an extraction, not the service. */
const preferForKilling = (): void => {
  try {
    writeFileSync('/proc/self/oom_score_adj', '800')
  } catch {
    // Not everywhere allowed, and only a preference.
  }
}

const empty = (folder: string, kept: ReadonlySet<string> = new Set()): void => {
  for (const name of readdirSync(folder)) {
    if (!kept.has(name)) rmSync(join(folder, name), { recursive: true, force: true })
  }
}
