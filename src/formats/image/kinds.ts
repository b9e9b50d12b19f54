import { open } from 'node:fs/promises'
import type { Source } from '../../core/catalog.ts'
import { isDrawing } from './svg.ts'

/** Kinds of image files that are told apart by their content. `avifs`: an animated AVIF; `ico` is also a cursor. */
export type ImageKind =
  | 'jpeg'
  | 'png'
  | 'gif'
  | 'webp'
  | 'tiff'
  | 'svg'
  | 'avif'
  | 'avifs'
  | 'heif'
  | 'ico'
  | 'bmp'
  | 'psd'
  | 'jp2'
  | 'j2k'
  | 'jxl'

export const MEDIA_TYPES: Readonly<Record<ImageKind, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  tiff: 'image/tiff',
  svg: 'image/svg+xml',
  avif: 'image/avif',
  avifs: 'image/avif',
  heif: 'image/heif',
  ico: 'image/x-icon',
  bmp: 'image/bmp',
  psd: 'image/vnd.adobe.photoshop',
  jp2: 'image/jp2',
  j2k: 'image/j2c',
  jxl: 'image/jxl',
}

const SIGNATURES: readonly { kind: ImageKind; hex: RegExp }[] = [
  { kind: 'jpeg', hex: /^ffd8ff/ },
  { kind: 'png', hex: /^89504e470d0a1a0a/ },
  { kind: 'gif', hex: /^47494638(?:37|39)61/ },
  { kind: 'webp', hex: /^52494646.{8}57454250/ },
  // The second and fourth are BigTIFF.
  { kind: 'tiff', hex: /^(?:49492a00|49492b00|4d4d002a|4d4d002b)/ },
  { kind: 'psd', hex: /^38425053000[12]/ },
  { kind: 'jp2', hex: /^0000000c6a5020200d0a870a/ },
  { kind: 'j2k', hex: /^ff4fff51/ },
  { kind: 'jxl', hex: /^(?:ff0a|0000000c4a584c200d0a870a)/ },
  // A count of at least one, and an entry whose reserved byte is zero.
  { kind: 'ico', hex: /^0000(?:01|02)00(?!0000).{4}.{6}00/ },
  // A header of one of the known sizes.
  { kind: 'bmp', hex: /^424d.{24}(?:0c|10|28|34|38|40|6c|7c)000000/ },
]

const HEAD_BYTES = 262_144

/** Tells what an image file is by its content; undefined when it is not one. */
export const detectKind = (head: Buffer): ImageKind | undefined => {
  const hex = head.subarray(0, 32).toString('hex')
  const found = SIGNATURES.find((signature) => signature.hex.test(hex))
  if (found) return found.kind
  return detectHeif(head) ?? (isDrawing(head) ? 'svg' : undefined)
}

/** Reads as much of a file as `detectKind` may need. */
export const readHead = async (source: Source): Promise<Buffer> => {
  const file = await open(source.path)
  try {
    const head = Buffer.alloc(Math.min(HEAD_BYTES, source.bytes))
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    return head.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const FTYP_AT = 4
const BRAND_BYTES = 4
const HEIF_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']

/** The family of containers that MP4 also belongs to names itself by brands. */
const detectHeif = (head: Buffer): ImageKind | undefined => {
  if (head.length < 16 || head.toString('latin1', FTYP_AT, FTYP_AT + BRAND_BYTES) !== 'ftyp') return undefined
  const end = Math.min(head.readUInt32BE(0), head.length)
  const brands = new Set<string>()
  // The version after the first brand is no brand, and never reads like one.
  for (let at = 8; at + BRAND_BYTES <= end; at += BRAND_BYTES) brands.add(head.toString('latin1', at, at + BRAND_BYTES))
  if (brands.has('avis')) return 'avifs'
  if (brands.has('avif')) return 'avif'
  return HEIF_BRANDS.some((brand) => brands.has(brand)) ? 'heif' : undefined
}
