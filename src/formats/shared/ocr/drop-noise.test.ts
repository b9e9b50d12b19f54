import { expect, test } from 'vitest'
import { dropNoise } from './drop-noise.ts'
import { mendBullets } from './mend-bullets.ts'

const page = (...lines: [text: string, confidence: number][][]) => ({
  separators: [],
  lines: lines.map((words) => ({
    ...{ x: 0, y: 0, width: 100, height: 10, angle: 0 as const, typeHeight: 10 },
    words: words.map(([text, confidence]) => ({ x: 0, y: 0, width: 10, height: 10, text, confidence })),
  })),
})
const texts = ({ lines }: ReturnType<typeof page>) => lines.map(({ words }) => words.map(({ text }) => text).join(' '))

test.each<[string, [string, number][], boolean]>([
  [
    'writing',
    [
      ['hello', 0.95],
      ['world', 0.9],
    ],
    true,
  ],
  [
    'writing with a word it is unsure of',
    [
      ['you’ll', 0.1],
      ['hear', 0.96],
    ],
    true,
  ],
  [
    'parts of a picture',
    [
      ['fae', 0.3],
      ['Bw', 0.2],
      ['|', 0.5],
    ],
    false,
  ],
  [
    'strokes',
    [
      ['|', 0.5],
      ['_', 0.6],
    ],
    false,
  ],
  ['a rule that was surely read', [['---', 0.95]], true],
  ['a letter in a picture', [['Q', 0.5]], false],
  ['a page number', [['7', 0.9]], true],
])('%s', (_, words, isKept) => {
  expect(dropNoise(page(words)).lines.length).toBe(isKept ? 1 : 0)
})

test('marks that it is unsure of go, words stay', () => {
  expect(
    texts(
      dropNoise(
        page([
          ['~', 0.1],
          ['fine', 0.9],
          ['word', 0.1],
        ]),
      ) as ReturnType<typeof page>,
    ),
  ).toEqual(['fine word'])
})

test('bullets come back where there are several, signs that mean something stay', () => {
  const given = page(
    [
      ['¢', 0.5],
      ['first', 0.9],
    ],
    [
      ['©', 0.5],
      ['second', 0.9],
    ],
    [
      ['©', 0.9],
      ['2021', 0.9],
    ],
  )
  expect(texts(mendBullets(given) as ReturnType<typeof page>)).toEqual(['• first', '• second', '© 2021'])
  const mixed = page(
    [
      ['¢', 0.5],
      ['a', 0.9],
    ],
    [
      ['e', 0.5],
      ['b', 0.9],
    ],
    [
      ['°', 0.5],
      ['c', 0.9],
    ],
  )
  expect(texts(mendBullets(mixed) as ReturnType<typeof page>)).toEqual(['• a', '• b', '• c'])
  const one = page([
    ['©', 0.9],
    ['Smith', 0.9],
  ])
  expect(mendBullets(one)).toBe(one)
})
