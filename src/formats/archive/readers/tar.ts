import type { Context } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { overLimit } from '../../shared/decode.ts'
import { type ByteSource, fromFile, fromStream } from '../byte-source.ts'
import { MAX_MEMBERS } from '../limits.ts'
import type { ArchiveFile, ArchiveReader, Content, Member, Problem } from '../member.ts'
import { decodeNames } from '../names.ts'
import { type Compression, unpack } from '../unpack.ts'
import { readTar, type TarEntry } from './read-tar.ts'

type Facts = Omit<TarEntry, 'content'>

/** Looks through a tar archive, plain or compressed. */
export const openTar = async (
  file: ArchiveFile,
  compression: Compression | undefined,
  context: Context,
): Promise<ArchiveReader> => {
  const problems: Problem[] = []
  const entries: Facts[] = []
  const source = openBytes(file, compression, context)
  try {
    for await (const entry of readTar(source, () => problems.push(DAMAGED))) {
      if (entries.length >= MAX_MEMBERS) throw overLimit('archiveEntries', MAX_MEMBERS)
      // Only what is listed: the content would hold on to the bytes around it.
      const { content: _content, ...facts } = entry
      entries.push(facts)
    }
  } catch (error) {
    if (entries.length === 0 || !isDamage(error)) throw error
    problems.push(CUT_OFF)
  } finally {
    await source.close()
  }
  const { names, encoding } = await decodeNames(entries.flatMap(({ name, linkName }) => [name, linkName]))
  const members = entries.map((entry, index) =>
    describe(entry, index, names[index * 2] as string, names[index * 2 + 1] as string),
  )
  return {
    kind: 'tar',
    ...(compression ? { compression } : {}),
    ...(encoding ? { nameEncoding: encoding } : {}),
    members,
    problems,
    keeps: 'damaged',
    contents: (wanted, job) => readContents(file, compression, members, wanted, job),
  }
}

const DAMAGED: Problem = {
  code: 'archive.damaged',
  detail: 'Parts of the archive are damaged; members may be missing.',
}
const CUT_OFF: Problem = {
  code: 'archive.damaged',
  detail: 'The archive is damaged or cut off; members may be missing.',
}

/** Damage of the file itself, as opposed to a limit or a canceled job. */
const isDamage = (error: unknown): boolean => error instanceof JobFailure && error.code === 'extract.source_unreadable'

const openBytes = (file: ArchiveFile, compression: Compression | undefined, context: Context): ByteSource =>
  compression
    ? fromStream(unpack(file, compression, context, () => context.progress(0)))
    : fromFile(file.path, file.bytes)

async function* readContents(
  file: ArchiveFile,
  compression: Compression | undefined,
  members: readonly Member[],
  wanted: (member: Member) => boolean,
  context: Context,
): AsyncGenerator<Content> {
  const source = openBytes(file, compression, context)
  try {
    let index = 0
    for await (const entry of readTar(source, () => {})) {
      const member = members[index++]
      if (!member) return
      if (member.kind === 'file' && wanted(member)) yield { member, chunks: entry.content() }
    }
  } finally {
    await source.close()
  }
}

const describe = (entry: Facts, index: number, name: string, linkName: string): Member => ({
  index,
  name,
  kind: entry.kind,
  isEncrypted: false,
  ...(entry.kind === 'file' ? { bytes: entry.bytes } : {}),
  ...(entry.kind === 'file' && entry.storedBytes !== entry.bytes ? { packedBytes: entry.storedBytes } : {}),
  modified: toIso(entry.modifiedSeconds),
  mode: entry.mode,
  ...(entry.owner ? { owner: entry.owner } : {}),
  ...(entry.group ? { group: entry.group } : {}),
  ...(entry.kind === 'link' || entry.kind === 'hard-link' ? { target: linkName } : {}),
})

const LATEST_SECONDS = 8.64e12

const toIso = (seconds: number): string =>
  new Date(Math.floor(Math.max(-LATEST_SECONDS, Math.min(LATEST_SECONDS, seconds))) * 1000)
    .toISOString()
    .replace('.000Z', 'Z')
