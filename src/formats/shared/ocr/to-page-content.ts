import { type OcrLine, type OcrPage, type OcrWord, type PixelBox, turnBox } from '../../../engines/ocr-page.ts'
import type { Box } from '../document/model.ts'
import type { PageContent, RuleLine, TextRun } from '../layout/page-content.ts'
import { orderLines } from './order-lines.ts'
import type { Recognized } from './recognized.ts'

/** How the pixels that an engine saw lie on the page that was shown. */
export type Geometry = {
  /** The shown page, in its own pixels. */
  width: number
  height: number
  dpi?: number
  /** What the engine saw: larger than the page where it was straightened. */
  canvas: { width: number; height: number }
  /** Pixels of the canvas for each of the page. */
  scale: number
}

type Rotation = Recognized['rotation']

/** Degrees that the page must be turned clockwise for most of its text to stand upright. */
export const findRotation = ({ lines }: OcrPage): Rotation => {
  const letters = new Map<Rotation, number>()
  for (const { angle, words } of lines) {
    letters.set(angle, (letters.get(angle) ?? 0) + countLetters(words))
  }
  const [angle = 0] = [...letters].reduce((best, one) => (one[1] > best[1] ? one : best), [0 as Rotation, 0])
  return ((360 - angle) % 360) as Rotation
}

const countLetters = (words: readonly OcrWord[]): number => words.reduce((sum, { text }) => sum + text.length, 0)

/** Type of this height in points is taken for granted where the size of a pixel is not known. */
const USUAL_TYPE_POINTS = 11
/** The long side of a page without text whose size is not known. */
const USUAL_PAGE_POINTS = 842
const POINTS_PER_INCH = 72

/** Pixels of the shown page in a point. */
export const findPixelsPerPoint = (page: OcrPage, { width, height, dpi, scale }: Geometry): number => {
  if (dpi) return dpi / POINTS_PER_INCH
  const heights = page.lines.map(({ typeHeight }) => typeHeight).sort((a, b) => a - b)
  const usual = heights[heights.length >> 1]
  return usual ? usual / scale / USUAL_TYPE_POINTS : Math.max(width, height) / USUAL_PAGE_POINTS
}

/** What an engine found, on the upright page, in points. */
export const toPageContent = (
  page: OcrPage,
  geometry: Geometry,
  rotation: Rotation,
  pixelsPerPoint: number,
): PageContent => {
  const { canvas, scale } = geometry
  const isOnSide = rotation === 90 || rotation === 270
  const width = (isOnSide ? geometry.height : geometry.width) / pixelsPerPoint
  const height = (isOnSide ? geometry.width : geometry.height) / pixelsPerPoint
  const upright = isOnSide ? { width: canvas.height, height: canvas.width } : canvas
  const perPoint = scale * pixelsPerPoint
  // The canvas grew on all sides alike when it was straightened.
  const marginX = (upright.width - width * perPoint) / 2
  const marginY = (upright.height - height * perPoint) / 2
  const place = (box: PixelBox): Box => {
    const turned = turnBox(box, canvas, rotation)
    return {
      x: (turned.x - marginX) / perPoint,
      y: (turned.y - marginY) / perPoint,
      width: turned.width / perPoint,
      height: turned.height / perPoint,
    }
  }
  const runs = orderLines(
    page.lines.flatMap((line) => toRuns(line, place, rotation, perPoint)),
    findDirection(page.lines),
  )
  return {
    number: 1,
    width,
    height,
    source: runs.length > 0 ? 'ocr' : 'none',
    runs,
    lines: page.separators.flatMap((box) => toRule(place(box))),
    shapes: [],
    images: [],
    links: [],
    structure: [],
  }
}

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u

const findDirection = (lines: readonly OcrLine[]): 'ltr' | 'rtl' => {
  const words = lines.flatMap((line) => line.words)
  return words.filter(({ text }) => RIGHT_TO_LEFT.test(text)).length * 2 > words.length ? 'rtl' : 'ltr'
}

/** Wider than any space between words, as a share of the type's height: what it parts are cells or columns. */
const WIDE_GAP = 1.8

const toRuns = (line: OcrLine, place: (box: PixelBox) => Box, pageRotation: Rotation, perPoint: number): TextRun[] => {
  const fontSize = line.typeHeight / perPoint
  const rotation = (line.angle + pageRotation) % 360
  const pieces: PlacedWord[][] = []
  let previous: PlacedWord | undefined
  for (const { text, confidence, ...box } of line.words) {
    const word = { ...place(box), text, confidence }
    if (!previous || gapBetween(previous, word) > WIDE_GAP * fontSize) pieces.push([])
    pieces.at(-1)?.push(word)
    previous = word
  }
  return pieces.map((words) => ({
    ...surround(words),
    text: joinWords(words.map(({ text }) => text)),
    font: '',
    fontSize,
    bold: false,
    italic: false,
    monospace: false,
    rotation,
    confidence: meanConfidence(words),
    ...(words.length > 1 ? { words: words.map(({ confidence: _, ...word }) => word) } : {}),
  }))
}

type PlacedWord = Box & { text: string; confidence: number }

/** In either direction of writing, along or across. */
const gapBetween = (a: Box, b: Box): number =>
  Math.max(b.x - (a.x + a.width), a.x - (b.x + b.width), b.y - (a.y + a.height), a.y - (b.y + b.height))

const surround = (boxes: readonly Box[]): Box => {
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}

/** Mean over the letters, 0 where there are none. */
export const meanConfidence = (words: readonly { text: string; confidence: number }[]): number => {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0)
  return letters === 0 ? 0 : words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / letters
}

/** Scripts that put no space between words; Tesseract gives their characters one by one. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー、。，．！？；：「」『』（）《》〈〉【】・]/u
const ENDS_UNSPACED = new RegExp(`${UNSPACED.source}$`, 'u')
const STARTS_UNSPACED = new RegExp(`^${UNSPACED.source}`, 'u')

/** Whether a space stands between two words of a line. */
export const isSpaced = (word: string, next: string): boolean =>
  !ENDS_UNSPACED.test(word) || !STARTS_UNSPACED.test(next)

/** Words of a line as its text: with spaces between, except between characters of scripts that have none. */
export const joinWords = (words: readonly string[]): string =>
  words.reduce((text, word) => (isSpaced(text, word) ? `${text} ${word}` : text + word))

const toRule = ({ x, y, width, height }: Box): RuleLine[] => {
  const thickness = Math.min(width, height)
  if (width >= height) return [{ x1: x, y1: y + height / 2, x2: x + width, y2: y + height / 2, thickness }]
  return [{ x1: x + width / 2, y1: y, x2: x + width / 2, y2: y + height, thickness }]
}
