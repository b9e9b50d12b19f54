import { type FileHandle, open } from 'node:fs/promises'
import type { Context, Source } from '../../core/catalog.ts'
import { perSource } from '../shared/per-source.ts'

/** A place in a recording that somebody marked. */
export type Marker = { timeSeconds: number; endSeconds?: number; title?: string }

/** What a WAV file holds besides sound and tags. */
export type WaveChunks = {
  /** Production data of field recorders, as XML. */
  ixml?: string
  /** Descriptions of broadcasters, as XML. */
  axml?: string
  /** What was done to the sound, a line a step. */
  codingHistory?: string
  markers: Marker[]
}

const MAX_CHUNKS = 10_000
const MAX_CHUNK_BYTES = 1_048_576
const MAX_MARKERS = 10_000
const WANTED: ReadonlySet<string> = new Set(['fmt ', 'ds64', 'iXML', 'axml', 'bext', 'cue ', 'LIST'])
const CODING_HISTORY_AT = 602

/** Walks over the chunks of a WAV file, also of the 64-bit kinds; undefined for any other file. */
export const readWaveChunks = perSource(async (source: Source, _context: Context): Promise<WaveChunks | undefined> => {
  const file = await open(source.path)
  try {
    const head = await read(file, 0, 12)
    const kind = head.toString('latin1', 0, 4)
    if (!['RIFF', 'RF64', 'BW64'].includes(kind) || head.toString('latin1', 8, 12) !== 'WAVE') return undefined
    return digest(await collect(file, source.bytes))
  } finally {
    await file.close()
  }
})

type Chunk = { id: string; body: Buffer }

const collect = async (file: FileHandle, fileBytes: number): Promise<Chunk[]> => {
  const chunks: Chunk[] = []
  let dataBytes = 0
  for (let at = 12, seen = 0; at + 8 <= fileBytes && seen < MAX_CHUNKS; seen++) {
    const header = await read(file, at, 8)
    if (header.length < 8) break
    const id = header.toString('latin1', 0, 4)
    const declared = header.readUInt32LE(4)
    // Sizes that do not fit are in a table of their own.
    const size = id === 'data' && declared === 0xffffffff ? dataBytes || fileBytes : declared
    if (WANTED.has(id)) {
      const body = await read(file, at + 8, Math.min(size, MAX_CHUNK_BYTES))
      if (id === 'ds64' && body.length >= 16) dataBytes = Number(body.readBigUInt64LE(8))
      chunks.push({ id, body })
    }
    at += 8 + size + (size % 2)
  }
  return chunks
}

const read = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, position)
  return buffer.subarray(0, bytesRead)
}

const digest = (chunks: readonly Chunk[]): WaveChunks => {
  const bodyOf = (id: string) => chunks.find((chunk) => chunk.id === id)?.body
  const [format, bext, cue] = [bodyOf('fmt '), bodyOf('bext'), bodyOf('cue ')]
  const rate = format && format.length >= 8 ? format.readUInt32LE(4) : 0
  const lists = chunks.filter(({ id, body }) => id === 'LIST' && body.toString('latin1', 0, 4) === 'adtl')
  const ixml = toText(bodyOf('iXML'))
  const axml = toText(bodyOf('axml'))
  const codingHistory = toText(bext?.subarray(CODING_HISTORY_AT))
  return {
    ...(ixml && { ixml }),
    ...(axml && { axml }),
    ...(codingHistory && { codingHistory }),
    markers:
      cue && rate > 0
        ? readMarkers(
            cue,
            lists.map(({ body }) => body),
            rate,
          )
        : [],
  }
}

const toText = (bytes: Buffer | undefined): string =>
  (bytes ?? Buffer.alloc(0))
    .toString('utf8')
    .replace(/\0[\s\S]*$/, '')
    .replace(/^\uFEFF/, '')
    .trim()

/** Cue points, with names and lengths out of the lists beside them. */
const readMarkers = (cue: Buffer, lists: readonly Buffer[], rate: number): Marker[] => {
  const titles = new Map<number, string>()
  const lengths = new Map<number, number>()
  for (const { id, body } of lists.flatMap(listChunks)) {
    if (id === 'labl' && body.length > 4) titles.set(body.readUInt32LE(0), toText(body.subarray(4)))
    if (id === 'ltxt' && body.length >= 8) lengths.set(body.readUInt32LE(0), body.readUInt32LE(4))
  }
  const count = Math.min(cue.length >= 4 ? cue.readUInt32LE(0) : 0, Math.floor((cue.length - 4) / 24), MAX_MARKERS)
  const markers = Array.from({ length: count }, (_, i): Marker => {
    const id = cue.readUInt32LE(4 + i * 24)
    const start = cue.readUInt32LE(4 + i * 24 + 20)
    const [title, length] = [titles.get(id), lengths.get(id)]
    return {
      timeSeconds: start / rate,
      ...(length && { endSeconds: (start + length) / rate }),
      ...(title && { title }),
    }
  })
  return markers.toSorted((a, b) => a.timeSeconds - b.timeSeconds)
}

const listChunks = (list: Buffer): Chunk[] => {
  const chunks: Chunk[] = []
  for (let at = 4; at + 8 <= list.length; ) {
    const size = list.readUInt32LE(at + 4)
    chunks.push({ id: list.toString('latin1', at, at + 4), body: list.subarray(at + 8, at + 8 + size) })
    at += 8 + size + (size % 2)
  }
  return chunks
}
