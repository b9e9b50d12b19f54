import { expect, test } from 'vitest'
import { HOCR_FOOT, hocrHead, writeHocrPage } from './write-hocr.ts'

const run = { font: '', fontSize: 12, bold: false, italic: false, monospace: false, rotation: 0 }
const page = { source: 'ocr' as const, lines: [], shapes: [], images: [], links: [], structure: [] }

test('lines and words at 300 dots per inch', () => {
  const words = [
    { text: 'a<b', x: 72, y: 72, width: 36, height: 12 },
    { text: '&c', x: 120, y: 72, width: 24, height: 12 },
  ]
  const runs = [{ ...run, text: 'a<b &c', x: 72, y: 72, width: 72, height: 12, confidence: 0.954, words }]
  expect(writeHocrPage({ ...page, number: 2, width: 612, height: 792, runs })).toBe(
    `<div class="ocr_page" id="page_2" title="bbox 0 0 2550 3300; ppageno 1; scan_res 300 300">
<span class="ocr_line" id="line_2_1" title="bbox 300 300 600 350; x_size 50"><span class="ocrx_word" id="word_2_1_1" title="bbox 300 300 450 350; x_wconf 95">a&lt;b</span> <span class="ocrx_word" id="word_2_1_2" title="bbox 500 300 600 350; x_wconf 95">&amp;c</span></span>
</div>
`,
  )
})

test('the whole is well-formed, whatever the text holds', async () => {
  const { SaxesParser } = await import('saxes')
  const runs = [{ ...run, text: '\u0000"\ufffe]]>', x: 0, y: 0, width: 1, height: 1 }]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  const written = hocrHead('<&>') + writeHocrPage({ ...page, number: 1, width: 10, height: 10, runs }) + HOCR_FOOT
  expect(() => parser.write(written).close()).not.toThrow()
})
