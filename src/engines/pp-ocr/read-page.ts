import type { OcrLine, OcrPage, OcrWord } from '../ocr-page.ts'
import { openPicture } from '../sharp.ts'
import { decodeLine, type Letter } from './decode.ts'
import { findText } from './find-text.ts'
import { loadModels, type Models } from './models.ts'
import { cutOut, type Picture, type QuarterTurns } from './picture.ts'
import { boundsOf, type LeaningRectangle } from './rectangle.ts'
import { splitWords } from './split-words.ts'

/** What a run needs of the job it works for. */
export type PpOcrJob = { signal: AbortSignal }

/** Languages that it reads as well as any: its alphabet lacks most accented letters and all other scripts. */
export const PP_OCR_LANGUAGES: readonly string[] = ['eng', 'chi_sim', 'chi_tra']

/** Where text is looked for, the picture is drawn no larger: the model takes some 200 bytes for each pixel. */
const MAX_DETECTION_PIXELS = 2_000_000
const DETECTION_STEP = 32
/** Smaller pictures are enlarged, so far that text on them has a usual size. */
const SMALL_PIXELS = 500_000
const MAX_GROWTH = 2
/** Text that touches the edge is not seen. */
const MIN_MARGIN = 16
/** Lines are read at this height. */
const LINE_HEIGHT = 48
const MIN_LINE_WIDTH = 16
const MAX_LINE_WIDTH = 3_200
/** Pixels of a line for each step of the reading. */
const STEP_PIXELS = 8
/** So many times as high as wide: text that runs up or down. */
const TALL = 1.8
/** A box that is less tall may also be a single letter. */
const PLAINLY_TALL = 3

/** Reads a picture that shows text in any of four directions. Calls wait for each other: each takes half a gigabyte. */
export const readWithPpOcr = (picture: Picture, job: PpOcrJob): Promise<OcrPage> => {
  const reading = queue.then(() => readPage(picture, job))
  queue = reading.catch(() => {})
  return reading
}
let queue: Promise<unknown> = Promise.resolve()

const readPage = async (picture: Picture, { signal }: PpOcrJob): Promise<OcrPage> => {
  const models = await loadModels()
  signal.throwIfAborted()
  const rectangles = await detect(picture, models)
  signal.throwIfAborted()
  const pageTurns = await findTurns(picture, rectangles, models)
  const lines: OcrLine[] = []
  for (const rectangle of rectangles) {
    signal.throwIfAborted()
    const line = await readLine(picture, rectangle, pageTurns, models)
    if (line) lines.push(line)
  }
  return { lines, separators: [] }
}

const detect = async (picture: Picture, { detect: model }: Models): Promise<LeaningRectangle[]> => {
  const pixels = picture.width * picture.height
  const scale = Math.min(
    Math.sqrt(MAX_DETECTION_PIXELS / pixels),
    Math.max(1, Math.sqrt(SMALL_PIXELS / pixels)),
    MAX_GROWTH,
  )
  const inner = { width: Math.ceil(picture.width * scale), height: Math.ceil(picture.height * scale) }
  const width = roundUp(inner.width + 2 * MIN_MARGIN, DETECTION_STEP)
  const height = roundUp(inner.height + 2 * MIN_MARGIN, DETECTION_STEP)
  const left = Math.floor((width - inner.width) / 2)
  const top = Math.floor((height - inner.height) / 2)
  const raw = { width: picture.width, height: picture.height, channels: 3 } as const
  const drawn = await (await openPicture({ input: picture.data, options: { raw } }))
    .resize(inner.width, inner.height, { fit: 'fill' })
    .extend({ left, top, right: width - inner.width - left, bottom: height - inner.height - top, extendWith: 'copy' })
    .raw()
    .toBuffer()
  const { data } = await model(toTensor({ width, height, data: drawn }, PHOTO), [1, 3, height, width])
  return findText({ width, height, data }).map((found) => ({
    ...found,
    centerX: (found.centerX - left) / scale,
    centerY: (found.centerY - top) / scale,
    width: found.width / scale,
    height: found.height / scale,
  }))
}

const roundUp = (length: number, step: number): number => Math.ceil(length / step) * step

/** How a model wants its colours: blue, green, red, less the mean, in deviations. */
type Colours = readonly { channel: number; mean: number; deviation: number }[]
const PHOTO: Colours = [
  { channel: 2, mean: 0.485, deviation: 0.229 },
  { channel: 1, mean: 0.456, deviation: 0.224 },
  { channel: 0, mean: 0.406, deviation: 0.225 },
]
const LINE: Colours = [2, 1, 0].map((channel) => ({ channel, mean: 0.5, deviation: 0.5 }))

const toTensor = ({ width, height, data }: Picture, colours: Colours): Float32Array => {
  const size = width * height
  const tensor = new Float32Array(size * colours.length)
  for (const [plane, { channel, mean, deviation }] of colours.entries()) {
    for (let i = 0; i < size; i++) tensor[plane * size + i] = ((data[i * 3 + channel] ?? 0) / 255 - mean) / deviation
  }
  return tensor
}

const ORIENTATION_SAMPLES = 12
const ORIENTATION_WIDTH = 192

