import { describe, expect, it } from 'vitest'
import { isCaption } from './captions.ts'
import { createVocabulary, LINE_HYPHEN } from './hyphens.ts'
import { isLoneMarker, readMarker } from './markers.ts'
import { toLogicalOrder } from './right-to-left.ts'

describe('markers', () => {
  it.each([
    ['• text', '•', false, undefined],
    ['– text', '–', false, undefined],
    ['3. text', '3.', true, 3],
    ['(b) text', '(b)', true, 2],
    ['iv) text', 'iv)', true, 4],
    ['A. text', 'A.', true, 1],
  ])('%s', (text, marker, ordered, value) => {
    expect(readMarker(text)).toMatchObject({ text: marker, ordered, ...(value === undefined ? {} : { value }) })
  })

  it.each(['text', '3.5 metres', '-text', '1999. text', '(b text', 'e.g. text'])('none in %s', (text) => {
    expect(readMarker(text)).toBeUndefined()
  })

  it('knows a marker that stands by itself', () => {
    expect(['•', ' 12. ', '(a)'].map(isLoneMarker)).toEqual([true, true, true])
    expect(['word', '12', '• text'].map(isLoneMarker)).toEqual([false, false, false])
  })
})

describe('captions', () => {
  it.each([
    'Figure 3: A map',
    'Table 2. Results',
    'FIGURE 5.1 Mr. Grimaldi',
    'Abb. 4 Der Weg',
    'Fig. 2A (left)',
    '表1 結果',
  ])('%s', (text) => {
    expect(isCaption(text)).toBe(true)
  })

  it.each(['Figure 3 shows a map', 'Table of contents', 'Tables are useful', 'Box office figures', 'The figure 3'])(
    'not %s',
    (text) => {
      expect(isCaption(text)).toBe(false)
    },
  )
})

describe('broken words', () => {
  const settle = (text: string, ...known: string[]) => {
    const vocabulary = createVocabulary()
    for (const words of known) vocabulary.add(words)
    return vocabulary.settle(text.replace('|', LINE_HYPHEN))
  }

  it.each([
    ['inter|national', [], 'international'],
    ['self|aware', ['They are self-aware.'], 'self-aware'],
    ['co|operate', ['to cooperate, and co-operate'], 'cooperate'],
    ['mass-pro|duced', [], 'mass-produced'],
    ['state-of-the|art', ['the art of it'], 'state-of-the-art'],
    ['anti|American', [], 'anti-American'],
    ['MIN|ISTRY', [], 'MINISTRY'],
  ])('%s', (text, known, settled) => {
    expect(settle(text, ...known)).toBe(settled)
  })
})

describe('right to left', () => {
  const turn = (text: string) =>
    toLogicalOrder(text.split(' ').map((word) => ({ text: word })))
      .map(({ text: word }) => word)
      .join(' ')

  it('turns the words round, but not Latin words and numbers among them', () => {
    expect(turn('ד New York ג ב 12 א')).toBe('א 12 ב ג New York ד')
  })

  it('puts the full stop, drawn to the left of the last word, after it', () => {
    expect(turn('.ב א')).toBe('א ב.')
  })

  it('parts a Latin word from the one it was set against', () => {
    expect(turn('ב Pythonא')).toBe('א Python ב')
  })

  it('mends a ligature that was stored back to front', () => {
    expect(turn('األدوات')).toBe('الأدوات')
    expect(turn('االستفادة')).toBe('الاستفادة')
  })
})
