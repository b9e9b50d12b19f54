import type { Box } from '../document/model.ts'
import type { PageContent, TextRun } from '../layout/page-content.ts'

/** The dots that points are given as. */
const DPI = 300
const PER_POINT = DPI / 72

/** The head of a document of pages in hOCR. */
export const hocrHead = (title: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml">
<head>
<title>${escapeXml(title)}</title>
<meta http-equiv="Content-Type" content="text/html; charset=utf-8"/>
<meta name="ocr-system" content="quarry"/>
<meta name="ocr-capabilities" content="ocr_page ocr_line ocrx_word ocrp_wconf"/>
</head>
<body>
`

export const HOCR_FOOT = '</body>\n</html>\n'

/** A page in hOCR: its lines and words, with boxes at 300 dots per inch from its top left corner. */
export const writeHocrPage = ({ number, width, height, runs }: PageContent): string => {
  const size = `bbox 0 0 ${toDots(width)} ${toDots(height)}; ppageno ${number - 1}; scan_res ${DPI} ${DPI}`
  const lines = runs.map((run, i) => writeLine(run, `${number}_${i + 1}`)).join('')
  return `<div class="ocr_page" id="page_${number}" title="${size}">\n${lines}</div>\n`
}

const writeLine = (run: TextRun, id: string): string => {
  const { fontSize, rotation, confidence, text } = run
  const words = run.words ?? [{ ...run, text }]
  const angle = rotation === 0 ? '' : `; textangle ${(360 - rotation) % 360}`
  const sure = confidence === undefined ? '' : `; x_wconf ${Math.round(confidence * 100)}`
  const written = words.map(
    (word, i) =>
      `<span class="ocrx_word" id="word_${id}_${i + 1}" title="${writeBox(word)}${sure}">${escapeXml(word.text)}</span>`,
  )
  const title = `${writeBox(run)}${angle}; x_size ${toDots(fontSize)}`
  return `<span class="ocr_line" id="line_${id}" title="${title}">${written.join(' ')}</span>\n`
}

const writeBox = ({ x, y, width, height }: Box): string =>
  `bbox ${toDots(x)} ${toDots(y)} ${toDots(x + width)} ${toDots(y + height)}`

const toDots = (points: number): number => Math.max(0, Math.round(points * PER_POINT))

/** Control characters have no place in XML, not even written as numbers. */
const escapeXml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
