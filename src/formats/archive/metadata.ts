import { splitFileName } from '../../core/artifact-names.ts'
import { defineCapability, type Source } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { passwordOption } from '../shared/password-option.ts'
import { hasArchiveName } from './kinds.ts'
import { ratioOf } from './listing-tables.ts'
import type { ArchiveReader, Member } from './member.ts'
import { splitName, staysInside } from './names.ts'
import { openSource } from './open.ts'

/** What the archive is as a whole. */
export const metadata = defineCapability({
  id: 'archive.metadata',
  output: 'metadata',
  defaultSelected: true,
  detail: 'Kind, compression, encryption, comment, counts, sizes, times, kinds of files and archives inside, as JSON.',
  options: { password: passwordOption },
  async *extract(source, { password }, context) {
    const reader = await openSource(source, password, context)
    yield {
      path: artifactPath(source, 'metadata', 'json'),
      mediaType: 'application/json',
      data: writeJsonFile(describe(reader, source)),
    }
  },
})

const SHOWN_EXTENSIONS = 200
const SHOWN_NESTED = 100

const describe = (reader: ArchiveReader, source: Source): object => {
  const { members } = reader
  const files = members.filter(({ kind }) => kind === 'file')
  const count = (test: (member: Member) => boolean) => members.filter(test).length
  const unpackedBytes = sum(files, ({ bytes }) => bytes)
  const times = files.flatMap(({ modified }) => modified || []).sort()
  const encrypted = files.filter(({ isEncrypted }) => isEncrypted).length
  const nested = files.filter(({ name }) => hasArchiveName(name)).map(({ name }) => name)
  return {
    kind: reader.kind,
    compression: reader.compression ?? null,
    methods: countBy(files, ({ method }) => method),
    solid: reader.isSolid ?? null,
    encryption: encrypted === 0 ? 'none' : encrypted === files.length ? 'all' : 'some',
    comment: reader.comment ?? null,
    nameEncoding: reader.nameEncoding ?? 'utf-8',
    bytes: source.bytes,
    unpackedBytes,
    ratio: ratioOf(unpackedBytes, source.bytes),
    files: files.length,
    folders: count(({ kind }) => kind === 'folder'),
    links: count(({ kind }) => kind === 'link' || kind === 'hard-link'),
    special: count(({ kind }) => kind === 'special'),
    encryptedFiles: encrypted,
    unsafeNames: count(({ kind, name }) => kind !== 'folder' && !staysInside(name)),
    duplicateNames: members.length - new Set(members.map(({ name }) => splitName(name).join('/').toLowerCase())).size,
    largestFileBytes: files.reduce((most, { bytes = 0 }) => Math.max(most, bytes), 0),
    oldest: times[0] ?? null,
    newest: times.at(-1) ?? null,
    extensions: describeExtensions(files),
    nestedArchives: { count: nested.length, names: nested.slice(0, SHOWN_NESTED) },
    damage: reader.problems.map(({ detail }) => detail),
  }
}

const sum = (members: readonly Member[], of: (member: Member) => number | undefined): number =>
  members.reduce((total, member) => total + (of(member) ?? 0), 0)

const countBy = (members: readonly Member[], keyOf: (member: Member) => string | undefined): Record<string, number> => {
  const counts = new Map<string, number>()
  for (const member of members) {
    const key = keyOf(member)
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Most bytes first. */
const describeExtensions = (files: readonly Member[]): object[] => {
  const found = new Map<string, { files: number; bytes: number }>()
  for (const { name, bytes = 0 } of files) {
    const { extension } = splitFileName(name.split('/').at(-1) ?? '')
    const entry = found.get(extension) ?? { files: 0, bytes: 0 }
    found.set(extension, { files: entry.files + 1, bytes: entry.bytes + bytes })
  }
  return [...found]
    .map(([extension, counts]) => ({ extension, ...counts }))
    .sort((a, b) => b.bytes - a.bytes || b.files - a.files || (a.extension < b.extension ? -1 : 1))
    .slice(0, SHOWN_EXTENSIONS)
}
