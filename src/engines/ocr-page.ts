/** What an OCR engine found in an image, in pixels of that image. */
export type OcrPage = {
  lines: readonly OcrLine[]
  /** Lines drawn on the page that part text from text. */
  separators: readonly PixelBox[]
}

/** A rectangle from the top left corner, in pixels. */
export type PixelBox = { x: number; y: number; width: number; height: number }

/** A line of words that stand behind each other. */
export type OcrLine = PixelBox & {
  words: readonly OcrWord[]
  /** Degrees that its letters are turned clockwise. */
  angle: 0 | 90 | 180 | 270
  /** Height of a line of this type, from the top of an ascender to the foot of a descender. */
  typeHeight: number
}
export type OcrWord = PixelBox & {
  text: string
  /** 0 to 1. */
  confidence: number
}

/** Where a box of an image of the given size lies once the image is turned clockwise. */
export const turnBox = (
  { x, y, width, height }: PixelBox,
  image: { width: number; height: number },
  degrees: 0 | 90 | 180 | 270,
): PixelBox => {
  switch (degrees) {
    case 0:
      return { x, y, width, height }
    case 90:
      return { x: image.height - y - height, y: x, width: height, height: width }
    case 180:
      return { x: image.width - x - width, y: image.height - y - height, width, height }
    case 270:
      return { x: y, y: image.width - x - width, width: height, height: width }
  }
}
