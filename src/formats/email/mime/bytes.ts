import { closeSync, openSync, statSync } from 'node:fs'
import { readAt } from '../../shared/read-at.ts'

/** Bytes that can be read at any place: a file that is never held whole, a part of one, or a buffer. */
export type Bytes = {
  readonly length: number
  /** What there is of the range; shorter at the end. The buffer is never written to again. */
  read(start: number, end: number): Buffer
}

const WINDOW_BYTES = 262_144

/**
 * A file for reading at any place; small reads are served from a window. It is open only while it is read, so that
 * whoever keeps it need not close it.
 */
export const fileBytes = (path: string): Bytes => {
  const { size } = statSync(path)
  let window: Buffer = Buffer.alloc(0)
  let windowStart = 0
  return {
    length: size,
    read(start, wantedEnd) {
      const end = Math.min(wantedEnd, size)
      if (start >= end) return Buffer.alloc(0)
      if (end - start > WINDOW_BYTES) return readFrom(path, start, end - start)
      if (start < windowStart || end > windowStart + window.length) {
        windowStart = start
        window = readFrom(path, start, Math.min(WINDOW_BYTES, size - start))
      }
      return window.subarray(start - windowStart, end - windowStart)
    },
  }
}

const readFrom = (path: string, start: number, length: number): Buffer => {
  const file = openSync(path, 'r')
  try {
    return readAt(file, start, length)
  } finally {
    closeSync(file)
  }
}

/** A buffer as bytes. */
export const bufferBytes = (buffer: Buffer): Bytes => ({
  length: buffer.length,
  read: (start, end) => buffer.subarray(start, Math.max(start, end)),
})

/** A part of other bytes, with places counted from its start. */
export const sliceBytes = (bytes: Bytes, start: number, end: number): Bytes => {
  const length = Math.max(0, Math.min(end, bytes.length) - start)
  return {
    length,
    read: (from, to) => bytes.read(start + from, start + Math.min(to, length)),
  }
}

/** A range piece by piece. */
export function* readPieces(bytes: Bytes, start: number, end: number): Generator<Buffer> {
  for (let at = start; at < end; at += WINDOW_BYTES) {
    const piece = bytes.read(at, Math.min(end, at + WINDOW_BYTES))
    if (piece.length === 0) return
    yield piece
  }
}

const MIN_SCAN_BYTES = 8_192

/** The places of a byte pattern in a range, in order. Pieces grow, so that what is near is found at little cost. */
export function* findPatterns(bytes: Bytes, pattern: Buffer, start: number, end: number): Generator<number> {
  let scanBytes = MIN_SCAN_BYTES
  for (let at = start; at < end; ) {
    const piece = bytes.read(at, Math.min(end, at + scanBytes))
    for (let found = piece.indexOf(pattern); found >= 0; found = piece.indexOf(pattern, found + 1)) yield at + found
    if (piece.length < scanBytes) return
    at += scanBytes - pattern.length + 1
    scanBytes = Math.min(WINDOW_BYTES, scanBytes * 2)
  }
}
