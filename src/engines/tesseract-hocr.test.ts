import { expect, test } from 'vitest'
import { parseHocr } from './tesseract-hocr.ts'

const page = (body: string) => `<html><body>
  <div class='ocr_page' id='page_1' title='image "a.pgm"; bbox 0 0 480 640; ppageno 0'>${body}</div></body></html>`

test('lines with their words, boxes and confidence', () => {
  const { lines } = parseHocr(
    page(`<div class='ocr_carea' id='b' title="bbox 10 20 110 40"><p class='ocr_par' id='p' title="bbox 10 20 110 40">
     <span class='ocr_line' id='l' title="bbox 10 20 110 40; baseline 0.002 -1; x_size 22.5; x_descenders 5; x_ascenders 6">
      <span class='ocrx_word' id='w1' title='bbox 10 20 50 40; x_wconf 96'>R&amp;D</span>
      <span class='ocrx_word' id='w2' title='bbox 60 20 110 40; x_wconf 0'><strong>it&#39;s</strong></span>
     </span></p></div>`),
  )
  expect(lines).toEqual([
    {
      x: 10,
      y: 20,
      width: 100,
      height: 20,
      angle: 0,
      typeHeight: 22.5,
      words: [
        { x: 10, y: 20, width: 40, height: 20, text: 'R&D', confidence: 0.96 },
        { x: 60, y: 20, width: 50, height: 20, text: "it's", confidence: 0 },
      ],
    },
  ])
})

test.each([
  ['', 0],
  ['; textangle 90', 270],
  ['; textangle 180', 180],
  ['; textangle 270', 90],
])('a line that Tesseract calls turned "%s" is turned %i clockwise', (given, angle) => {
  const { lines } = parseHocr(
    page(`<span class='ocr_header' id='l' title="bbox 1 2 3 4${given}">
      <span class='ocrx_word' id='w' title='bbox 1 2 3 4; x_wconf 50'>x</span></span>`),
  )
  expect(lines[0]?.angle).toBe(angle)
})

test('lines without words are none; separators are kept', () => {
  const { lines, separators } = parseHocr(
    page(`<div class='ocr_separator' id='s' title="bbox 4 3 1557 16"></div>
      <span class='ocr_line' id='l' title="bbox 1 2 3 4"><span class='ocrx_word' id='w' title='bbox 1 2 3 4; x_wconf 9'> </span></span>`),
  )
  expect(lines).toEqual([])
  expect(separators).toEqual([{ x: 4, y: 3, width: 1553, height: 13 }])
})
