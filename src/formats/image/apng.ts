import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Context, Source } from '../../core/catalog.ts'
import { overLimit } from '../shared/decode.ts'
import { perSource } from '../shared/per-source.ts'
import { readWindowed } from './read-windowed.ts'

/** One frame of an animated PNG, as the file holds it: a piece of the canvas. */
export type ApngFrame = {
  x: number
  y: number
  width: number
  height: number
  durationSeconds: number
  /** What becomes of its piece of the canvas before the next frame. */
  dispose: 'keep' | 'clear' | 'restore'
  /** Whether it is laid over what is there, or stands in its place. */
  isBlended: boolean
  /** Where its compressed pixels lie in the file. */
  data: readonly { at: number; bytes: number }[]
}
export type PngLayout = {
  width: number
  height: number
  /** Empty for a still picture. */
  frames: readonly ApngFrame[]
  /** 0 is for ever. */
  loops: number
  /** Header and what else must stand before the pixels of each frame. */
  prolog: readonly { type: string; data: Buffer }[]
}

const MARK = Buffer.from('89504e470d0a1a0a', 'hex')
const CHUNK_HEADER_BYTES = 8
const CHUNK_EXTRA_BYTES = 12
const MAX_FRAMES = 100_000
const MAX_PROLOG_BYTES = 4 * 1_048_576
const PROLOG_TYPES: ReadonlySet<string> = new Set(['PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'sBIT'])
const DISPOSALS = ['keep', 'clear', 'restore'] as const

/** Finds the frames of a PNG from the headers of its chunks. */
export const readLayout = perSource(async (source: Source, context: Context): Promise<PngLayout> => {
  const file = await open(source.path)
  try {
    return await scanChunks(file, source, context)
  } finally {
    await file.close()
  }
})

type OpenFrame = Omit<ApngFrame, 'data'> & { data: { at: number; bytes: number }[] }

const scanChunks = async (file: FileHandle, source: Source, context: Context): Promise<PngLayout> => {
  const read = readWindowed(file, source.bytes)
  const prolog: { type: string; data: Buffer }[] = []
  const frames: OpenFrame[] = []
  let isAnimated = false
  let loops = 0
  let width = 0
  let height = 0
  let prologBytes = 0
  for (let at = MARK.length; at + CHUNK_EXTRA_BYTES <= source.bytes; ) {
    const header = await read(at, CHUNK_HEADER_BYTES)
    const bytes = header.readUInt32BE(0)
    const type = header.toString('latin1', 4)
    const dataAt = at + CHUNK_HEADER_BYTES
    // Of a chunk that is cut off, what is there may still show something.
    const present = Math.min(bytes, source.bytes - dataAt)
    const frame = frames.at(-1)
    if (type === 'IEND') break
    if (type === 'IHDR' && present >= 13) {
      const data = Buffer.from(await read(dataAt, 13))
      width = data.readUInt32BE(0)
      height = data.readUInt32BE(4)
      prolog.push({ type, data })
    } else if (type === 'acTL' && present >= 8) {
      isAnimated = true
      loops = (await read(dataAt, 8)).readUInt32BE(4)
    } else if (type === 'fcTL' && present >= 26) {
      if (frames.length >= MAX_FRAMES) throw overLimit('frames', MAX_FRAMES)
      frames.push(readControl(await read(dataAt, 26)))
    } else if (type === 'IDAT') frame?.data.push({ at: dataAt, bytes: present })
    else if (type === 'fdAT' && present > 4) frame?.data.push({ at: dataAt + 4, bytes: present - 4 })
    else if (PROLOG_TYPES.has(type) && present === bytes) {
      prologBytes += bytes
      if (prologBytes > MAX_PROLOG_BYTES) throw overLimit('pngHeaderBytes', MAX_PROLOG_BYTES)
      prolog.push({ type, data: Buffer.from(await read(dataAt, bytes)) })
    }
    context.signal.throwIfAborted()
    at = dataAt + bytes + 4
  }
  const isInside = ({ x, y, width: w, height: h }: ApngFrame) => w > 0 && h > 0 && x + w <= width && y + h <= height
  const shown = isAnimated ? frames.filter((frame) => frame.data.length > 0 && isInside(frame)) : []
  return { width, height, frames: shown, loops, prolog }
}

const readControl = (data: Buffer): OpenFrame => ({
  width: data.readUInt32BE(4),
  height: data.readUInt32BE(8),
  x: data.readUInt32BE(12),
  y: data.readUInt32BE(16),
  durationSeconds: data.readUInt16BE(20) / (data.readUInt16BE(22) || 100),
  dispose: DISPOSALS[data.readUInt8(24)] ?? 'keep',
  isBlended: data.readUInt8(25) === 1,
  data: [],
})

/** A frame as a PNG file of its own. */
export const extractFrame = async (file: FileHandle, { prolog }: PngLayout, frame: ApngFrame): Promise<Buffer> => {
  const pieces: Buffer[] = []
  for (const { at, bytes } of frame.data) {
    const piece = Buffer.alloc(bytes)
    await file.read(piece, 0, bytes, at)
    pieces.push(piece)
  }
  const chunks = prolog.map(({ type, data }) => {
    if (type !== 'IHDR') return writeChunk(type, data)
    const sized = Buffer.from(data)
    sized.writeUInt32BE(frame.width, 0)
    sized.writeUInt32BE(frame.height, 4)
    return writeChunk(type, sized)
  })
  return Buffer.concat([
    MARK,
    ...chunks,
    writeChunk('IDAT', Buffer.concat(pieces)),
    writeChunk('IEND', Buffer.alloc(0)),
  ])
}

const writeChunk = (type: string, data: Buffer): Buffer => {
  const chunk = Buffer.alloc(data.length + CHUNK_EXTRA_BYTES)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, CHUNK_HEADER_BYTES)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, CHUNK_HEADER_BYTES + data.length)), CHUNK_HEADER_BYTES + data.length)
  return chunk
}
