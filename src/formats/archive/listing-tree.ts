import type { Source } from '../../core/catalog.ts'
import type { ArchiveReader, Member } from './member.ts'
import { showName, splitName } from './names.ts'

type Folder = { folders: Map<string, Folder>; members: { name: string; member: Member }[] }

/** Deeper folders are written as one long name. */
const MAX_LEVELS = 32

/** The members as a tree of folders to read. */
export function* writeTree(reader: ArchiveReader, source: Source): Generator<string> {
  const root = growTree(reader.members)
  const files = reader.members.filter(({ kind }) => kind === 'file')
  const bytes = files.reduce((sum, member) => sum + (member.bytes ?? 0), 0)
  yield `${showName(source.name)}  (${files.length} ${files.length === 1 ? 'file' : 'files'}, ${showBytes(bytes)})\n`
  yield* writeFolder(root, '')
}

const makeFolder = (): Folder => ({ folders: new Map(), members: [] })

const growTree = (members: readonly Member[]): Folder => {
  const root = makeFolder()
  const enter = (folder: Folder, name: string): Folder => {
    const known = folder.folders.get(name) ?? makeFolder()
    folder.folders.set(name, known)
    return known
  }
  for (const member of members) {
    // The sign of a name that starts at the root of the disk is kept, to be seen.
    const parts = splitName(member.name)
    if (member.name.startsWith('/')) parts.unshift('')
    const levels = parts.slice(0, MAX_LEVELS)
    const last = [...levels.splice(-1), ...parts.slice(MAX_LEVELS)].join('/')
    const folder = levels.reduce(enter, root)
    if (member.kind === 'folder') enter(folder, last)
    else folder.members.push({ name: last, member })
  }
  return root
}

function* writeFolder({ folders, members }: Folder, indent: string): Generator<string> {
  let left = folders.size + members.length
  const branch = () => (--left > 0 ? ['├── ', '│   '] : ['└── ', '    '])
  for (const [name, folder] of folders) {
    const [sign, more] = branch()
    yield `${indent}${sign}${showName(name)}/\n`
    yield* writeFolder(folder, `${indent}${more}`)
  }
  for (const { name, member } of members) yield `${indent}${branch()[0]}${showName(name)}${describe(member)}\n`
}

const describe = ({ kind, bytes, modified, isEncrypted, target }: Member): string => {
  const arrow = target === undefined ? '' : ` -> ${showName(target)}`
  const facts = [
    kind === 'file' ? (bytes === undefined ? undefined : showBytes(bytes)) : kind,
    modified?.slice(0, 16).replace('T', ' ') || undefined,
    isEncrypted ? 'encrypted' : undefined,
  ].filter((fact) => fact !== undefined)
  return `${arrow}${facts.length > 0 ? `  (${facts.join(', ')})` : ''}`
}

const UNITS = ['kB', 'MB', 'GB', 'TB']

/** `1.4 MB`; a kilobyte has 1,024 bytes. */
const showBytes = (bytes: number): string => {
  if (bytes < 1_024) return `${bytes} B`
  let value = bytes / 1_024
  let unit = 0
  while (value >= 1_024 && unit < UNITS.length - 1) {
    value /= 1_024
    unit += 1
  }
  return `${value.toFixed(1)} ${UNITS[unit]}`
}
