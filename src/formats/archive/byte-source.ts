import { closeSync, openSync } from 'node:fs'
import { readAt } from '../shared/read-at.ts'
import { unreadable } from './limits.ts'

/** Bytes that are taken in order, each once. */
export type ByteSource = {
  /** As many bytes as asked for, fewer only at the end. */
  read(bytes: number): Promise<Buffer>
  /** The next bytes in pieces as they come; fails where they are cut off. */
  pieces(bytes: number): AsyncGenerator<Buffer>
  /** Passes over bytes; fails where they are cut off. */
  skip(bytes: number): Promise<void>
  close(): Promise<void>
}

const PIECE_BYTES = 262_144

export const cutOff = () => unreadable('truncated', 'The archive is cut off.')

/** Bytes of a stream. */
export const fromStream = (chunks: AsyncIterable<Buffer>): ByteSource => {
  const iterator = chunks[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  const fill = async (): Promise<boolean> => {
    const { value, done } = await iterator.next()
    if (done) return false
    held = value
    return true
  }
  /** The next piece, up to so many bytes; undefined at the end. */
  const take = async (bytes: number): Promise<Buffer | undefined> => {
    while (held.length === 0) if (!(await fill())) return undefined
    const piece = held.subarray(0, bytes)
    held = held.subarray(piece.length)
    return piece
  }
  async function* pieces(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0; ) {
      const piece = await take(left)
      if (!piece) throw cutOff()
      left -= piece.length
      yield piece
    }
  }
  return {
    async read(bytes) {
      if (held.length >= bytes) return (await take(bytes)) ?? Buffer.alloc(0)
      const found: Buffer[] = []
      for (let left = bytes; left > 0; ) {
        const piece = await take(left)
        if (!piece) break
        left -= piece.length
        found.push(piece)
      }
      return Buffer.concat(found)
    },
    pieces,
    async skip(bytes) {
      for (let left = bytes; left > 0; ) {
        const piece = await take(left)
        if (!piece) throw cutOff()
        left -= piece.length
      }
    },
    async close() {
      await iterator.return?.()
    },
  }
}

/** Bytes of a file; passing over them costs nothing. */
export const fromFile = (path: string, fileBytes: number): ByteSource => {
  const descriptor = openSync(path, 'r')
  let at = 0
  let isOpen = true
  // Headers are small and come one after the other where members are.
  let window: Buffer = Buffer.alloc(0)
  let windowAt = 0
  const readNext = (bytes: number): Buffer => {
    if (at >= windowAt && at + bytes <= windowAt + window.length) {
      const start = at - windowAt
      at += bytes
      return window.subarray(start, start + bytes)
    }
    const wanted = Math.max(bytes, 4_096)
    window = readAt(descriptor, at, wanted)
    windowAt = at
    const found = window.subarray(0, bytes)
    at += found.length
    return found
  }
  return {
    read: async (bytes) => readNext(bytes),
    async *pieces(bytes) {
      for (let left = bytes; left > 0; ) {
        const piece = readNext(Math.min(left, PIECE_BYTES))
        if (piece.length === 0) throw cutOff()
        left -= piece.length
        yield piece
      }
    },
    async skip(bytes) {
      if (at + bytes > fileBytes) throw cutOff()
      at += bytes
    },
    async close() {
      if (isOpen) closeSync(descriptor)
      isOpen = false
    },
  }
}
