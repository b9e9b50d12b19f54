import { splitFileName } from '../../core/artifact-names.ts'
import type { Context } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import { type Budget, MAX_MEMBERS } from './limits.ts'
import type { ArchiveReader, Member } from './member.ts'
import { splitName, staysInside } from './names.ts'
import { openArchiveFile } from './open.ts'
import type { Report } from './report.ts'
import { type TakenMember, takeMembers } from './take-members.ts'

/** A file that was found, in the scratch folder until the next one is asked for. */
export type FoundFile = TakenMember & {
  /** Its name, with the archives that it lies in before it: `outer/inner.zip/notes.txt`. */
  name: string
}

/** How an archive and those inside it are gone through. */
export type Walk = {
  context: Context
  budget: Budget
  report: Report
  password: string
  /** How many archives deep. */
  maxDepth: number
  /** Whether archives that lie deeper are reported. */
  tellsOfDeep: boolean
  /** Whether a file is to be given. */
  wants(name: string, member: Member): boolean
  /** Whether a name is that of an archive to be opened. */
  isArchive(name: string): boolean
}

/** Archives inside archives that one job opens; with what they list. */
const MAX_NESTED = 1_000

/** Goes through an archive and the archives in it; links, devices and names that lead outside are reported and left out. */
export const walkMembers = (reader: ArchiveReader, walk: Walk): AsyncGenerator<FoundFile> => {
  const nested = { archives: 0, members: 0 }
  const visit = async function* (archive: ArchiveReader, prefix: string, depth: number): AsyncGenerator<FoundFile> {
    const nameOf = (member: Member) => prefix + splitName(member.name).join('/')
    const opens = (member: Member) => depth < walk.maxDepth && walk.isArchive(nameOf(member))
    const regular = new Set(archive.members.filter((member) => isRegular(member, nameOf(member), walk.report)))
    const taking = {
      ...walk,
      nameOf,
      wanted: (member: Member) => regular.has(member) && (opens(member) || walk.wants(nameOf(member), member)),
    }
    if (walk.tellsOfDeep && depth === walk.maxDepth) {
      for (const member of regular) {
        if (walk.isArchive(nameOf(member))) walk.report.add('archive.nested_too_deep', nameOf(member))
      }
    }
    for await (const taken of takeMembers(archive, taking)) {
      const name = nameOf(taken.member)
      const inner = opens(taken.member) ? await openInner(taken, name) : undefined
      if (inner) yield* visitInner(inner, name, depth)
      else if (walk.wants(name, taken.member)) yield { ...taken, name }
    }
  }
  /** What fails inside an inner archive is no failure of the outer one, but where a limit is passed. */
  const visitInner = async function* (inner: ArchiveReader, name: string, depth: number): AsyncGenerator<FoundFile> {
    try {
      yield* visit(inner, `${name}/`, depth + 1)
    } catch (error) {
      reportFailure(error, name)
    }
  }
  const reportFailure = (error: unknown, name: string): void => {
    if (!(error instanceof JobFailure) || error.code === 'extract.limit_exceeded') throw error
    walk.report.add('archive.nested_unopened', name, error.code)
  }
  const openInner = async ({ path, bytes }: TakenMember, name: string): Promise<ArchiveReader | undefined> => {
    if (nested.archives >= MAX_NESTED || nested.members >= MAX_MEMBERS) {
      walk.report.add('archive.nested_too_deep', name)
      return undefined
    }
    nested.archives += 1
    try {
      const base = name.split('/').at(-1) ?? ''
      const { extension } = splitFileName(base)
      const inner = await openArchiveFile({ path, name: base, extension, bytes, password: walk.password }, walk.context)
      nested.members += inner.members.length
      if (inner.problems.length > 0) walk.report.add('archive.member_cut', name)
      return inner
    } catch (error) {
      reportFailure(error, name)
      return undefined
    }
  }
  return visit(reader, '', 0)
}

const isRegular = (member: Member, name: string, report: Report): boolean => {
  if (member.kind === 'folder') return false
  if (!staysInside(member.name)) report.add('archive.unsafe_name', member.name)
  else if (member.kind !== 'file') report.add('archive.not_a_file', name)
  else return true
  return false
}
