import { closeSync, openSync, readSync } from 'node:fs'
import { splitFileName } from '../../../core/artifact-names.ts'
import type { Context } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import type { ArchiveFile, ArchiveReader, Content, Member, Problem } from '../member.ts'
import { decodeNames } from '../names.ts'
import { type Compression, unpack } from '../unpack.ts'

/** Looks through a file that is only compressed: an archive of one member. */
export const openSingle = async (
  file: ArchiveFile,
  compression: Compression,
  context: Context,
): Promise<ArchiveReader> => {
  let bytes = 0
  const problems: Problem[] = []
  try {
    const onProgress = () => context.progress(0)
    for await (const chunk of unpack(file, compression, context, onProgress)) bytes += chunk.length
  } catch (error) {
    const isDamage = error instanceof JobFailure && error.code === 'extract.source_unreadable'
    if (bytes === 0 || !isDamage) throw error
    problems.push(CUT_OFF)
  }
  const stated = compression === 'gzip' ? readGzipHeader(file.path) : {}
  const { names, encoding } = await decodeNames(stated.name ? [stated.name] : [])
  const member: Member = {
    index: 0,
    name: names[0]?.split(/[/\\]/).at(-1) || bareName(file),
    kind: 'file',
    bytes,
    packedBytes: file.bytes,
    isEncrypted: false,
    method: compression,
    ...(stated.modified ? { modified: stated.modified } : {}),
  }
  return {
    kind: 'single',
    compression,
    ...(encoding ? { nameEncoding: encoding } : {}),
    members: [member],
    problems,
    keeps: 'damaged',
    async *contents(wanted, job): AsyncGenerator<Content> {
      if (wanted(member)) yield { member, chunks: unpack(file, compression, job) }
    },
  }
}

const CUT_OFF: Problem = { code: 'archive.damaged', detail: 'The compressed data is damaged or cut off.' }

/** `data.csv` for `data.csv.gz`. */
const bareName = ({ name, extension }: ArchiveFile): string => {
  const { stem, extension: own } = splitFileName(name)
  return own === extension && stem !== '' ? stem : name || 'content'
}

const HAS_EXTRA = 4
const HAS_NAME = 8
const HEAD_BYTES = 4_096

/** The name and time that were packed; the time is that of the file, or none. */
const readGzipHeader = (path: string): { name?: Buffer; modified?: string } => {
  const head = Buffer.alloc(HEAD_BYTES)
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, head, 0, HEAD_BYTES, 0)
  } finally {
    closeSync(descriptor)
  }
  const flags = head[3] as number
  const seconds = head.readUInt32LE(4)
  const modified = seconds > 0 ? { modified: new Date(seconds * 1000).toISOString().replace('.000Z', 'Z') } : {}
  if (!(flags & HAS_NAME)) return modified
  const start = 10 + (flags & HAS_EXTRA ? 2 + head.readUInt16LE(10) : 0)
  const end = head.indexOf(0, start)
  return end > start ? { ...modified, name: head.subarray(start, end) } : modified
}
