import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Context } from '../../../core/catalog.ts'
import { recognizeImage } from './recognize.ts'
import type { OcrEngineChoice } from './recognized.ts'

const LINES = [
  'The harbour was closed for the winter,',
  'and nobody expected another ship',
  'before the ice had left the river.',
  'On the third of March a sail appeared.',
]
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recognize-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Ink = { color: string; paper: string }
const BLACK_ON_WHITE: Ink = { color: 'black', paper: 'white' }

const draw = (lines: readonly string[], { color, paper }: Ink = BLACK_ON_WHITE, size = 36): Sharp => {
  const text = lines.map((line, i) => `<text x="60" y="${90 + i * size * 1.5}">${line}</text>`).join('')
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="${120 + lines.length * size * 1.5}">
      <rect width="100%" height="100%" fill="${paper}"/>
      <g font-family="Liberation Serif" font-size="${size}" fill="${color}">${text}</g></svg>`,
    ),
  )
}

const read = async (picture: Sharp, engine: OcrEngineChoice = 'fast', languages = ['eng']) => {
  const path = join(folder, `${Math.random()}.png`)
  await picture.png().toFile(path)
  const warnings: string[] = []
  const context: Context = {
    signal: new AbortController().signal,
    selected: new Set(),
    scratch: folder,
    progress: () => {},
    warn: (code) => warnings.push(code),
  }
  const recognized = await recognizeImage({ path }, { engine, languages }, context)
  return { ...recognized, text: recognized.content.runs.map((run) => run.text), warnings }
}

describe.each(['fast', 'quality'] as const)('%s', (engine) => {
  test.each([0, 90, 180, 270] as const)('a page turned by %i degrees is read upright', async (degrees) => {
    const { text, rotation, content } = await read(draw(LINES).rotate(degrees), engine)
    expect(text).toEqual(LINES)
    expect(rotation).toBe((360 - degrees) % 360)
    expect(content.width).toBeGreaterThan(content.height)
    // Lines stand below each other, words beside each other.
    const ys = content.runs.map(({ y }) => y)
    expect(ys).toEqual(ys.toSorted((a, b) => a - b))
    const xs = content.runs[0]?.words?.map(({ x }) => x) ?? []
    expect(xs).toHaveLength(7)
    expect(xs).toEqual(xs.toSorted((a, b) => a - b))
  })

  test('a page that leans is straightened', async () => {
    const { text, skewDegrees } = await read(draw(LINES).rotate(4, { background: 'white' }), engine)
    expect(text).toEqual(LINES)
    expect(skewDegrees).toBeCloseTo(4, 0)
  })

  test('light letters on a dark ground', async () => {
    expect((await read(draw(LINES, { color: '#ddd', paper: '#123' }), engine)).text).toEqual(LINES)
  })
})

test('white letters on nothing', async () => {
  expect((await read(draw(LINES, { color: 'white', paper: 'none' }))).text).toEqual(LINES)
})

test('columns are read one after the other', async () => {
  const size = 22
  const column = (x: number, lines: readonly string[]) =>
    lines.map((line, i) => `<text x="${x}" y="${60 + i * size * 1.5}">${line}</text>`).join('')
  const other = [
    'The crew had been away for eleven',
    'months, and half of them were ill.',
    'They asked for bread before',
    'they asked for news of home.',
  ]
  const picture = sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="900" height="220"><rect width="100%" height="100%" fill="white"/>
      <g font-family="Liberation Serif" font-size="${size}">${column(30, LINES)}${column(490, other)}</g></svg>`),
  )
  expect((await read(picture)).text).toEqual([...LINES, ...other])
})

test('an empty page has no text, and says nothing of its own', async () => {
  const { content, text, meanConfidence } = await read(draw([]))
  expect({ text, meanConfidence, source: content.source }).toEqual({ text: [], meanConfidence: 0, source: 'none' })
})

test('a language for the script is added where it was not asked for', async () => {
  const lines = ['Гавань была закрыта на зиму,', 'и никто не ждал другого корабля,', 'пока лёд не сойдёт с реки.']
  const { text, languages, warnings } = await read(draw(lines), 'fast', ['eng'])
  expect(text).toEqual(lines)
  expect(languages).toEqual(['rus', 'eng'])
  expect(warnings).toEqual(['ocr.script_mismatch'])
})

test.each(['fast', 'quality'] as const)('a canceled job stops %s', async (engine) => {
  const path = join(folder, 'canceled.png')
  await draw(LINES).png().toFile(path)
  const controller = new AbortController()
  const context = { signal: controller.signal, selected: new Set<string>(), scratch: folder, progress() {}, warn() {} }
  const reading = recognizeImage({ path }, { engine, languages: ['eng'] }, context)
  controller.abort(new Error('canceled'))
  await expect(reading).rejects.toThrow('canceled')
})

test('the quality engine leaves languages that it cannot read to the other', async () => {
  const { engine, warnings } = await read(draw(['Der Hafen war über den Winter geschlossen.']), 'quality', ['deu'])
  expect(engine).toBe('tesseract')
  expect(warnings).toEqual(['ocr.quality_language'])
})

test('a language that is not installed is left out', async () => {
  const { text, warnings } = await read(draw(LINES), 'fast', ['xyz', 'eng'])
  expect(text).toEqual(LINES)
  expect(warnings).toEqual(['ocr.language_missing'])
})
