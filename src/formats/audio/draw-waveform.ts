import { loadSharp } from '../../engines/sharp.ts'
import type { PeakPoint } from './peaks.ts'

export type PictureSize = { width: number; height: number }

type Color = readonly [number, number, number, number]
/** The span from the least to the greatest sample, and over it the loud part of it. */
const SPAN: Color = [0x8f, 0xb4, 0xe3, 0xff]
const LOUD: Color = [0x2f, 0x6d, 0xb5, 0xff]
const AXIS: Color = [0x8f, 0xb4, 0xe3, 0x80]

/** Draws a waveform as a PNG picture on nothing, so that it fits any page. */
export const drawWaveform = async (points: readonly PeakPoint[], { width, height }: PictureSize): Promise<Buffer> => {
  const pixels = Buffer.alloc(width * height * 4)
  const rowOf = (value: number): number => Math.round(((1 - value) / 2) * (height - 1))
  const fill = (x: number, from: number, to: number, color: Color): void => {
    for (let y = from; y <= to; y++) pixels.set(color, (y * width + x) * 4)
  }
  for (let x = 0; x < width; x++) {
    fill(x, rowOf(0), rowOf(0), AXIS)
    const point = points[Math.floor((x * points.length) / width)]
    if (!point) continue
    const { min, max, rms } = point
    // The waveform need not lie around zero: what is loud stays inside what there is.
    fill(x, rowOf(max), rowOf(min), SPAN)
    if (rms > 0) fill(x, rowOf(Math.min(max, rms)), rowOf(Math.max(min, -rms)), LOUD)
  }
  const sharp = await loadSharp()
  return await sharp(pixels, { raw: { width, height, channels: 4 } })
    .png({ palette: true, colours: 16, compressionLevel: 9 })
    .toBuffer()
}
