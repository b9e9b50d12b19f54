import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import type { Capability, Context, Source } from '../../../core/catalog.ts'

export type CapabilityRun = { artifacts: Record<string, Buffer>; warnings: string[] }

/** Gives a source and a context to work with; they are gone afterwards. */
export const withSource = async <T>(
  bytes: Uint8Array,
  work: (source: Source, context: Context, warnings: string[]) => Promise<T>,
  extension = 'pdf',
): Promise<T> => {
  const scratch = await mkdtemp(join(tmpdir(), 'pdf-test-'))
  const warnings: string[] = []
  const context: Context = {
    signal: new AbortController().signal,
    scratch,
    selected: new Set(),
    progress() {},
    warn: (code) => warnings.push(code),
  }
  try {
    const path = join(scratch, `source.${extension}`)
    await writeFile(path, bytes)
    return await work({ path, name: `source.${extension}`, extension, bytes: bytes.length }, context, warnings)
  } finally {
    await rm(scratch, { recursive: true })
  }
}

/** Runs a capability on bytes, for tests that look closer at what comes out than a golden case can. */
export const runCapability = (
  capability: Capability,
  bytes: Uint8Array,
  given: Record<string, unknown> = {},
): Promise<CapabilityRun> =>
  withSource(bytes, async (source, context, warnings) => {
    const defaults = Object.entries(capability.options).map(([id, { defaultValue }]) => [id, defaultValue] as const)
    const options = { ...Object.fromEntries(defaults), ...given } as Parameters<Capability['extract']>[1]
    const artifacts: Record<string, Buffer> = {}
    for await (const artifact of capability.extract(source, options, context)) {
      artifacts[artifact.path] = 'file' in artifact ? await readFile(artifact.file) : Buffer.from(artifact.data as string)
    }
    return { artifacts, warnings }
  })

export type Raster = { width: number; height: number; at(x: number, y: number): number[] }

/** Reads the pixels of a PNG by the standard alone, as RGBA. */
export const readPng = (png: Buffer): Raster => {
  const chunks = new Map<string, Buffer[]>()
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    const type = png.toString('latin1', at + 4, at + 8)
    chunks.set(type, [...(chunks.get(type) ?? []), png.subarray(at + 8, at + 8 + png.readUInt32BE(at))])
  }
  const [header = Buffer.alloc(13)] = chunks.get('IHDR') ?? []
  const [width, height, depth, color] = [header.readUInt32BE(0), header.readUInt32BE(4), header[8] ?? 0, header[9] ?? 0]
  const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[color] ?? 0
  const rowBytes = Math.ceil((width * samples * depth) / 8)
  const step = Math.max(1, (samples * depth) / 8)
  const data = inflateSync(Buffer.concat(chunks.get('IDAT') ?? []))
  const rows: Buffer[] = []
  for (let y = 0; y < height; y++) {
    const [kind = 0, ...filtered] = data.subarray(y * (rowBytes + 1), (y + 1) * (rowBytes + 1))
    const row = Buffer.alloc(rowBytes)
    for (const [i, value] of filtered.entries()) {
      const left = row[i - step] ?? 0
      const up = rows[y - 1]?.[i] ?? 0
      const corner = rows[y - 1]?.[i - step] ?? 0
      const estimate = left + up - corner
      const nearest = [left, up, corner].reduce((best, one) =>
        Math.abs(estimate - one) < Math.abs(estimate - best) ? one : best,
      )
      row[i] = value + ([0, left, up, (left + up) >> 1, nearest][kind] ?? 0)
    }
    rows.push(row)
  }
  const [palette] = chunks.get('PLTE') ?? []
  const sample = (x: number, y: number, index: number): number => {
    const bit = (x * samples + index) * depth
    const byte = rows[y]?.[bit >> 3] ?? 0
    return depth === 8 ? byte : (byte >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
  }
  const gray = (x: number, y: number) => Math.round((sample(x, y, 0) * 255) / (2 ** depth - 1))
  return {
    width,
    height,
    at(x, y) {
      if (palette) return [...palette.subarray(sample(x, y, 0) * 3, sample(x, y, 0) * 3 + 3), 255]
      if (samples < 3) return [gray(x, y), gray(x, y), gray(x, y), samples === 2 ? sample(x, y, 1) : 255]
      return [0, 1, 2, 3].map((index) => (index < samples ? sample(x, y, index) : 255))
    },
  }
}
