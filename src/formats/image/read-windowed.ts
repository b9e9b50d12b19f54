import type { FileHandle } from 'node:fs/promises'

const WINDOW_BYTES = 65_536

/**
 * Reads pieces of a file from a window that moves with the scan: files of millions of small pieces would cost a call
 * for each. What is past the end is missing from the answer.
 */
export const readWindowed = (file: FileHandle, fileBytes: number): ((at: number, bytes: number) => Promise<Buffer>) => {
  let window = Buffer.alloc(0)
  let start = 0
  return async (at, bytes) => {
    if (at < start || at + bytes > start + window.length) {
      start = at
      window = Buffer.alloc(Math.max(0, Math.min(Math.max(bytes, WINDOW_BYTES), fileBytes - at)))
      await file.read(window, 0, window.length, at)
    }
    return window.subarray(at - start, at - start + bytes)
  }
}
