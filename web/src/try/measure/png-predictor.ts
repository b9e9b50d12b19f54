/** Undoes what was done to rows of bytes so that they pack better: each was written as a difference to its neighbours. */
export const undoPredictor = (data: Uint8Array, columns: number, bytesPerPixel: number): Uint8Array<ArrayBuffer> => {
  const rowBytes = Math.ceil(columns * bytesPerPixel)
  const step = Math.max(1, Math.floor(bytesPerPixel))
  const rows = Math.floor(data.length / (rowBytes + 1))
  const plain = new Uint8Array(rows * rowBytes)
  for (let row = 0; row < rows; row++) {
    const from = row * (rowBytes + 1)
    const to = row * rowBytes
    const guess = GUESSES[data[from] ?? 0]
    if (!guess) throw new Error('an unknown predictor')
    for (let index = 0; index < rowBytes; index++) {
      const left = index >= step ? (plain[to + index - step] ?? 0) : 0
      const above = row > 0 ? (plain[to + index - rowBytes] ?? 0) : 0
      const aboveLeft = row > 0 && index >= step ? (plain[to + index - rowBytes - step] ?? 0) : 0
      plain[to + index] = (data[from + 1 + index] ?? 0) + guess(left, above, aboveLeft)
    }
  }
  return plain
}

const GUESSES: readonly ((left: number, above: number, aboveLeft: number) => number)[] = [
  () => 0,
  (left) => left,
  (_left, above) => above,
  (left, above) => (left + above) >> 1,
  (left, above, aboveLeft) => {
    const [toLeft, toAbove, toBoth] = [above - aboveLeft, left - aboveLeft, left + above - 2 * aboveLeft].map(Math.abs)
    if ((toLeft ?? 0) <= (toAbove ?? 0) && (toLeft ?? 0) <= (toBoth ?? 0)) return left
    return (toAbove ?? 0) <= (toBoth ?? 0) ? above : aboveLeft
  },
]