/** How often the page must be turned by a quarter, clockwise, for most of its text to stand upright. */
const findTurns = async (
  picture: Picture,
  rectangles: readonly LeaningRectangle[],
  models: Models,
): Promise<QuarterTurns> => {
  const isTall = ({ width, height }: LeaningRectangle) => height > width
  const length = (rectangle: LeaningRectangle) =>
    Math.max(rectangle.width, rectangle.height) - Math.min(rectangle.width, rectangle.height)
  const balance = rectangles.reduce((sum, one) => sum + (isTall(one) ? -length(one) : length(one)), 0)
  const isSideways = balance < 0
  const turns: QuarterTurns = isSideways ? 1 : 0
  const samples = rectangles
    .filter((rectangle) => isTall(rectangle) === isSideways)
    .sort((a, b) => length(b) - length(a))
    .slice(0, ORIENTATION_SAMPLES)
  let votes = 0
  for (const sample of samples) votes += await leanToUpsideDown(picture, sample, turns, models)
  return votes > 0 ? addTurns(turns, 2) : turns
}

/** Above 0 where a line, once turned, stands on its head; at most 1. */
const leanToUpsideDown = async (
  picture: Picture,
  rectangle: LeaningRectangle,
  turns: QuarterTurns,
  { classify }: Models,
): Promise<number> => {
  const piece = cutOut(picture, rectangle, turns, ORIENTATION_WIDTH, LINE_HEIGHT)
  const { data } = await classify(toTensor(piece, LINE), [1, 3, LINE_HEIGHT, ORIENTATION_WIDTH])
  return (data[1] ?? 0) - (data[0] ?? 0)
}

const readLine = async (
  picture: Picture,
  rectangle: LeaningRectangle,
  pageTurns: QuarterTurns,
  models: Models,
): Promise<OcrLine | undefined> => {
  const { width, height } = rectangle
  const tallness = pageTurns % 2 === 1 ? width / height : height / width
  const candidates: QuarterTurns[] = tallness < PLAINLY_TALL ? [pageTurns] : []
  if (tallness >= TALL) {
    const turned = addTurns(pageTurns, 1)
    const isUpsideDown = (await leanToUpsideDown(picture, rectangle, turned, models)) > 0
    candidates.push(isUpsideDown ? addTurns(turned, 2) : turned)
  }
  let best: OcrLine | undefined
  for (const turns of candidates) {
    const line = await readTurned(picture, rectangle, turns, models)
    if (line && (!best || meanConfidence(line.words) > meanConfidence(best.words))) best = line
  }
  return best
}

const addTurns = (turns: QuarterTurns, more: QuarterTurns): QuarterTurns => ((turns + more) % 4) as QuarterTurns

const meanConfidence = (words: readonly OcrWord[]): number =>
  words.reduce((sum, { confidence, text }) => sum + confidence * text.length, 0) /
  words.reduce((sum, { text }) => sum + text.length, 0)

/** Added before and after a line, as a share of its height: what is found ends before a last full stop. */
const RUN_OUT = 0.15

const readTurned = async (
  picture: Picture,
  found: LeaningRectangle,
  turns: QuarterTurns,
  { recognize, alphabet }: Models,
): Promise<OcrLine | undefined> => {
  const isSideways = turns % 2 === 1
  const runOut = 2 * RUN_OUT * Math.min(found.width, found.height)
  const rectangle = isSideways ? { ...found, height: found.height + runOut } : { ...found, width: found.width + runOut }
  const long = isSideways ? rectangle.height : rectangle.width
  const short = isSideways ? rectangle.width : rectangle.height
  const ideal = Math.min(MAX_LINE_WIDTH, Math.max(MIN_LINE_WIDTH, (LINE_HEIGHT * long) / short))
  const width = Math.ceil(ideal / STEP_PIXELS) * STEP_PIXELS
  const piece = cutOut(picture, rectangle, turns, width, LINE_HEIGHT)
  const { data, shape } = await recognize(toTensor(piece, LINE), [1, 3, LINE_HEIGHT, width])
  const [, steps = 0, classes = 0] = shape
  const letters = decodeLine(data, steps, classes, alphabet)
  const words = splitWords(letters, piece, width / steps).map((word) => placeWord(word, rectangle, turns, steps))
  if (words.length === 0) return undefined
  return { ...boundsOf(found), words, angle: ((360 - turns * 90) % 360) as OcrLine['angle'], typeHeight: short }
}

/** The widest that a letter is taken to be, as a share of the height of its line. */
const HALF_LETTER_STEPS = (LINE_HEIGHT * 0.3) / STEP_PIXELS

const placeWord = (
  letters: readonly Letter[],
  rectangle: LeaningRectangle,
  turns: QuarterTurns,
  steps: number,
): OcrWord => {
  const first = letters[0]?.step ?? 0
  const last = letters.at(-1)?.step ?? 0
  const start = Math.max(0, (first + 0.5 - HALF_LETTER_STEPS) / steps)
  const end = Math.min(1, (last + 0.5 + HALF_LETTER_STEPS) / steps)
  return {
    ...partOf(rectangle, turns, start, end),
    text: letters.map(({ text }) => text).join(''),
    confidence: letters.reduce((sum, { confidence }) => sum + confidence, 0) / letters.length,
  }
}

/** The box of a part of a line, given as shares of its length in reading direction. */
const partOf = (rectangle: LeaningRectangle, turns: QuarterTurns, start: number, end: number) => {
  switch (turns) {
    case 0:
      return boundsOf(rectangle, [start, end], [0, 1])
    case 1:
      return boundsOf(rectangle, [0, 1], [1 - end, 1 - start])
    case 2:
      return boundsOf(rectangle, [1 - end, 1 - start], [0, 1])
    case 3:
      return boundsOf(rectangle, [0, 1], [start, end])
  }
}
