import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { writeRawPdf } from './raw-pdf.ts'

/** A page that is nothing but a picture of text, 400 by 200 points. */
export type ScanPage = {
  lines: readonly string[]
  /** Degrees that the text is turned clockwise on the page, about its middle. */
  lean?: number
  /** More of the page's dictionary. */
  more?: string
}

const WIDTH = 400
const HEIGHT = 200
/** 200 dots per inch. */
const PIXELS_PER_POINT = 200 / 72
const FONT_POINTS = 14

/** Where the first line starts, in points from the top left corner. */
export const SCAN_START = { x: 40, y: 50 }

/** Writes a PDF of pictures of text. */
export const writeScanPdf = async (pages: readonly ScanPage[]): Promise<Buffer> => {
  const pictures = await Promise.all(pages.map(drawPage))
  const width = Math.round(WIDTH * PIXELS_PER_POINT)
  const height = Math.round(HEIGHT * PIXELS_PER_POINT)
  const kids = pages.map((_, i) => `${3 + i * 3} 0 R`).join(' ')
  return writeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} /MediaBox [0 0 ${WIDTH} ${HEIGHT}] >>`,
    ...pages.flatMap(({ more = '' }, i) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${4 + i * 3} 0 R /Resources << /XObject << /I ${5 + i * 3} 0 R >> >> ${more} >>`,
      { dict: '', data: `${WIDTH} 0 0 ${HEIGHT} 0 0 cm /I Do` },
      {
        dict: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`,
        data: deflateSync(pictures[i] as Buffer),
      },
    ]),
  ])
}

const drawPage = async ({ lines, lean = 0 }: ScanPage): Promise<Buffer> => {
  const text = lines
    .map((line, i) => `<text x="${SCAN_START.x}" y="${SCAN_START.y + i * FONT_POINTS * 1.3}">${line}</text>`)
    .join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
    <rect width="100%" height="100%" fill="white"/>
    <g font-family="Liberation Serif" font-size="${FONT_POINTS}" transform="rotate(${lean} ${WIDTH / 2} ${HEIGHT / 2})">${text}</g></svg>`
  return await sharp(Buffer.from(svg), { density: PIXELS_PER_POINT * 72 })
    .resize(Math.round(WIDTH * PIXELS_PER_POINT), Math.round(HEIGHT * PIXELS_PER_POINT), { fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer()
}
