/** A rectangle of the canvas that a frame is drawn on. */
export type Piece = { x: number; y: number; width: number; height: number }

/** What an animation shows; four bytes a pixel. */
export type Canvas = {
  readonly pixels: Buffer
  /** Puts a frame in the place of what is there, or over it. */
  draw(piece: Piece, frame: Buffer, mode: 'replace' | 'blend'): void
  clear(piece: Piece): void
  copy(piece: Piece): Buffer
}

/** Makes a canvas on which nothing is drawn. */
export const createCanvas = (width: number, height: number): Canvas => {
  const pixels = Buffer.alloc(width * height * 4)
  const eachRow = (piece: Piece, visit: (from: number, to: number, row: number) => void): void => {
    for (let row = 0; row < piece.height; row++) {
      const from = ((piece.y + row) * width + piece.x) * 4
      visit(from, from + piece.width * 4, row * piece.width * 4)
    }
  }
  return {
    pixels,
    draw(piece, frame, mode) {
      eachRow(piece, (from, to, row) => {
        if (mode === 'replace') frame.copy(pixels, from, row, row + to - from)
        else for (let at = 0; at < to - from; at += 4) blend(pixels, from + at, frame, row + at)
      })
    },
    clear(piece) {
      eachRow(piece, (from, to) => pixels.fill(0, from, to))
    },
    copy(piece) {
      const copied = Buffer.alloc(piece.width * piece.height * 4)
      eachRow(piece, (from, to, row) => pixels.copy(copied, row, from, to))
      return copied
    },
  }
}

/** Lays one pixel over another; colours are not multiplied by their alpha. */
const blend = (under: Buffer, at: number, over: Buffer, from: number): void => {
  const alpha = over[from + 3] as number
  if (alpha === 0) return
  const below = under[at + 3] as number
  if (alpha === 255 || below === 0) {
    over.copy(under, at, from, from + 4)
    return
  }
  const shown = alpha * 255
  const hidden = below * (255 - alpha)
  const total = shown + hidden
  for (let channel = 0; channel < 3; channel++) {
    const mixed = (over[from + channel] as number) * shown + (under[at + channel] as number) * hidden
    under[at + channel] = Math.round(mixed / total)
  }
  under[at + 3] = Math.round(total / 255)
}
