/** A file that is read in pieces, never whole. What lies past its end is not there: reading it throws. */
export type Bytes = {
  readonly size: number
  read(at: number, length: number): Promise<DataView>
}

const WINDOW_BYTES = 262_144

/** Opens a file for reading here and there; neighbouring pieces come from one larger read. */
export const openBytes = (file: Blob, signal?: AbortSignal): Bytes => {
  let windowAt = 0
  let window = new Uint8Array(0)
  return {
    size: file.size,
    async read(at, length) {
      signal?.throwIfAborted()
      if (at < 0 || at + length > file.size) throw new RangeError('past the end of the file')
      if (at < windowAt || at + length > windowAt + window.length) {
        window = new Uint8Array(await file.slice(at, at + Math.max(length, WINDOW_BYTES)).arrayBuffer())
        windowAt = at
      }
      return new DataView(window.buffer, at - windowAt, length)
    },
  }
}

/** Bytes as characters of the same numbers. */
export const readLatin1 = (view: DataView, at = 0, length = view.byteLength - at): string => {
  let text = ''
  for (let index = at; index < at + length; index++) text += String.fromCharCode(view.getUint8(index))
  return text
}

/** The bytes that a view looks at. */
export const asArray = (view: DataView): Uint8Array<ArrayBuffer> =>
  new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset, view.byteLength)
