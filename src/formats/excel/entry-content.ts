import type { Archive, ArchiveEntry } from '../shared/zip/open-archive.ts'

/** Below this an entry is unpacked at once, which is several times cheaper than as a stream. */
const WHOLE_UP_TO_BYTES = 4 * 1024 ** 2

/** The bytes of an entry of any size; tells which share of them has come. */
export async function* readEntry(
  archive: Archive,
  entry: ArchiveEntry,
  onShare: (share: number) => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  if (Math.max(entry.bytes, entry.compressedBytes) <= WHOLE_UP_TO_BYTES) {
    yield await archive.read(entry, WHOLE_UP_TO_BYTES)
    onShare(1)
    return
  }
  let bytes = 0
  for await (const chunk of archive.stream(entry)) {
    yield chunk
    bytes += chunk.length
    onShare(Math.min(1, bytes / entry.bytes))
  }
}
