import { open } from 'node:fs/promises'
import type { Context, Source } from '../../core/catalog.ts'
import { perSource } from '../shared/per-source.ts'
import { readFacts } from './facts.ts'
import { readWindowed } from './read-windowed.ts'

type Read = ReturnType<typeof readWindowed>

/** Whether the file ends before it says it does; only of kinds whose decoders keep quiet about it. */
export const isCutOff = perSource(async (source: Source, context: Context): Promise<boolean> => {
  const { kind } = await readFacts(source, context)
  const isComplete = kind === 'gif' ? isGifComplete : kind === 'avif' || kind === 'heif' ? areBoxesComplete : undefined
  if (!isComplete) return false
  const file = await open(source.path)
  try {
    return !(await isComplete(readWindowed(file, source.bytes), source.bytes, context))
  } finally {
    await file.close()
  }
})

const areBoxesComplete = async (read: Read, fileBytes: number, context: Context): Promise<boolean> => {
  let at = 0
  while (at + 8 <= fileBytes) {
    context.signal.throwIfAborted()
    const header = await read(at, 16)
    const small = header.readUInt32BE(0)
    const isLarge = small === 1 && header.length === 16
    const bytes = isLarge ? Number(header.readBigUInt64BE(8)) : small
    // Zero: up to the end. Less than a header: not a box, and nothing that could be told from it.
    if (bytes < 8) return true
    at += bytes
  }
  return at <= fileBytes
}

const GIF_HEADER_BYTES = 13
const [IMAGE, EXTENSION, TRAILER] = [0x2c, 0x21, 0x3b]

const isGifComplete = async (read: Read, fileBytes: number, context: Context): Promise<boolean> => {
  const header = await read(0, GIF_HEADER_BYTES)
  let at = GIF_HEADER_BYTES + colorTableBytes(header[10] ?? 0)
  while (at < fileBytes) {
    context.signal.throwIfAborted()
    const [kind] = await read(at, 1)
    if (kind === TRAILER) return true
    if (kind === EXTENSION) at += 2
    else if (kind === IMAGE) at += 11 + colorTableBytes((await read(at, 10))[9] ?? 0)
    // Junk between the blocks: decoders stop here too, with all that can be shown.
    else return true
    for (let size = 1; size > 0 && at < fileBytes; at += size + 1) size = (await read(at, 1))[0] ?? 0
  }
  return false
}

const colorTableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
