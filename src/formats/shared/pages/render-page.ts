import { writeFile } from 'node:fs/promises'
import { drawPage, measurePage, type PdfFile } from '../../../engines/liteparse.ts'

/** What is drawn is held in memory, twice, at four bytes each. */
const MAX_PIXELS = 50_000_000
/** Less than the most that JPEG can tell of. */
const MAX_SIDE_PIXELS = 32_000
const POINTS_PER_INCH = 72

/** A page drawn to a PNG file; `dpi` is lower than asked for where the page would have been too large. */
export type RenderedPage = { path: string; width: number; height: number; dpi: number }

/** Draws a page to a PNG file; undefined for a page that cannot be read. */
export const renderPage = async (
  file: PdfFile,
  pageNumber: number,
  dpi: number,
  path: string,
): Promise<RenderedPage | undefined> => {
  const size = await measurePage(file, pageNumber)
  if (!size) return undefined
  const boundedDpi = boundDpi(size, dpi)
  const drawn = await drawPage(file, pageNumber, boundedDpi)
  if (!drawn) return undefined
  const { png, width, height } = drawn
  await writeFile(path, png)
  return { path, width, height, dpi: boundedDpi }
}

const boundDpi = ({ width, height }: { width: number; height: number }, dpi: number): number => {
  const squareInches = (width * height) / POINTS_PER_INCH ** 2
  const longestInches = Math.max(width, height) / POINTS_PER_INCH
  return Math.min(dpi, Math.sqrt(MAX_PIXELS / squareInches), MAX_SIDE_PIXELS / longestInches)
}
