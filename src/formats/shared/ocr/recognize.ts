import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import type { OcrPage } from '../../../engines/ocr-page.ts'
import { PP_OCR_LANGUAGES, readWithPpOcr } from '../../../engines/pp-ocr/read-page.ts'
import { detectScript, readWithTesseract } from '../../../engines/tesseract.ts'
import { installedLanguages } from '../../../engines/tesseract-languages.ts'
import { keepAlive } from '../keep-alive.ts'
import { coversScript, languageOfScript } from './choose-languages.ts'
import { dropNoise } from './drop-noise.ts'
import { mendBullets } from './mend-bullets.ts'
import { drawPrepared, type Preparation, surveyImage, writePrepared } from './prepare-image.ts'
import type { OcrImage, OcrSettings, Recognized } from './recognized.ts'
import { findPixelsPerPoint, findRotation, meanConfidence, toPageContent } from './to-page-content.ts'

export type { OcrEngineChoice, OcrImage, OcrSettings, Recognized } from './recognized.ts'

/** What one engine made of the image. */
type Reading = {
  page: OcrPage
  canvas: { width: number; height: number }
  /** Of the words that were kept. */
  confidence: number
  /** Of all words, before noise was dropped: low also where lines could not be read at all. */
  certainty: number
  letters: number
  engine: Recognized['engine']
  languages: readonly string[]
}

/** Twenty times what a full page takes on a machine that is not busy. */
const IMAGE_TIMEOUT_MS = 180_000
/** Tesseract says more than this of a page that it reads well. */
const GOOD_CONFIDENCE = 0.93
/** On a page with much text only worse reading is worth the time of another. */
const FAIR_CONFIDENCE = 0.85
const MUCH_TEXT_LETTERS = 1_500
/** Below this, the letters may be of another script than those it looked for. */
const ALIEN_CONFIDENCE = 0.75
const MIN_SCRIPT_CONFIDENCE = 1
/** PP-OCR is sure of nearly everything; below this it reads no writing it knows. */
const MIN_PP_CONFIDENCE = 0.85
/** Share of the other engine's letters that it must have found, too. */
const MIN_PP_LETTERS = 0.8

/** Reads the text in an image: turned upright, straightened, with the engine and languages that the settings ask for. */
export const recognizeImage = async (image: OcrImage, settings: OcrSettings, context: Context): Promise<Recognized> => {
  const preparation = await surveyImage(image)
  if (preparation.isBlank) return describe(preparation, nothingOn(preparation, settings), image)
  const timeout = AbortSignal.timeout(IMAGE_TIMEOUT_MS)
  const job = { signal: AbortSignal.any([context.signal, timeout]), scratch: context.scratch }
  try {
    const reading = await keepAlive(context, () => read(preparation, settings, job, context))
    return describe(preparation, reading, image)
  } catch (error) {
    context.signal.throwIfAborted()
    if (!timeout.aborted) throw error
    context.warn('ocr.timed_out', `Reading took more than ${IMAGE_TIMEOUT_MS / 1000} seconds and was given up.`)
    return describe(preparation, nothingOn(preparation, settings), image)
  }
}

type Job = { signal: AbortSignal; scratch: string }

const nothingOn = ({ width, height, scale }: Preparation, { languages }: OcrSettings): Reading => ({
  page: { lines: [], separators: [] },
  canvas: { width: width * scale, height: height * scale },
  confidence: 0,
  certainty: 0,
  letters: 0,
  engine: 'tesseract',
  languages,
})

const read = async (preparation: Preparation, settings: OcrSettings, job: Job, context: Context): Promise<Reading> => {
  const languages = keepInstalled(settings.languages, context)
  const mayUsePp = languages.every((language) => PP_OCR_LANGUAGES.includes(language))
  if (settings.engine === 'quality') {
    if (mayUsePp) return await readByPp(preparation, languages, job)
    context.warn(
      'ocr.quality_language',
      `The quality engine does not read ${languages.join(', ')}; Tesseract was used.`,
    )
  }
  const first = await readByTesseract(preparation, languages, job, context)
  const enough = first.letters > MUCH_TEXT_LETTERS ? FAIR_CONFIDENCE : GOOD_CONFIDENCE
  if (settings.engine !== 'auto' || !mayUsePp || first.certainty >= enough || first.languages !== languages)
    return first
  const second = await readByPp(preparation, languages, job)
  return isBetter(second, first) ? second : first
}

