import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Bytes as they come. */
export type ByteStream = AsyncIterable<Uint8Array>

/**
 * A file to send: a path, a `file:` URL, a `File`, a `Blob` (with `fileName` in the options), or a stream whose name
 * and size are known. A stream given as a function can be opened again, so that its upload can be tried again.
 */
export type FileInput =
  | string
  | URL
  | Blob
  | { name: string; size: number; stream: ByteStream | (() => ByteStream | Promise<ByteStream>) }

/** A file that is ready to be sent. */
export type SourceFile = {
  name: string
  size: number
  /** False where its bytes can be had only once. */
  canReopen: boolean
  open(): ByteStream | Promise<ByteStream>
}

/** Looks at the input without reading it. */
export const openSource = async (input: FileInput, fileName?: string): Promise<SourceFile> => {
  if (typeof input === 'string' || input instanceof URL) {
    const path = typeof input === 'string' ? input : fileURLToPath(input)
    return fromBlob(await openAsBlob(path), fileName ?? basename(path))
  }
  if (input instanceof Blob) {
    const name = fileName ?? ('name' in input ? String(input.name) : '')
    if (name === '') throw new TypeError('A Blob has no name: give one as options.fileName.')
    return fromBlob(input, name)
  }
  const { name, size, stream } = input
  if (!Number.isSafeInteger(size) || size < 0) throw new TypeError('The size of a stream must be a number of bytes.')
  const canReopen = typeof stream === 'function'
  return { name: fileName ?? name, size, canReopen, open: () => (typeof stream === 'function' ? stream() : stream) }
}

const fromBlob = (blob: Blob, name: string): SourceFile => ({
  name,
  size: blob.size,
  canReopen: true,
  open: () => blob.stream(),
})
