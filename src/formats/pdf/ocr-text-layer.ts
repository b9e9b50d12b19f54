import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TESSDATA } from '../../engines/tesseract-languages.ts'
import type { Box } from '../shared/document/model.ts'
import type { TextRun } from '../shared/layout/page-content.ts'
import type { Recognized } from '../shared/ocr/recognize.ts'
import { isSpaced } from '../shared/ocr/to-page-content.ts'
import { createPdfFile, type PdfFileWriter, stream } from './ocr-pdf-file.ts'

/** A page of the layer: what was read, where it lies on the page as it is shown, in points from its top left corner. */
export type LayerPage = {
  recognized: Recognized
  /** Size of the page as it is shown. */
  width: number
  height: number
  /** The part of it that the layer is laid over. */
  area: Box
}

/** Writes pages of invisible text, one at a time. */
export type TextLayerWriter = { add(page: LayerPage): Promise<void>; finish(): Promise<void>; close(): Promise<void> }

/** Every glyph of Tesseract's font without shapes is half as wide as high. */
const GLYPH_WIDTH = 0.5
/** Where letters stand in the box of their line, from its top. */
const BASELINE = 0.8
/** Text that is neither filled nor stroked. */
const INVISIBLE = '3 Tr'

/** Numbers of objects. */
const CATALOG = 1
const PAGES = 2
const FONT = 3
const FONT_GLYPHS = 4
const FONT_DESCRIPTOR = 5
const FONT_FILE = 6
const GLYPH_MAP = 7
const UNICODE_MAP = 8
const FIRST_PAGE = 9

/** Starts a PDF of invisible text. */
export const createTextLayer = async (path: string): Promise<TextLayerWriter> => {
  const file = await createPdfFile(path)
  await writeFont(file)
  const pages: number[] = []
  return {
    async add(page) {
      const number = FIRST_PAGE + pages.length * 2
      pages.push(number)
      await file.add(number + 1, stream(Buffer.from(drawText(page))))
      await file.add(
        number,
        `<</Type/Page/Parent ${PAGES} 0 R/MediaBox[${mediaBox(page)}]/Contents ${number + 1} 0 R/Resources<</Font<</F ${FONT} 0 R>>>>>>`,
      )
    },
    async finish() {
      const kids = pages.map((number) => `${number} 0 R`).join(' ')
      await file.add(PAGES, `<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`)
      await file.add(CATALOG, `<</Type/Catalog/Pages ${PAGES} 0 R>>`)
      await file.finish(CATALOG)
    },
    close: () => file.close(),
  }
}

const mediaBox = ({ height, area }: LayerPage): string =>
  [area.x, height - area.y - area.height, area.x + area.width, height - area.y].map(round).join(' ')

/** The words of a page, each where it stands and as wide as it is. */
const drawText = (page: LayerPage): string => {
  const parts = ['BT', INVISIBLE]
  for (const run of page.recognized.content.runs) {
    const words = run.words ?? [{ ...run, text: run.text }]
    for (const [i, word] of words.entries()) {
      const next = words[i + 1]
      const size = Math.max(1, run.fontSize)
      const length = run.rotation % 180 === 0 ? word.width : word.height
      const scale = (100 * length) / (word.text.length * GLYPH_WIDTH * size)
      const text = next && isSpaced(word.text, next.text) ? `${word.text} ` : word.text
      if (length <= 0) continue
      parts.push(`/F ${round(size)} Tf ${round(scale)} Tz ${place(word, run, page)} Tm <${toHex(text)}> Tj`)
    }
  }
  return [...parts, 'ET'].join('\n')
}

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u

/** The text matrix of a word: back from the upright, straight page that was read to the page as it is shown. */
const place = (box: Box & { text: string }, run: TextRun, { recognized, width, height }: LayerPage): string => {
  const { content, rotation, skewDegrees } = recognized
  const isBackwards = RIGHT_TO_LEFT.test(box.text)
  const [startX, startY] = startOf(box, run.rotation, isBackwards)
  const [dx, dy] = turn(startX - content.width / 2, startY - content.height / 2, skewDegrees - rotation)
  // Each word leans with its page by its place alone: readers take letters on a slope for words of their own.
  const [a, b] = turn(1, 0, run.rotation - rotation)
  const sign = isBackwards ? -1 : 1
  // Letters of backward text are mirrored, so that they follow each other to the left and still stand upright.
  const matrix = [sign * a, sign * -b, b, a, width / 2 + dx, height / 2 - dy]
  return matrix.map(round).join(' ')
}

/** Where the first letter stands, on the page that was read. */
const startOf = ({ x, y, width, height }: Box, rotation: number, isBackwards: boolean): [number, number] => {
  const along = isBackwards ? 1 : 0
  switch (rotation) {
    case 90:
      return [x + width * (1 - BASELINE), y + height * along]
    case 180:
      return [x + width * (1 - along), y + height * (1 - BASELINE)]
    case 270:
      return [x + width * BASELINE, y + height * (1 - along)]
    default:
      return [x + width * along, y + height * BASELINE]
  }
}

/** Clockwise, where y grows downwards. */
const turn = (x: number, y: number, degrees: number): [number, number] => {
  const cos = Math.cos((degrees * Math.PI) / 180)
  const sin = Math.sin((degrees * Math.PI) / 180)
  return [x * cos - y * sin, x * sin + y * cos]
}

const round = (value: number): number => Math.round(value * 1_000) / 1_000 || 0

const toHex = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex')

/** Codes are UTF-16; all of them show the same glyph, which is empty. */
const writeFont = async (file: PdfFileWriter): Promise<void> => {
  const font = await readFile(join(TESSDATA, 'pdf.ttf'))
  const glyphs = Buffer.alloc(2 * 65_536, Buffer.from([0, 1]))
  const unicode = `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
1 beginbfrange
<0000> <FFFF> <0000>
endbfrange
endcmap
CMapName currentdict /CMap defineresource pop
end
end
`
  await file.add(
    FONT,
    `<</Type/Font/Subtype/Type0/BaseFont/GlyphLessFont/Encoding/Identity-H/DescendantFonts[${FONT_GLYPHS} 0 R]/ToUnicode ${UNICODE_MAP} 0 R>>`,
  )
  await file.add(
    FONT_GLYPHS,
    `<</Type/Font/Subtype/CIDFontType2/BaseFont/GlyphLessFont/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW ${GLYPH_WIDTH * 1_000}/CIDToGIDMap ${GLYPH_MAP} 0 R/FontDescriptor ${FONT_DESCRIPTOR} 0 R>>`,
  )
  await file.add(GLYPH_MAP, stream(glyphs))
  await file.add(UNICODE_MAP, stream(Buffer.from(unicode)))
  await file.add(
    FONT_DESCRIPTOR,
    `<</Type/FontDescriptor/FontName/GlyphLessFont/Flags 5/FontBBox[0 0 ${GLYPH_WIDTH * 1_000} 1000]/ItalicAngle 0/Ascent 1000/Descent -1/CapHeight 1000/StemV 80/FontFile2 ${FONT_FILE} 0 R>>`,
  )
  await file.add(FONT_FILE, stream(font, `/Length1 ${font.length}`))
}
