import type { Readable } from 'node:stream'

/** Where uploads and results lie: whole files under keys like `results/<job>/<attempt>.zip`. */
export type Blobs = {
  /** Moves a finished local file into the store; durable when it resolves. */
  putFile(key: string, path: string): Promise<void>
  /** Streams; durable when it resolves, and nothing is to be seen under the key before. */
  putStream(key: string, stream: Readable | AsyncIterable<Uint8Array>): Promise<{ bytes: number }>
  /** The whole blob, or a range with both ends included; undefined when the blob is gone. */
  open(key: string, range?: ByteRange): Promise<Readable | undefined>
  /** Makes the blob a readable local file that must not be written to: it may be the blob itself. */
  fetchTo(key: string, path: string): Promise<void>
  /** Deletes one blob, or does nothing when it is gone. */
  delete(key: string): Promise<void>
  /** Deletes everything under a prefix that ends in a slash; never the whole store. */
  deleteAll(prefix: string): Promise<void>
  /** Everything under a prefix that ends in a slash, or under '' everything, in no order. */
  list(prefix: string): AsyncIterable<BlobEntry>
  /** Throws when the store cannot be used now. */
  check(): Promise<void>
}

export type ByteRange = { start: number; end: number }
export type BlobEntry = { key: string; bytes: number; modifiedAt: Date }

/** Says that `fetchTo` was asked for a blob that is gone. */
export class BlobMissing extends Error {
  override readonly name = 'BlobMissing'
  readonly key: string
  constructor(key: string) {
    super(`There is no blob ${key}.`)
    this.key = key
  }
}

const MAX_KEY_LENGTH = 512
/** No part starts with a dot: none can leave the store, and the store has such names for itself. */
const PART = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/

/** Throws unless the key is safe as a path on every store. */
export const checkKey = (key: string): string => {
  if (key.length > MAX_KEY_LENGTH || !key.split('/').every((part) => PART.test(part)))
    throw new TypeError(`Not a blob key: ${JSON.stringify(key)}`)
  return key
}

/** Throws unless the prefix is empty or a key with a slash behind it, which means the same on every store. */
export const checkPrefix = (prefix: string): string => {
  if (prefix === '') return prefix
  if (!prefix.endsWith('/')) throw new TypeError(`Not a blob prefix: ${JSON.stringify(prefix)}`)
  checkKey(prefix.slice(0, -1))
  return prefix
}

/** Throws on the prefix that means the whole store, which an empty variable must never delete. */
export const checkNotEmpty = (prefix: string): string => {
  if (prefix === '') throw new TypeError('An empty prefix would delete every blob.')
  return prefix
}