const isBetter = (second: Reading, first: Reading): boolean =>
  second.confidence >= MIN_PP_CONFIDENCE &&
  (second.letters >= first.letters * MIN_PP_LETTERS || first.certainty < ALIEN_CONFIDENCE)

const keepInstalled = (wanted: readonly string[], context: Context): readonly string[] => {
  const installed = installedLanguages()
  const languages = wanted.filter((language) => installed.includes(language))
  if (languages.length < wanted.length) {
    const missing = wanted.filter((language) => !installed.includes(language))
    context.warn('ocr.language_missing', `Not installed here, so not read: ${missing.join(', ')}.`)
  }
  if (languages.length > 0) return languages
  const [fallback] = installed
  if (!fallback) throw new JobFailure('extract.engine_failed', { engine: 'tesseract' })
  return [fallback]
}

const readByPp = async (preparation: Preparation, languages: readonly string[], job: Job): Promise<Reading> => {
  const picture = await drawPrepared(preparation)
  return toReading(await readWithPpOcr(picture, job), picture, 'pp-ocr', languages)
}

const readByTesseract = async (
  preparation: Preparation,
  languages: readonly string[],
  job: Job,
  context: Context,
): Promise<Reading> => {
  const path = join(context.scratch, `ocr-${randomUUID()}.pgm`)
  try {
    const canvas = await writePrepared(preparation, path)
    const request = { path, ...(preparation.dpi ? { dpi: preparation.dpi } : {}) }
    const readAs = async (codes: readonly string[]) =>
      toReading(await readWithTesseract({ ...request, languages: codes }, job), canvas, 'tesseract', codes)
    const reading = await readAs(languages)
    const script = reading.certainty < ALIEN_CONFIDENCE ? await findAlienScript(path, languages, job) : undefined
    const language = script && languageOfScript(script)
    const other = language ? await readAs([language, ...languages]) : undefined
    if (script && !other) warnScript(context, script, 'no language of that script is installed')
    if (!script || !other || other.certainty <= reading.certainty) return reading
    warnScript(context, script, `${language} was added`)
    return other
  } finally {
    await rm(path, { force: true })
  }
}

/** The script of the letters, where it is plainly one that none of the languages is written in. */
const findAlienScript = async (path: string, languages: readonly string[], job: Job): Promise<string | undefined> => {
  const found = await detectScript(path, job)
  const isPlain = found && found.confidence >= MIN_SCRIPT_CONFIDENCE
  return isPlain && !coversScript(languages, found.script) ? found.script : undefined
}

const warnScript = (context: Context, script: string, what: string): void =>
  context.warn('ocr.script_mismatch', `The letters look ${script}, unlike the languages asked for; ${what}.`)

const toReading = (
  page: OcrPage,
  canvas: { width: number; height: number },
  engine: Recognized['engine'],
  languages: readonly string[],
): Reading => {
  const kept = mendBullets(dropNoise(page))
  const words = kept.lines.flatMap((line) => line.words)
  return {
    page: kept,
    canvas,
    confidence: meanConfidence(words),
    certainty: meanConfidence(page.lines.flatMap((line) => line.words)),
    letters: words.reduce((sum, { text }) => sum + text.length, 0),
    engine,
    languages,
  }
}

const describe = (preparation: Preparation, reading: Reading, { dpi }: OcrImage): Recognized => {
  const { width, height, scale, skewDegrees } = preparation
  const rotation = findRotation(reading.page)
  const geometry = { width, height, canvas: reading.canvas, scale, ...(preparation.dpi && dpi ? { dpi } : {}) }
  const pixelsPerPoint = findPixelsPerPoint(reading.page, geometry)
  return {
    content: toPageContent(reading.page, geometry, rotation, pixelsPerPoint),
    pixelsPerPoint,
    rotation,
    skewDegrees,
    meanConfidence: reading.confidence,
    engine: reading.engine,
    languages: reading.languages,
  }
}
