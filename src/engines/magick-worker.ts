import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { IMagickImage } from '@imagemagick/magick-wasm'
import { writeTiff } from './write-tiff.ts'

/** The coders that uploads may reach. */
export type MagickFormat = 'BMP' | 'HEIC' | 'J2K' | 'JP2' | 'JXL' | 'PSD'

export type MagickRequest = { path: string; format: MagickFormat } & (
  | { type: 'describe' }
  | { type: 'decode'; first: number; count: number; target: string }
)
export type MagickPicture = {
  width: number
  height: number
  hasAlpha: boolean
  bitsPerChannel: number
  isGray: boolean
  /** How long it is shown, in an animation. */
  durationSeconds: number
  /** How often an animation is shown; 0 is for ever. */
  loops: number
  /** The TIFF that it was written to. */
  file?: string
}
export type MagickAnswer =
  | { pictures: readonly MagickPicture[] }
  | { problem: 'pixels' | 'memory' | 'unreadable'; message: string }

type Limits = { maxMemoryBytes: number; maxPixels: number }

const { maxMemoryBytes, maxPixels, ...request } = workerData as MagickRequest & Limits
const WASM_PAGE_BYTES = 65_536
const MAX_SIDE = 65_535
const STRIP_BYTES = 1_048_576

// The resource limits of the library bind its own pixels; what the decoders inside it take can be bound only here.
type WasmMemory = { readonly buffer: ArrayBuffer; grow(pages: number): number }
const { Memory } = (globalThis as unknown as { WebAssembly: { Memory: { prototype: WasmMemory } } }).WebAssembly
const growMemory = Memory.prototype.grow
let isOutOfMemory = false
Memory.prototype.grow = function grow(this: WasmMemory, pages: number): number {
  if (this.buffer.byteLength + pages * WASM_PAGE_BYTES > maxMemoryBytes) {
    isOutOfMemory = true
    throw new RangeError('over the memory limit')
  }
  return growMemory.call(this, pages)
}

const { ColorSpace, initializeImageMagick, MagickImageCollection, MagickReadSettings, ResourceLimits } = await import(
  '@imagemagick/magick-wasm'
)

const readPictures = async (): Promise<MagickAnswer> => {
  await initializeImageMagick(readFileSync(fileURLToPath(import.meta.resolve('@imagemagick/magick-wasm/magick.wasm'))))
  // As bigint, or the values bind nothing.
  ResourceLimits.width = BigInt(MAX_SIDE)
  ResourceLimits.height = BigInt(MAX_SIDE)
  ResourceLimits.area = BigInt(maxPixels)
  ResourceLimits.memory = BigInt(maxMemoryBytes)
  ResourceLimits.maxMemoryRequest = BigInt(maxMemoryBytes)
  ResourceLimits.disk = 0n
  const bytes = readFileSync(request.path)
  const collection = MagickImageCollection.create()
  const settings = new MagickReadSettings({ format: request.format })
  if (request.type === 'describe') {
    collection.ping(bytes, settings)
    return { pictures: collection.map(describe) }
  }
  const { first, count, target } = request
  settings.frameIndex = first
  settings.frameCount = count
  collection.read(bytes, settings)
  // Some coders give more than they were asked for.
  const pictures = collection.slice(0, count).map((image, index) => {
    const file = `${target}${first + index}.tif`
    writePicture(image, file)
    return { ...describe(image), file }
  })
  return { pictures }
}

const describe = (image: IMagickImage): MagickPicture => ({
  width: image.width,
  height: image.height,
  hasAlpha: image.hasAlpha,
  bitsPerChannel: image.depth,
  isGray: image.colorSpace === ColorSpace.Gray || image.colorSpace === ColorSpace.LinearGray,
  durationSeconds: image.animationTicksPerSecond > 0 ? image.animationDelay / image.animationTicksPerSecond : 0,
  loops: image.animationIterations,
})

/** Strip by strip: whole, the pixels would be held twice more. Colours are left to the profile that goes along. */
const writePicture = (image: IMagickImage, file: string): void => {
  image.autoOrient()
  const isCmyk = image.colorSpace === ColorSpace.CMYK
  if (!isCmyk && image.colorSpace !== ColorSpace.sRGB) image.colorSpace = ColorSpace.sRGB
  const { width, height } = image
  const mapping = isCmyk ? 'CMYK' : image.hasAlpha ? 'RGBA' : 'RGB'
  const rowsPerStrip = Math.max(1, Math.floor(STRIP_BYTES / (width * mapping.length)))
  image.getPixels((pixels) => {
    const readStrip = (y: number, rows: number): Uint8Array => {
      const strip = pixels.toByteArray(0, y, width, rows, mapping)
      if (!strip) throw new Error('the pixels cannot be read')
      return strip
    }
    const profile = image.getColorProfile()?.data
    writeTiff(file, { width, height, mapping, rowsPerStrip, ...(profile ? { profile } : {}) }, readStrip)
  })
}

const answer = await readPictures().catch((error: unknown): MagickAnswer => {
  const message = error instanceof Error ? error.message : String(error)
  if (/ExceedsLimit/i.test(message)) return { problem: 'pixels', message }
  const isMemory = isOutOfMemory || /resource|memory/i.test(message)
  return { problem: isMemory ? 'memory' : 'unreadable', message }
})
parentPort?.postMessage(answer)
