import type { GreyPicture } from './find-skew.ts'

/** The page is looked at in so many cells along its long side: larger than letters, smaller than shadows. */
const CELLS = 40
/** Of the greys of a cell, the paper is at this share from the dark end: above any ink, below specks of glare. */
const PAPER_SHARE = 0.8
/** Paper that differs by less between its dark and its light parts is lit evenly. */
const MIN_DIFFERENCE = 24
/** Darker cells are no paper: ink, or what the paper lies on. */
const DARKEST_PAPER = 50
const WHITE = 255

/** Makes the paper white where it lies in shadow, by the shade of the paper around each point; leaves even light alone. */
export const evenLight = (picture: GreyPicture): GreyPicture => {
  const paper = findPaper(picture)
  const shades = paper.shades.toSorted()
  const at = (share: number) => shades[Math.floor((shades.length - 1) * share)] ?? 0
  if (at(0.95) - at(0.05) < MIN_DIFFERENCE) return picture
  const { width, height, data } = picture
  const even = new Uint8Array(data.length)
  for (let y = 0; y < height; y++) {
    const row = Math.min(Math.max(y / paper.cell - 0.5, 0), paper.rows - 1)
    const top = Math.floor(row) * paper.columns
    const bottom = Math.min(Math.floor(row) + 1, paper.rows - 1) * paper.columns
    const down = row - Math.floor(row)
    for (let x = 0; x < width; x++) {
      const column = Math.min(Math.max(x / paper.cell - 0.5, 0), paper.columns - 1)
      const left = Math.floor(column)
      const right = Math.min(left + 1, paper.columns - 1)
      const across = column - left
      const above = (paper.shades[top + left] as number) * (1 - across) + (paper.shades[top + right] as number) * across
      const below =
        (paper.shades[bottom + left] as number) * (1 - across) + (paper.shades[bottom + right] as number) * across
      const shade = above * (1 - down) + below * down
      even[y * width + x] = Math.min(WHITE, ((data[y * width + x] as number) * WHITE) / shade)
    }
  }
  return { width, height, data: even }
}

type Paper = { columns: number; rows: number; cell: number; shades: Float32Array }

const findPaper = ({ width, height, data }: GreyPicture): Paper => {
  const cell = Math.max(16, Math.ceil(Math.max(width, height) / CELLS))
  const columns = Math.ceil(width / cell)
  const rows = Math.ceil(height / cell)
  const shades = new Float32Array(columns * rows)
  const counts = new Uint32Array(256)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      counts.fill(0)
      let total = 0
      for (let y = row * cell; y < Math.min(height, (row + 1) * cell); y++) {
        for (let x = column * cell; x < Math.min(width, (column + 1) * cell); x++) {
          const grey = data[y * width + x] as number
          counts[grey] = (counts[grey] as number) + 1
          total++
        }
      }
      let left = total * PAPER_SHARE
      const shade = counts.findIndex((count) => {
        left -= count
        return left <= 0
      })
      shades[row * columns + column] = Math.max(DARKEST_PAPER, shade)
    }
  }
  return { columns, rows, cell, shades: smooth(shades, columns, rows) }
}

/** The middle of each cell and its neighbours: a picture or a bar of ink takes on the paper around it. */
const smooth = (shades: Float32Array, columns: number, rows: number): Float32Array =>
  shades.map((_, at) => {
    const column = at % columns
    const row = (at - column) / columns
    const around: number[] = []
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
        around.push(shades[y * columns + x] as number)
      }
    }
    return around.sort((a, b) => a - b)[around.length >> 1] as number
  })

/** How much a point commonly differs from the mean of their four neighbours: on paper, that is grain. */
export const measureGrain = ({ width, height, data }: GreyPicture): number => {
  const counts = new Uint32Array(256)
  let total = 0
  // Every third row and column tells as much as all of them.
  for (let y = 1; y + 1 < height; y += 3) {
    for (let x = 1; x + 1 < width; x += 3) {
      const at = y * width + x
      const around =
        (data[at - 1] as number) +
        (data[at + 1] as number) +
        (data[at - width] as number) +
        (data[at + width] as number)
      const difference = Math.round(Math.abs((data[at] as number) - around / 4))
      counts[difference] = (counts[difference] as number) + 1
      total++
    }
  }
  let left = total / 2
  return counts.findIndex((count) => {
    left -= count
    return left <= 0
  })
}
