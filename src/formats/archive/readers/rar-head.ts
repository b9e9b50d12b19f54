import { closeSync, openSync, readSync } from 'node:fs'

/** What the first headers of a RAR archive say about the whole. */
export type RarHead = {
  version: 4 | 5
  /** Even the names are encrypted. */
  hidesNames: boolean
  /** One of several files that make up an archive together. */
  isVolume: boolean
  isSolid: boolean
}

const SIGNATURE_BYTES = { 4: 7, 5: 8 } as const
const MAIN_BLOCK = { 4: 0x73, 5: 1 } as const
const ENCRYPTION_BLOCK = 4

/** Reads the head of a RAR archive; one that is damaged says nothing. */
export const readRarHead = (path: string): RarHead => {
  const bytes = Buffer.alloc(256)
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, bytes, 0, bytes.length, 0)
  } finally {
    closeSync(descriptor)
  }
  return bytes[6] === 1 ? readFive(bytes) : readFour(bytes)
}

const readFour = (bytes: Buffer): RarHead => {
  const at = SIGNATURE_BYTES[4]
  const flags = bytes[at + 2] === MAIN_BLOCK[4] ? bytes.readUInt16LE(at + 3) : 0
  return { version: 4, hidesNames: (flags & 0x80) !== 0, isVolume: (flags & 1) !== 0, isSolid: (flags & 8) !== 0 }
}

const readFive = (bytes: Buffer): RarHead => {
  let at = SIGNATURE_BYTES[5] + 4
  /** Seven bits in each byte, the last without the highest bit. */
  const readNumber = (): number => {
    let value = 0
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = bytes[at++] ?? 0
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) break
    }
    return value
  }
  readNumber()
  const type = readNumber()
  const hasExtra = (readNumber() & 1) !== 0
  if (hasExtra) readNumber()
  const flags = type === MAIN_BLOCK[5] ? readNumber() : 0
  return {
    version: 5,
    hidesNames: type === ENCRYPTION_BLOCK,
    isVolume: (flags & 1) !== 0,
    isSolid: (flags & 4) !== 0,
  }
}
