import type { Box } from '../shared/document/model.ts'
import { type PdfDict, type PdfObjects, type PdfValue, toNumber } from './objects.ts'

/** x' = a·x + c·y + e, y' = b·x + d·y + f */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]
export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** A page as it is shown: turned, cut to its crop box, in points from its top left corner. */
export type PageSpace = { width: number; height: number; toShown: Matrix }

type Rectangle = readonly [left: number, bottom: number, right: number, top: number]
const LETTER: Rectangle = [0, 0, 612, 792]

/** First `inner`, then `outer`. */
export const multiply = (inner: Matrix, outer: Matrix): Matrix => [
  inner[0] * outer[0] + inner[1] * outer[2],
  inner[0] * outer[1] + inner[1] * outer[3],
  inner[2] * outer[0] + inner[3] * outer[2],
  inner[2] * outer[1] + inner[3] * outer[3],
  inner[4] * outer[0] + inner[5] * outer[2] + outer[4],
  inner[4] * outer[1] + inner[5] * outer[3] + outer[5],
]

/** The upright box around a rectangle after a transformation. */
export const boxOf = ([left, bottom, right, top]: Rectangle, matrix: Matrix): Box => {
  const corners = [
    [left, bottom],
    [right, bottom],
    [left, top],
    [right, top],
  ].map(([x = 0, y = 0]) => [matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5]])
  const xs = corners.map(([x = 0]) => x)
  const ys = corners.map(([, y = 0]) => y)
  const x = Math.min(...xs)
  const y = Math.min(...ys)
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

/** Hundredths of a point are all that a reader can use. */
export const roundBox = ({ x, y, width, height }: Box): Box => ({
  x: round(x),
  y: round(y),
  width: round(width),
  height: round(height),
})
const round = (value: number): number => Math.round(value * 100) / 100 || 0

/** The part of a box that lies on the page; undefined where none does. */
export const cutToPage = ({ x, y, width, height }: Box, page: PageSpace): Box | undefined => {
  const left = Math.max(0, x)
  const top = Math.max(0, y)
  const right = Math.min(page.width, x + width)
  const bottom = Math.min(page.height, y + height)
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : undefined
}

/** Six numbers; undefined for anything else. */
export const toMatrix = (objects: PdfObjects, value: PdfValue | undefined): Matrix | undefined => {
  const numbers = toNumbers(objects, value, 6)
  return numbers as Matrix | undefined
}

/** A rectangle with its corners in order; undefined for what is none. */
export const toRectangle = (objects: PdfObjects, value: PdfValue | undefined): Rectangle | undefined => {
  const numbers = toNumbers(objects, value, 4)
  if (!numbers) return undefined
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]
}

const toNumbers = (objects: PdfObjects, value: PdfValue | undefined, count: number): number[] | undefined => {
  const numbers = objects.array(value).map((member) => toNumber(objects.resolve(member)))
  return numbers.length >= count && numbers.every((number) => number !== undefined)
    ? (numbers.slice(0, count) as number[])
    : undefined
}

/** How a page is shown. */
export const readPageSpace = (objects: PdfObjects, page: PdfDict): PageSpace => {
  const media = orLetter(toRectangle(objects, page['/MediaBox']))
  const crop = toRectangle(objects, page['/CropBox']) ?? media
  const common: Rectangle = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ]
  const box = isEmpty(common) ? media : common
  const unit = toNumber(objects.resolve(page['/UserUnit'])) ?? 1
  return enlarge(turn(box, toNumber(objects.resolve(page['/Rotate'])) ?? 0), unit > 0 ? unit : 1)
}

const turn = ([left, bottom, right, top]: Rectangle, degrees: number): PageSpace => {
  const width = right - left
  const height = top - bottom
  switch (((degrees % 360) + 360) % 360) {
    case 90:
      return { width: height, height: width, toShown: [0, 1, 1, 0, -bottom, -left] }
    case 180:
      return { width, height, toShown: [-1, 0, 0, 1, right, -bottom] }
    case 270:
      return { width: height, height: width, toShown: [0, -1, -1, 0, top, right] }
    default:
      return { width, height, toShown: [1, 0, 0, -1, -left, top] }
  }
}

/** A page may count in units larger than points. */
const enlarge = ({ width, height, toShown }: PageSpace, unit: number): PageSpace => ({
  width: width * unit,
  height: height * unit,
  toShown: multiply(toShown, [unit, 0, 0, unit, 0, 0]),
})

const isEmpty = ([left, bottom, right, top]: Rectangle): boolean => right <= left || top <= bottom
const orLetter = (box: Rectangle | undefined): Rectangle => (box && !isEmpty(box) ? box : LETTER)
