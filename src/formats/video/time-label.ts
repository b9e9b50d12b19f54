/** Digits of five by seven pixels, a row a number: no font of the machine has a say in how a sheet looks. */
const GLYPHS: Readonly<Record<string, readonly number[]>> = {
  '0': [0x0e, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0e],
  '1': [0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e],
  '2': [0x0e, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1f],
  '3': [0x1f, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0e],
  '4': [0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02],
  '5': [0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e],
  '6': [0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e],
  '7': [0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08],
  '8': [0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e],
  '9': [0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c],
  ':': [0x00, 0x04, 0x04, 0x00, 0x04, 0x04, 0x00],
  '.': [0x00, 0x00, 0x00, 0x00, 0x00, 0x0c, 0x0c],
}
const GLYPH_WIDTH = 5
const GLYPH_HEIGHT = 7
const PADDING = 2
const SCALE = 2

/** Bare pixels: red, green, blue. */
export type Pixels = { data: Buffer; width: number; height: number }

/** Draws a time in white on black. */
export const drawLabel = (text: string): Pixels => {
  const columns = text.length * (GLYPH_WIDTH + 1) - 1 + PADDING * 2
  const rows = GLYPH_HEIGHT + PADDING * 2
  const [width, height] = [columns * SCALE, rows * SCALE]
  const data = Buffer.alloc(width * height * 3)
  const isLit = (x: number, y: number): boolean => {
    const column = x - PADDING
    const glyph = GLYPHS[text[Math.floor(column / (GLYPH_WIDTH + 1))] ?? '']
    const bit = GLYPH_WIDTH - 1 - (column % (GLYPH_WIDTH + 1))
    return column >= 0 && bit >= 0 && (((glyph?.[y - PADDING] ?? 0) >> bit) & 1) === 1
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (isLit(Math.floor(x / SCALE), Math.floor(y / SCALE)))
        data.fill(255, (y * width + x) * 3, (y * width + x) * 3 + 3)
    }
  }
  return { data, width, height }
}
