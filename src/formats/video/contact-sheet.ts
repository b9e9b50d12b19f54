import { loadSharp, openPicture } from '../../engines/sharp.ts'
import { formatShortClock } from './clock.ts'
import type { Size } from './picture.ts'
import type { TakenFrame } from './take-frames.ts'
import { drawLabel } from './time-label.ts'

const MAX_CELLS = 36
const MAX_COLUMNS = 6
const CELL_WIDTH = 240
const MAX_CELL_HEIGHT = 512
const GAP = 4
const BACKGROUND = { r: 24, g: 24, b: 24 }

/** Frames on one sheet, spread over all that were found, each with its time. */
export const drawContactSheet = async (frames: readonly TakenFrame[], size: Size): Promise<Buffer> => {
  const shown = spread(frames, MAX_CELLS)
  const cell = cellSize(size)
  const columns = Math.min(MAX_COLUMNS, Math.ceil(Math.sqrt(shown.length)))
  const rows = Math.ceil(shown.length / columns)
  const parts = []
  for (const [i, { file, timeSeconds }] of shown.entries()) {
    const left = GAP + (i % columns) * (cell.width + GAP)
    const top = GAP + Math.floor(i / columns) * (cell.height + GAP)
    const { data, info } = await (await openPicture({ input: file }, 'lenient'))
      .resize({ ...cell, fit: 'fill' })
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    parts.push({ input: data, raw: { width: info.width, height: info.height, channels: 3 as const }, left, top })
    const label = drawLabel(formatShortClock(timeSeconds))
    if (label.width > cell.width || label.height > cell.height) continue
    const { data: input, width, height } = label
    parts.push({ input, raw: { width, height, channels: 3 as const }, left, top: top + cell.height - height })
  }
  const sharp = await loadSharp()
  const width = GAP + columns * (cell.width + GAP)
  const height = GAP + rows * (cell.height + GAP)
  return sharp({ create: { width, height, channels: 3, background: BACKGROUND } })
    .composite(parts)
    .jpeg({ quality: 82 })
    .toBuffer()
}

const cellSize = ({ width, height }: Size): Size => {
  const cellWidth = Math.min(width, CELL_WIDTH, Math.max(1, Math.round((MAX_CELL_HEIGHT * width) / height)))
  return { width: cellWidth, height: Math.max(1, Math.round((cellWidth * height) / width)) }
}

const spread = <T>(items: readonly T[], count: number): T[] =>
  items.length <= count
    ? [...items]
    : Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)] as T)
