import type { CompoundFile, CompoundStream } from '../../shared/ole/compound-file.ts'

/** A folder inside a compound file, which is how Outlook stores a message. */
export type Storage = {
  name: string
  /** What lies directly in it, by name. */
  streams: ReadonlyMap<string, CompoundStream>
  storages: readonly Storage[]
}

const PIECE_BYTES = 262_144

/** The folders of a compound file as a tree. */
export const openStorages = (file: CompoundFile): Storage => {
  type Draft = { name: string; streams: Map<string, CompoundStream>; storages: Draft[] }
  const root: Draft = { name: '', streams: new Map(), storages: [] }
  const byPath = new Map<string, Draft>([['', root]])
  // A folder is named before what is in it where shorter paths come first.
  for (const path of file.names.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
    const slash = path.lastIndexOf('/')
    const folder = byPath.get(path.slice(0, Math.max(0, slash)))
    if (!folder) continue
    const name = path.slice(slash + 1)
    const stream = file.open(path)
    if (stream) folder.streams.set(name, stream)
    else {
      const draft: Draft = { name, streams: new Map(), storages: [] }
      folder.storages.push(draft)
      byPath.set(path, draft)
    }
  }
  return root
}

/** The bytes of a stream as they come. */
export function* readStreamPieces(stream: CompoundStream): Generator<Buffer> {
  for (let at = 0; at < stream.bytes; ) {
    const piece = stream.read(at, PIECE_BYTES)
    if (piece.length === 0) return
    yield piece
    at += piece.length
  }
}

/** At most so many bytes of a stream; none where there is no stream. */
export const readStream = (stream: CompoundStream | undefined, maxBytes: number): Buffer =>
  stream?.read(0, Math.min(stream.bytes, maxBytes)) ?? Buffer.alloc(0)
