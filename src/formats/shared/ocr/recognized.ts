import type { PageContent } from '../layout/page-content.ts'

/** Which engine reads: `fast` is Tesseract, `quality` is PP-OCR, `auto` takes the second where the first reads badly. */
export type OcrEngineChoice = 'auto' | 'fast' | 'quality'

export type OcrSettings = {
  engine: OcrEngineChoice
  /** Tesseract's names: `eng`, `deu`, `chi_sim`. */
  languages: readonly string[]
}

/** An image file that sharp reads. `dpi` is what one of its pixels measures, where that is known. */
export type OcrImage = { path: string; dpi?: number }

/** What stands in an image. */
export type Recognized = {
  /**
   * One run per line, or per piece of a line where a wide gap parts it, in reading order. Boxes are in points of the
   * page as it is read: turned upright by `rotation` and straightened by `skewDegrees`. Its number is 1.
   */
  content: PageContent
  /** Pixels of the given image (as its EXIF orientation shows it) in a point of `content`. */
  pixelsPerPoint: number
  /** Degrees that the shown image had to be turned clockwise to be upright. */
  rotation: 0 | 90 | 180 | 270
  /** Degrees that the upright page leaned clockwise; small. */
  skewDegrees: number
  /** 0 to 1, over the words that were kept; 0 where there are none. */
  meanConfidence: number
  engine: 'tesseract' | 'pp-ocr'
  /** Languages that it was read with, which may be more than were asked for. */
  languages: readonly string[]
}
