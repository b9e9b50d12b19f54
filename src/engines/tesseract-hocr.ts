import type { OcrLine, OcrPage, OcrWord, PixelBox } from './ocr-page.ts'

const ELEMENT = /<(?:div|p|span) class='(\w+)'([^>]*)>/g
const LINE_CLASSES = new Set(['ocr_line', 'ocr_header', 'ocr_caption', 'ocr_textfloat'])

/** Reads the hOCR of one page, as Tesseract writes it: an element to a line, words last. */
export const parseHocr = (hocr: string): OcrPage => {
  const lines: Draft[] = []
  const separators: PixelBox[] = []
  for (const element of hocr.matchAll(ELEMENT)) {
    const [tag, kind = '', attributes = ''] = element
    if (kind === 'ocr_separator') separators.push(readBox(attributes))
    else if (LINE_CLASSES.has(kind)) lines.push(startLine(attributes))
    else if (kind === 'ocrx_word') {
      const start = element.index + tag.length
      const text = readText(hocr.slice(start, hocr.indexOf('</span>', start)))
      const word = { ...readBox(attributes), text, confidence: readNumber(attributes, 'x_wconf') / 100 }
      if (text !== '') lines.at(-1)?.words.push(word)
    }
  }
  return { lines: lines.filter(({ words }) => words.length > 0), separators }
}

type Draft = OcrLine & { words: OcrWord[] }

const startLine = (attributes: string): Draft => {
  const box = readBox(attributes)
  const turned = readNumber(attributes, 'textangle')
  // Tesseract counts against the clock.
  const angle = ((360 - Math.round(turned / 90) * 90) % 360) as OcrLine['angle']
  const height = angle === 90 || angle === 270 ? box.width : box.height
  return {
    ...box,
    words: [],
    angle,
    typeHeight: readNumber(attributes, 'x_size') || height,
  }
}

const readBox = (attributes: string): PixelBox => {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = (/\bbbox ([\d -]+)/.exec(attributes)?.[1] ?? '').split(' ').map(Number)
  return { x: x1, y: y1, width: Math.max(0, x2 - x1), height: Math.max(0, y2 - y1) }
}

const readNumber = (attributes: string, name: string): number =>
  Number(new RegExp(`\\b${name} (-?[\\d.]+)`).exec(attributes)?.[1] ?? 0)

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const readText = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replace(/&(\w+|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .trim()
