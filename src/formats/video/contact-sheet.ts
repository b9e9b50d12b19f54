import { loadSharp, openPicture } from '../../engines/sharp.ts'
import { formatShortClock } from './clock.ts'
import type { Size } from './picture.ts'
import type { TakenFrame } from './take-frames.ts'
import { drawLabel, type Pixels } from './time-label.ts'

const MAX_CELLS = 36
const MAX_COLUMNS = 6
const CELL_WIDTH = 240
const MAX_CELL_HEIGHT = 512
const GAP = 4
const CHANNELS = 3
/** Of every channel: a dark grey. */
const BACKGROUND = 24

/** Frames on one sheet, spread over all that were found, each with its time. */
export const drawContactSheet = async (frames: readonly TakenFrame[], size: Size): Promise<Buffer> => {
  const shown = spread(frames, MAX_CELLS)
  const cell = cellSize(size)
  const columns = Math.min(MAX_COLUMNS, Math.ceil(Math.sqrt(shown.length)))
  const rows = Math.ceil(shown.length / columns)
  const width = GAP + columns * (cell.width + GAP)
  const height = GAP + rows * (cell.height + GAP)
  const sheet = { data: Buffer.alloc(width * height * CHANNELS, BACKGROUND), width, height }
  for (const [i, { file, timeSeconds }] of shown.entries()) {
    const left = GAP + (i % columns) * (cell.width + GAP)
    const top = GAP + Math.floor(i / columns) * (cell.height + GAP)
    const { data, info } = await (await openPicture({ input: file }, 'lenient'))
      .resize({ ...cell, fit: 'fill' })
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    paste(sheet, { data, width: info.width, height: info.height }, left, top)
    const label = drawLabel(formatShortClock(timeSeconds))
    if (label.width > cell.width || label.height > cell.height) continue
    paste(sheet, label, left, top + cell.height - label.height)
  }
  const sharp = await loadSharp()
  return sharp(sheet.data, { raw: { width, height, channels: CHANNELS } })
    .jpeg({ quality: 82 })
    .toBuffer()
}

/** Row by row: nothing is blended, so an image library would only do it slower. */
const paste = (sheet: Pixels, picture: Pixels, left: number, top: number): void => {
  const rowBytes = picture.width * CHANNELS
  for (let row = 0; row < picture.height; row += 1) {
    const target = ((top + row) * sheet.width + left) * CHANNELS
    sheet.data.set(picture.data.subarray(row * rowBytes, (row + 1) * rowBytes), target)
  }
}

const cellSize = ({ width, height }: Size): Size => {
  const cellWidth = Math.min(width, CELL_WIDTH, Math.max(1, Math.round((MAX_CELL_HEIGHT * width) / height)))
  return { width: cellWidth, height: Math.max(1, Math.round((cellWidth * height) / width)) }
}

const spread = <T>(items: readonly T[], count: number): T[] =>
  items.length <= count
    ? [...items]
    : Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)] as T)
