import type { AddOn } from '../../core/catalog.ts'

/** Extensions whose files are also priced by their frames, pages or sizes. */
export const FRAME_BILLED = ['avif', 'avifs', 'gif', 'ico', 'png', 'tif', 'tiff', 'webp']

/** Extensions whose files are priced by their size alone. */
export const SIZE_BILLED = [
  ...['jpg', 'jpeg', 'jpe', 'jfif', 'apng', 'bmp', 'dib', 'heic', 'heif', 'svg', 'psd', 'jp2', 'j2k', 'jxl'],
]

/** Extensions whose files are pages, all of which OCR reads and is paid for. */
const PAGED = ['avif', 'tif', 'tiff']

/** OCR is paid once, however many capabilities show what it read. */
export const OCR_PRICE: readonly AddOn[] = [
  { metric: 'frames', per: 5, once: 'ocr', extensions: PAGED },
  {
    metric: 'files',
    per: 1,
    once: 'ocr',
    extensions: [...FRAME_BILLED, ...SIZE_BILLED].filter((extension) => !PAGED.includes(extension)),
  },
]
