import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Context } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import { type Budget, unreadable } from './limits.ts'
import type { ArchiveReader, Content, Member } from './member.ts'
import { explainMissing } from './open.ts'
import type { Report } from './report.ts'

/** A file of the archive, checked, in the scratch folder until the next one is asked for. */
export type TakenMember = { member: Member; path: string; bytes: number }

/** What to do with the members that are taken. */
export type Taking = {
  wanted: (member: Member) => boolean
  /** The name that a warning uses. */
  nameOf: (member: Member) => string
  budget: Budget
  report: Report
  context: Context
}

type Outcome = { bytes: number; problem?: 'cut' | 'damaged' | 'encrypted' }

/**
 * Takes the wanted files out of an archive, one at a time. What is damaged or encrypted is reported; fails where nothing
 * at all can be had.
 */
export async function* takeMembers(reader: ArchiveReader, taking: Taking): AsyncGenerator<TakenMember> {
  const { context, report, nameOf } = taking
  const wanted = new Set(reader.members.filter((member) => member.kind === 'file' && taking.wanted(member)))
  if (wanted.size === 0) return
  const total = wanted.size
  // Before the first byte, where the archive itself says that it is too much.
  taking.budget.refuse([...wanted].reduce((sum, { bytes = 0 }) => sum + bytes, 0))
  const folder = mkdtempSync(join(context.scratch, 'members-'))
  const lost: Member[] = []
  let encrypted = 0
  try {
    for await (const content of untilDamage(reader.contents((member) => wanted.has(member), context))) {
      const { member } = content
      const path = join(folder, String(member.index))
      const { bytes, problem } = await spool(content, path, taking)
      wanted.delete(member)
      if (problem && member.isEncrypted) encrypted += 1
      // What the wrong password makes of it is of no use.
      const isCut = (problem === 'cut' || problem === reader.keeps) && bytes > 0 && !member.isEncrypted
      if (isCut) report.add('archive.member_cut', nameOf(member))
      else if (problem) lost.push(member)
      if (!problem || isCut) yield { member, path, bytes }
      rmSync(path, { force: true })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  for (const member of wanted) if (member.isEncrypted) encrypted += 1
  lost.push(...wanted)
  if (lost.length === total) {
    if (encrypted === total) throw new JobFailure('extract.source_encrypted')
    throw unreadable('members', 'None of the files in the archive can be read.')
  }
  for (const member of lost) {
    report.add(member.isEncrypted ? 'archive.member_encrypted' : 'archive.member_damaged', nameOf(member))
  }
}

/** Damage between members ends the reading; what came before is good. */
async function* untilDamage(contents: AsyncIterable<Content>): AsyncGenerator<Content> {
  try {
    yield* contents
  } catch (error) {
    if (!problemOf(error)) throw explainMissing(error)
  }
}

const spool = async ({ member, chunks }: Content, path: string, { budget, context }: Taking): Promise<Outcome> => {
  const descriptor = openSync(path, 'wx', 0o600)
  let bytes = 0
  let checksum = 0
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length
      budget.take(chunk.length)
      checksum = crc32(chunk, checksum)
      for (let at = 0; at < chunk.length; ) at += writeSync(descriptor, chunk, at)
      context.progress(0)
      context.signal.throwIfAborted()
    }
  } catch (error) {
    const problem = problemOf(error)
    if (!problem) throw explainMissing(error)
    return { bytes, problem }
  } finally {
    closeSync(descriptor)
  }
  const isWhole =
    (member.bytes === undefined || member.bytes === bytes) && (member.crc32 === undefined || member.crc32 === checksum)
  return isWhole ? { bytes } : { bytes, problem: 'damaged' }
}

/** Trouble of one member, as opposed to a limit, a missing program or a canceled job. */
const problemOf = (error: unknown): Outcome['problem'] => {
  if (!(error instanceof JobFailure)) return undefined
  if (error.code === 'extract.source_unreadable') return 'cut'
  return error.code === 'extract.source_encrypted' ? 'encrypted' : undefined
}
