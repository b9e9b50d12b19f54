import { expect, test } from 'vitest'
import { findRotation, joinWords, toPageContent } from './to-page-content.ts'

const word = (text: string, x: number, y: number, width: number, height: number) => ({
  text,
  x,
  y,
  width,
  height,
  confidence: 0.9,
})

test('a wide gap parts a line, a space does not', () => {
  const words = [word('one', 0, 0, 60, 20), word('two', 70, 0, 60, 20), word('9.50', 300, 0, 80, 20)]
  const line = { x: 0, y: 0, width: 380, height: 20, angle: 0 as const, typeHeight: 20, words }
  const geometry = { width: 400, height: 100, canvas: { width: 400, height: 100 }, scale: 1, dpi: 144 }
  const { runs, width, source } = toPageContent({ lines: [line], separators: [] }, geometry, 0, 2)
  expect({ width, source }).toEqual({ width: 200, source: 'ocr' })
  expect(runs.map(({ text, x, fontSize }) => ({ text, x, fontSize }))).toEqual([
    { text: 'one two', x: 0, fontSize: 10 },
    { text: '9.50', x: 150, fontSize: 10 },
  ])
  expect(runs[0]?.words).toEqual([
    { text: 'one', x: 0, y: 0, width: 30, height: 10 },
    { text: 'two', x: 35, y: 0, width: 30, height: 10 },
  ])
})

test('a page on its side is turned, a canvas that grew is cut back', () => {
  // 100 by 200 pixels, drawn twice as large on a canvas with 10 pixels more on each side.
  const geometry = { width: 100, height: 200, canvas: { width: 220, height: 420 }, scale: 2, dpi: 72 }
  const words = [word('up', 10, 370, 20, 40)]
  const page = {
    lines: [{ x: 10, y: 370, width: 20, height: 40, angle: 270 as const, typeHeight: 20, words }],
    separators: [],
  }
  const rotation = findRotation(page)
  expect(rotation).toBe(90)
  const content = toPageContent(page, geometry, rotation, 1)
  expect(content).toMatchObject({ width: 200, height: 100 })
  expect(content.runs[0]).toMatchObject({ x: 0, y: 0, width: 20, height: 10, rotation: 0, fontSize: 10 })
})

test('scripts without spaces are joined without', () => {
  expect(joinWords(['中', '国', 'PDF', '文', '件'])).toBe('中国 PDF 文件')
  expect(joinWords(['one', 'two'])).toBe('one two')
})
