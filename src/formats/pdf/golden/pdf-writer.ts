import { type RawObject, writeRawPdf } from './raw-pdf.ts'

/** A small PDF in plain syntax with the fonts that every reader has: sources of golden cases that can be read and remade. */
export type PdfPage = {
  width?: number
  height?: number
  rotate?: 90 | 180 | 270
  /** Operators of the content stream, in the order they are drawn. */
  content: readonly string[]
  /** Squares of grey, from black at the upper left to white at the lower right. */
  pictures?: readonly { x: number; y: number; width: number; height: number }[]
  links?: readonly { x: number; y: number; width: number; height: number; uri: string }[]
}

/** Fonts by their names in the content; `H` shows Latin letters that stand for Hebrew ones. */
const FONTS = {
  R: 'Helvetica',
  B: 'Helvetica-Bold',
  I: 'Helvetica-Oblique',
  T: 'Times-Roman',
  C: 'Courier',
  H: 'Helvetica',
} as const
export type FontName = keyof typeof FONTS

const A4 = { width: 595, height: 842 }

/** Widths of the characters from blank to tilde in Helvetica, in thousandths of the size. */
const WIDTHS =
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584'
    .split(' ')
    .map(Number)

/** How wide a text is in Helvetica, in points. */
export const measure = (text: string, size: number): number =>
  [...text].reduce((sum, char) => sum + (WIDTHS[char.charCodeAt(0) - 32] ?? 556), 0) * (size / 1000)

const quote = (text: string): string => `(${text.replace(/[\\()]/g, '\\$&')})`

/** A line of text; `y` is measured from the top of an A4 page to the line's foot. */
export const text = (x: number, y: number, size: number, content: string, font: FontName = 'R'): string =>
  `BT /${font} ${size} Tf ${x} ${A4.height - y} Td ${quote(content)} Tj ET`

/** A raised or lowered figure after a text. */
export const raised = (x: number, y: number, size: number, content: string): string =>
  text(x, y - size * 0.5, size * 0.6, content)

/** A paragraph broken into lines of a width. Gives the operators and where the next line would stand. */
export const paragraph = (
  x: number,
  y: number,
  width: number,
  content: string,
  size = 10,
  font: FontName = 'R',
): { content: string[]; next: number } => {
  const lines: string[] = []
  let line = ''
  for (const word of content.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (measure(longer, size) > width && line !== '') {
      lines.push(line)
      line = word
    } else line = longer
  }
  lines.push(line)
  const leading = size * 1.3
  return { content: lines.map((each, i) => text(x, y + i * leading, size, each, font)), next: y + lines.length * leading }
}

/** A straight line between two points, measured from the top left. */
export const rule = (x1: number, y1: number, x2: number, y2: number, width = 0.5): string =>
  `${width} w ${x1} ${A4.height - y1} m ${x2} ${A4.height - y2} l S`

/** The bytes of a file with these pages; the same every time. */
export const writePdf = (pages: readonly PdfPage[], info: Readonly<Record<string, string>> = {}): Buffer => {
  const kids: string[] = []
  const facts = Object.entries(info).map(([key, value]) => `/${key} ${quote(value)}`)
  const objects: RawObject[] = ['<< /Type /Catalog /Pages 2 0 R >>', '', `<< ${facts.join(' ')} >>`]
  const add = (object: RawObject): string => `${objects.push(object)} 0 R`
  const fonts = Object.entries(FONTS).map(([name, base]) => {
    const unicode = name === 'H' ? ` /ToUnicode ${add({ dict: '', data: HEBREW_MAP })}` : ''
    return `/${name} ${add(`<< /Type /Font /Subtype /Type1 /BaseFont /${base} /Encoding /WinAnsiEncoding${unicode} >>`)}`
  })
  const picture = pages.some(({ pictures }) => pictures) ? ` /XObject << /P ${add(PICTURE)} >>` : ''
  const resources = add(`<< /Font << ${fonts.join(' ')} >>${picture} >>`)
  for (const { width = A4.width, height = A4.height, rotate, content, pictures = [], links = [] } of pages) {
    const drawn = pictures.map(
      (each) => `q ${each.width} 0 0 ${each.height} ${each.x} ${A4.height - each.y - each.height} cm /P Do Q`,
    )
    const contents = add({ dict: '', data: [...content, ...drawn].join('\n') })
    const annotations = links.map((link) => {
      const rectangle = [link.x, A4.height - link.y - link.height, link.x + link.width, A4.height - link.y].join(' ')
      const action = `<< /S /URI /URI ${quote(link.uri)} >>`
      return add(`<< /Type /Annot /Subtype /Link /Border [0 0 0] /Rect [${rectangle}] /A ${action} >>`)
    })
    const more = `${rotate ? ` /Rotate ${rotate}` : ''}${links.length > 0 ? ` /Annots [${annotations.join(' ')}]` : ''}`
    const box = `/MediaBox [0 0 ${width} ${height}]`
    kids.push(add(`<< /Type /Page /Parent 2 0 R ${box} /Resources ${resources} /Contents ${contents}${more} >>`))
  }
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`
  return writeRawPdf(objects, '/Info 3 0 R')
}

const SIDE = 16
const PICTURE: RawObject = {
  dict: `/Type /XObject /Subtype /Image /Width ${SIDE} /Height ${SIDE} /ColorSpace /DeviceGray /BitsPerComponent 8`,
  data: Uint8Array.from({ length: SIDE * SIDE }, (_, i) => 8 * ((i % SIDE) + Math.floor(i / SIDE))),
}

const HEBREW = 'אבגדהוזחטיךכלםמןנסעףפץצקרשת'

const codeOf = (index: number): number => 97 + index
const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0')

/** The letters from `a` on are those of the Hebrew alphabet. */
const HEBREW_MAP = [
  '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Hebrew def /CMapType 2 def',
  '1 begincodespacerange <00> <FF> endcodespacerange',
  `${HEBREW.length} beginbfchar`,
  ...[...HEBREW].map((char, i) => `<${hex(codeOf(i), 2)}> <${hex(char.charCodeAt(0), 4)}>`),
  'endbfchar endcmap CMapName currentdict /CMap defineresource pop end end',
].join('\n')

/** Hebrew as a page shows it: the first letter is the rightmost. */
export const hebrew = (logical: string): string =>
  [...logical]
    .toReversed()
    .map((char) => (HEBREW.includes(char) ? String.fromCharCode(codeOf(HEBREW.indexOf(char))) : char))
    .join('')
